package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// Text writes the report for people.
func (r *HookReport) Text(w io.Writer) {
	fmt.Fprintf(w, "%s (%s)\n", r.Name, r.Dir)
	for _, c := range r.Checks {
		fmt.Fprintf(w, "  %-4s  %s", c.Result, c.Check)
		if c.Spec != "" && c.Result != Passed {
			fmt.Fprintf(w, " (%s)", c.Spec)
		}
		fmt.Fprintln(w)
		if c.Detail != "" {
			fmt.Fprintf(w, "        %s\n", strings.ReplaceAll(strings.TrimRight(c.Detail, "\n"), "\n", "\n        "))
		}
	}
	for _, a := range r.Agents {
		switch {
		case len(a.Native) == 0:
			fmt.Fprintf(w, "  %-14s never: it has no such event\n", a.ID)
		case len(a.Without) == 0:
			fmt.Fprintf(w, "  %-14s on %s\n", a.ID, strings.Join(a.Native, ", "))
		default:
			fmt.Fprintf(w, "  %-14s on %s, without %s\n", a.ID, strings.Join(a.Native, ", "), strings.Join(a.Without, ", "))
		}
	}
}

// CheckHook checks a hook folder with the program at tool, which is
// agents-hooks itself: what validate says, the hook's own tests through the
// runner, and the hostile set. agents are the ids of agents to tell about; "all"
// stands for every one that the program knows.
func CheckHook(ctx context.Context, tool, dir string, agents []string) (*HookReport, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("reading it: %w", errors.Unwrap(err))
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
	tests, err := loadTests(dir)
	if err != nil {
		return nil, err
	}
	if err := h.tests(tests); err != nil {
		return nil, err
	}
	if err := h.hostile(tests); err != nil {
		return nil, err
	}
	return h.report, h.tell(listed, tests, agents)
}

// testsFolder is where a hook keeps its own cases.
const testsFolder = "tests"

// loadTests reads the cases that lie in a hook. Their form is that of the suite,
// but for the header, which needs a title only: the hook is this one, in the
// user's layer, and the profile is runner.
func loadTests(dir string) ([]Case, error) {
	names, err := filepath.Glob(filepath.Join(dir, testsFolder, "*.txtar"))
	if err != nil {
		return nil, err
	}
	files, err := hookFiles(dir)
	if err != nil {
		return nil, err
	}
	var cases []Case
	var errs []error
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c := Case{ID: strings.TrimSuffix(filepath.Base(name), ".txtar"), Profile: Runner}
		if err := c.parse(data); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		c.Steps[0].Files = append(slices.Clone(files), c.Steps[0].Files...)
		cases = append(cases, c)
	}
	return cases, errors.Join(errs...)
}

// hookFiles is a hook folder as it will lie in the user's layer.
func hookFiles(dir string) ([]file, error) {
	base := layers["user"] + "/" + filepath.Base(dir)
	var files []file
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		f := file{path: base + "/" + filepath.ToSlash(rel), raw: true}
		info, err := e.Info()
		if err != nil {
			return err
		}
		switch mode := info.Mode(); {
		case mode.IsDir():
			f.kind, f.mode = folder, mode.Perm()|0o700
		case mode&fs.ModeSymlink != 0:
			f.kind = link
			f.target, err = os.Readlink(path)
		case mode.IsRegular():
			f.mode = mode.Perm()
			f.data, err = os.ReadFile(path)
		default:
			return fmt.Errorf("%s is no file, folder or link", path)
		}
		files = append(files, f)
		return err
	})
	return files, err
}

// FirstTest is a test for a new hook that allows everything: event is one that
// it waits for, as JSON.
func FirstTest(event []byte) []byte {
	return fmt.Appendf(nil, `title: has no opinion on an ordinary event
note: agents-hooks conformance hook FOLDER plays the files of tests; docs/conformance.md explains them
-- event.json --
%s
-- want --
exit: 0
stdout: empty
`, strings.TrimSpace(string(event)))
}
