package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A HookReport is what the checks of one hook folder found.
type HookReport struct {
	Dir    string      `json:"dir"`
	Name   string      `json:"name"`
	Checks []HookCheck `json:"checks"`
	Agents []HookAgent `json:"agents,omitempty"`
}

// A HookCheck is one check of a hook.
type HookCheck struct {
	Check  string `json:"check"`  // "valid", "test exits", "hostile compact"
	Result string `json:"result"` // pass, fail, warn
	Detail string `json:"detail,omitempty"`
	Spec   string `json:"spec,omitempty"` // requirement, where there is one
}

// Warned is a check whose finding does not fail the hook.
const Warned = "warn"

// A HookAgent is what one agent can make of a hook.
type HookAgent struct {
	ID      string   `json:"id"`
	Native  []string `json:"native"`  // its events that reach the hook; none: never
	Without []string `json:"without"` // what the hook's tests use and the agent cannot do there
	Calls   int      `json:"calls"`   // of its own tools, that did what the tests do
	Missed  []string `json:"missed"`  // tools that the hook does not see, or takes for something else
}

// Err is nil if nothing failed.
func (r *HookReport) Err() error {
	n := 0
	for _, c := range r.Checks {
		if c.Result == Failed {
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("%d of %d checks failed", n, len(r.Checks))
	}
	return nil
}

func (r *HookReport) add(check, result, spec, format string, args ...any) {
	r.Checks = append(r.Checks, HookCheck{check, result, fmt.Sprintf(format, args...), spec})
}

// HookOptions say how a hook is checked.
type HookOptions struct {
	Agents  []string // ids of those to tell about; "all" stands for every one that the program knows
	Hostile bool     // what it stops is played in other words too
	Seed    uint64   // that chance begins with; 0: the program's own
}

// CheckHook checks a hook folder with the program at tool, which is
// agents-hooks itself: what validate says, the hook's own tests through the runner
// and what they prove, and the hostile set.
func CheckHook(ctx context.Context, tool, dir string, o HookOptions) (*HookReport, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("reading the folder: %w", errors.Unwrap(err))
	} else if !info.IsDir() {
		return nil, errors.New("not a folder; want that of a hook, with its HOOK.md")
	}
	h := &hookCheck{ctx: ctx, tool: tool, dir: dir, report: &HookReport{Dir: dir, Name: filepath.Base(dir), Checks: []HookCheck{}}}
	if h.work, err = os.MkdirTemp("", "conformance-hook"); err != nil {
		return nil, err
	}
	defer removeAll(h.work)
	listed, err := h.describe()
	if err != nil {
		return nil, err
	}
	if err := h.validate(); err != nil {
		return nil, err
	}
	if listed.Status == "broken" || listed.Status == "foreign" {
		h.report.add("runs", Failed, "HM-FMT-33", "the hook is %s and does not run", listed.Status)
		return h.report, nil
	}
	tests, err := HookTests(dir)
	if err != nil {
		return nil, err
	}
	if err := h.try(o); err != nil {
		return nil, err
	}
	return h.report, h.tell(listed, tests, o.Agents)
}
