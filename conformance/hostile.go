package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	played []playedAgent
}

// What the program prints; only the members that are asked for.
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
		Trial, Test, What, Class, Detail, Verdict, Cause string
	}
	playedAgent struct {
		Agent  string
		Calls  int
		Missed []struct{ Tool string }
	}
	cause struct {
		Cause, Text, Fix  string
		Spellings, Agents []string
		Example           struct {
			Agent   string
			Payload json.RawMessage
		}
	}
	triedHook struct {
		Verdict  string
		Exit     int
		Seed     uint64
		Warnings []string
		Hostile  []trial
		Played   []playedAgent
		Causes   []cause
		Proof    struct {
			Events, Reached, Blocked int
			Unproven                 string
			Tests                    []struct {
				Test, Title, Result string
				Detail              []string
			}
			Matcher []struct {
				Key          string
				Hits, Events int
			}
		}
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

// requirementOf is the sentence about hooks that a trial is about.
var requirementOf = map[string]string{"unknown": "HM-IO-07", "elsewhere": "HM-ENV-07"}

// canBlock are the events at which exit 2 keeps something from happening.
var canBlock = []string{"pre-session", "pre-agent-turn", "pre-agent-turn-stop", "pre-tool-call", "pre-subagent", "pre-context-compact"}

// beyondTheRules are trials that no conforming runner subjects a hook to: it
// gets the whole event (HM-IO-08). A guard in shell can hardly tell.
var beyondTheRules = []string{"cut", "empty"}

// try has the program test the hook, and sorts what came: a test that is not as
// wanted or proves nothing, a hole, a hook that does not end, output that is no
// outcome and a process that is left behind fail; everything else is a warning.
func (h *hookCheck) try(o HookOptions) error {
	args := []string{"test", "--hostile", "--json"}
	if len(o.Agents) > 0 {
		args = append(args, "--agents", strings.Join(o.Agents, ","))
	}
	if o.Seed > 0 {
		args = append(args, "--seed", strconv.FormatUint(o.Seed, 10))
	}
	var t triedHook
	if err := h.ask(&t, append(args, h.dir)...); err != nil {
		return err
	}
	h.proof(t)
	h.trials(t, o)
	h.causes(t, o)
	if len(o.Agents) > 0 {
		h.played = t.Played
	}
	return nil
}

// proof tells of the hook's own tests, and of what they prove.
func (h *hookCheck) proof(t triedHook) {
	for _, own := range t.Proof.Tests {
		switch own.Result {
		case Passed:
			h.report.add("test "+own.Test, Passed, "", "%s", own.Title)
		case Skipped:
			h.report.add("test "+own.Test, Warned, "", "not played: %s", strings.Join(own.Detail, "; "))
		default:
			h.report.add("test "+own.Test, Failed, "", "%s", strings.Join(append([]string{own.Title}, own.Detail...), "\n"))
		}
	}
	if t.Proof.Unproven != "" {
		h.report.add("proven", Failed, "", "unproven: %s", t.Proof.Unproven)
		return
	}
	if len(t.Proof.Tests) == 0 {
		h.report.add("proven", Passed, "", "it has no tests; on a sample event it does what it can do")
		return
	}
	detail := fmt.Sprintf("%d of %s of its tests reach it; blocked: %d", t.Proof.Reached, counted(t.Proof.Events, "event"), t.Proof.Blocked)
	for _, k := range t.Proof.Matcher {
		detail += fmt.Sprintf("; matcher.%s %d of %d", k.Key, k.Hits, k.Events)
	}
	h.report.add("proven", Passed, "", "%s", detail)
}

// trials tells of the hostile runs.
func (h *hookCheck) trials(t triedHook, o HookOptions) {
	fine, played := 0, 0
	var ways []string
	for _, tr := range t.Hostile {
		if tr.Trial == "disguise" && !o.Hostile {
			continue
		}
		played++
		result := Warned
		switch {
		case tr.Class == "ok":
			fine++
			continue
		case tr.Class == "hole" && tr.Cause != "":
			continue // told with its cause
		case tr.Class == "around":
			if !slices.Contains(ways, tr.What) {
				ways = append(ways, tr.What)
			}
			continue
		case slices.Contains(beyondTheRules, tr.Trial):
		case tr.Class == "hole" && h.guards, tr.Class == "left_behind",
			tr.Class == "fragile" && slices.Contains([]string{"timeout", "bad_output"}, tr.Verdict):
			result = Failed
		}
		h.alike(tr, result)
	}
	if len(ways) > 0 {
		h.report.add("around", Warned, "", "ways to the same end that are other deeds, or that only the run tells: %s", strings.Join(ways, ", "))
	}
	switch {
	case len(t.Hostile) == 0:
		h.report.add("hostile", Failed, "", "it ends without a verdict on the plain event: %s %s", t.Verdict, strings.Join(t.Warnings[:min(1, len(t.Warnings))], "; "))
	case fine > 0:
		detail := fmt.Sprintf("%d of %d trials change nothing", fine, played)
		if o.Hostile {
			detail += fmt.Sprintf(", seed %d", t.Seed)
		}
		h.report.add("hostile", Passed, "", "%s", detail)
	}
}

// oneLine is a payload without its line breaks.
func oneLine(payload json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, payload) != nil {
		return ""
	}
	return b.String()
}

