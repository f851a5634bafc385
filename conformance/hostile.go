package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A hookCheck checks one hook by driving the program as a subprocess.
type hookCheck struct {
	ctx    context.Context
	tool   string
	dir    string
	work   string
	report *HookReport
	guards bool // its event can be blocked, so a block that is lost is a hole
}

// What the program prints; only the members that are asked for (RULINGS 8).
type (
	listedHook struct {
		Name, Trigger, Status string
		Async                 bool
	}
	problemLine struct {
		File, Field, Severity, Message, Fix string
		Line, Column                        int
	}
	trial struct {
		Trial, What, Class, Detail, Verdict string
	}
	triedHook struct {
		Verdict  string
		Exit     int
		Warnings []string
		Hostile  []trial
	}
	agentRow struct {
		ID     string
		Events []struct {
			Native, Event string
			Can           []string
		}
	}
)

// ask runs the program and reads the JSON that it prints. Exit 1 is an answer
// too; anything else is not.
func (h *hookCheck) ask(answer any, args ...string) error {
	cmd := exec.CommandContext(h.ctx, h.tool, args...)
	cmd.Dir = h.work
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return fmt.Errorf("%s %s: %w: %s", filepath.Base(h.tool), strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	if jerr := json.Unmarshal(out, answer); jerr != nil {
		return fmt.Errorf("%s %s: %v: %s", filepath.Base(h.tool), strings.Join(args, " "), jerr, strings.TrimSpace(stderr.String()))
	}
	return nil
}

func (h *hookCheck) describe() (listedHook, error) {
	var list struct{ Hooks []listedHook }
	if err := h.ask(&list, "list", "--json", h.dir); err != nil {
		return listedHook{}, err
	}
	if len(list.Hooks) != 1 {
		return listedHook{}, fmt.Errorf("%s is not the folder of one hook", h.dir)
	}
	h.guards = slices.Contains(canBlock, list.Hooks[0].Trigger)
	if list.Hooks[0].Name != "" {
		h.report.Name = list.Hooks[0].Name
	}
	return list.Hooks[0], nil
}

// validate takes over everything that validate says.
func (h *hookCheck) validate() error {
	var said struct{ Problems []problemLine }
	if err := h.ask(&said, "validate", "--json", h.dir); err != nil {
		return err
	}
	if len(said.Problems) == 0 {
		h.report.add("valid", Passed, "", "")
	}
	for _, p := range said.Problems {
		result := Failed
		if p.Severity != "error" {
			result = Warned
		}
		rel, err := filepath.Rel(h.dir, p.File)
		if err != nil {
			rel = p.File
		}
		detail := fmt.Sprintf("%s:%d:%d: %s: %s", rel, p.Line, p.Column, p.Field, p.Message)
		if p.Fix != "" {
			detail += "\nfix: " + p.Fix
		}
		h.report.add("valid", result, "", "%s", detail)
	}
	return nil
}

// tests plays the hook's own tests through the real runner.
func (h *hookCheck) tests(tests []Case) error {
	if len(tests) == 0 {
		h.report.add("tests", Warned, "", "the hook has no tests (tests/*.txtar); what it does is not known to anybody")
		return nil
	}
	r, err := Run(h.ctx, Subject{Name: "agents-hooks", Run: []string{h.tool, "run"}}, tests, Options{})
	if err != nil {
		return err
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		if c.Result == Passed {
			h.report.add("test "+c.ID, Passed, "", "%s", c.Title)
			continue
		}
		if c.Result == Skipped {
			h.report.add("test "+c.ID, Warned, "", "not played: %s", c.Reason)
			continue
		}
		lines := []string{c.Title}
		for _, p := range c.Problems {
			lines = append(lines, fmt.Sprintf("%s: wanted %s, got %s", p.What, p.Want, p.Got))
		}
		h.report.add("test "+c.ID, Failed, "", "%s", strings.Join(lines, "\n"))
	}
	return nil
}

// hostile runs the hostile set on the event of each test, or on a sample.
func (h *hookCheck) hostile(tests []Case) error {
	if len(tests) == 0 {
		return h.try("", "sample")
	}
	for i, c := range tests {
		root := filepath.Join(h.work, "hostile"+strconv.Itoa(i), "case")
		p := place{root: root}
		if err := p.plant(&c); err != nil {
			return err
		}
		event := filepath.Join(root, "hostile.json")
		data := []byte(p.expand(string(c.Steps[0].Stdin), insideJSON))
		if _, err := decodeJSON(data); err != nil {
			continue // a test of what is no event
		}
		if err := os.WriteFile(event, data, 0o644); err != nil {
			return err
		}
		if err := h.try(event, c.ID); err != nil {
			return err
		}
	}
	return nil
}

// requirementOf is the sentence about hooks that a trial is about.
var requirementOf = map[string]string{"unknown": "HM-IO-07", "elsewhere": "HM-ENV-07"}

// canBlock are the events at which exit 2 keeps something from happening.
var canBlock = []string{"pre-session", "pre-agent-turn", "pre-agent-turn-stop", "pre-tool-call", "pre-subagent", "pre-context-compact"}

// beyondTheRules are trials that no conforming runner subjects a hook to: it
// gets the whole event (HM-IO-08). A guard in shell can hardly tell.
var beyondTheRules = []string{"cut", "empty"}

// try runs the hostile set on one event and sorts what came: a hole, a hook
// that does not end, output that is no outcome and a process that is left behind
// fail; everything else is a warning.
func (h *hookCheck) try(event, name string) error {
	args := []string{"test", "--hostile", "--json"}
	if event != "" {
		args = append(args, "--input", event)
	}
	var t triedHook
	if err := h.ask(&t, append(args, h.dir)...); err != nil {
		return err
	}
	fine := 0
	for _, tr := range t.Hostile {
		result := Warned
		switch {
		case tr.Class == "ok":
			fine++
			continue
		case slices.Contains(beyondTheRules, tr.Trial):
		case tr.Class == "hole" && h.guards, tr.Class == "left_behind",
			tr.Class == "fragile" && slices.Contains([]string{"timeout", "bad_output"}, tr.Verdict):
			result = Failed
		}
		h.report.add("hostile "+name+": "+tr.Trial, result, requirementOf[tr.Trial], "%s: %s: %s", tr.Class, tr.What, tr.Detail)
	}
	switch {
	case len(t.Hostile) == 0:
		h.report.add("hostile "+name, Failed, "", "it ends without a verdict on the plain event: %s %s", t.Verdict, strings.Join(t.Warnings, "; "))
	case fine > 0:
		h.report.add("hostile "+name, Passed, "", "%d of %d trials change nothing", fine, len(t.Hostile))
	}
	return nil
}

// tell says what agents can make of the hook.
func (h *hookCheck) tell(hook listedHook, tests []Case, agents []string) error {
	if len(agents) == 0 {
		return nil
	}
	var table struct{ Agents []agentRow }
	if err := h.ask(&table, "agents", "--json"); err != nil {
		return err
	}
	uses := usedBy(tests)
	if hook.Async {
		uses = nil
	}
	known := []string{"all"}
	for _, row := range table.Agents {
		known = append(known, row.ID)
		if !slices.Contains(agents, "all") && !slices.Contains(agents, row.ID) {
			continue
		}
		h.report.Agents = append(h.report.Agents, row.of(hook.Trigger, uses))
	}
	for _, id := range agents {
		if !slices.Contains(known, id) {
			return fmt.Errorf("no agent %q, want one of %s", id, strings.Join(known, ", "))
		}
	}
	return nil
}

func (row agentRow) of(trigger string, uses []string) HookAgent {
	a := HookAgent{ID: row.ID, Native: []string{}, Without: []string{}}
	can := map[string]bool{}
	for _, e := range row.Events {
		if e.Event != trigger || slices.Contains(a.Native, e.Native) {
			continue
		}
		a.Native = append(a.Native, e.Native)
		for _, c := range e.Can {
			can[c] = true
		}
	}
	for _, use := range uses {
		if len(a.Native) > 0 && !can[use] {
			a.Without = append(a.Without, use)
		}
	}
	return a
}

// usedBy is what the tests of a hook show it to do, in the words of
// context.can.
func usedBy(tests []Case) []string {
	words := map[string]string{
		"modified_input": "modify", "additional_context": "context", "followup_message": "continue", "user_message": "message",
	}
	used := map[string]bool{}
	for _, c := range tests {
		for _, s := range c.Steps {
			if s.Want.Exit == "2" {
				used["block"] = true
			}
			if s.Want.Stdout == nil {
				continue
			}
			object, _ := s.Want.Stdout.json.(map[string]any)
			for key := range object {
				if word := words[key]; word != "" {
					used[word] = true
				}
			}
			if object["decision"] == "ask" {
				used["ask"] = true
			}
		}
	}
	return sortedKeys(used)
}