// alike adds a trial that showed something, to one of that kind with the same end if
// there is one: what breaks a script breaks it in many ways.
func (h *hookCheck) alike(tr trial, result string) {
	name, end := "hostile "+tr.Test+": "+tr.Trial, ": "+tr.Detail
	for i := range h.report.Checks {
		have := &h.report.Checks[i]
		if strings.HasPrefix(have.Check, "hostile ") && strings.HasPrefix(have.Detail, tr.Class+": ") && strings.HasSuffix(have.Detail, end) && have.Result == result && have.Spec == requirementOf[tr.Trial] {
			if whats := strings.TrimSuffix(have.Detail, end); !strings.Contains(whats, tr.What) {
				have.Check, have.Detail = "hostile", whats+", "+tr.What+end
			}
			return
		}
	}
	h.report.add(name, result, requirementOf[tr.Trial], "%s: %s%s", tr.Class, tr.What, end)
}

// causes tells of what gets by the hook, a check for each reason: what to change comes
// first. Where the hook stops something, that is a way around it.
func (h *hookCheck) causes(t triedHook, o HookOptions) {
	for _, c := range t.Causes {
		if !o.Hostile {
			c.Spellings = nil
		}
		if len(o.Agents) == 0 {
			c.Agents = nil
		}
		if len(c.Spellings)+len(c.Agents) == 0 {
			continue
		}
		result := Warned
		if h.guards && (t.Proof.Blocked > 0 || len(c.Spellings) > 0) {
			result = Failed
		}
		detail := "change " + c.Fix + "\nbecause " + c.Text
		if len(c.Spellings) > 0 {
			detail += "\nin other spellings: " + listed(c.Spellings)
		}
		if len(c.Agents) > 0 {
			detail += "\nby the tools of " + strings.Join(c.Agents, ", ")
		}
		agent := ""
		if c.Example.Agent != "" {
			agent = " --agent " + c.Example.Agent
		}
		detail += "\nagents-hooks test " + h.dir + agent + " --input - <<< '" + strings.ReplaceAll(oneLine(c.Example.Payload), "'", `'\''`) + "'"
		h.report.add("holds", result, "", "%s", detail)
	}
}

// listed joins the first of a list, and says how many more there are.
func listed(list []string) string {
	const most = 8
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

// tools are those that were missed, each once.
func (a playedAgent) tools() (list []string) {
	for _, m := range a.Missed {
		if !slices.Contains(list, m.Tool) {
			list = append(list, m.Tool)
		}
	}
	return list
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
		a := row.of(hook.Trigger, uses)
		for _, p := range h.played {
			if p.Agent == row.ID {
				a.Calls, a.Missed = p.Calls, append(a.Missed, p.tools()...)
			}
		}
		h.report.Agents = append(h.report.Agents, a)
	}
	for _, id := range agents {
		if !slices.Contains(known, id) {
			return fmt.Errorf("no agent %q, want one of %s", id, strings.Join(known, ", "))
		}
	}
	return nil
}

func (row agentRow) of(trigger string, uses []string) HookAgent {
	a := HookAgent{ID: row.ID, Native: []string{}, Without: []string{}, Missed: []string{}}
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
