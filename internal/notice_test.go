package internal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/notice"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

func ends(name string, o protocol.Outcome) runner.Result {
	return runner.Result{Hook: &discovery.Hook{Name: name}, Outcome: o}
}

// Hooks that did not run are named by their project and by why: new, changed, or refused.
func TestNoticesOfWhatIsNotApproved(t *testing.T) {
	t.Parallel()
	hook := func(name, project, refused string, changed bool) *discovery.Hook {
		return &discovery.Hook{Name: name, Project: project, Refused: refused, Changed: changed, Trigger: protocol.PreToolCall, Status: discovery.Untrusted, Layer: discovery.ProjectLayer}
	}
	set := &discovery.Set{Hooks: []*discovery.Hook{
		hook("a", "/p", "", false), hook("b", "/p", "", true), hook("c", "/p", "", false), hook("d", "/q", "", false), hook("e", "/p", "yesterday", false),
	}}
	for i := range 12 {
		set.Hooks = append(set.Hooks, hook(fmt.Sprint("x", i), "/many", "", false))
	}
	var got []string
	for _, w := range notice.Of(runner.Report{Event: &protocol.Event{Type: protocol.PreToolCall}}, set, nil, "One", []runner.Warning{{Text: "before"}}) {
		if got = append(got, w.Text); notice.IsRefused(w) != strings.Contains(w.Text, "you refused") {
			t.Errorf("for the log alone %t: %s", notice.IsRefused(w), w.Text)
		}
	}
	want := []string{
		"before",
		"2 hooks (a, c) of this project did not run, because nobody has approved it: run `agents-hooks trust` in /p",
		"hook b of this project did not run, because it has changed since you approved it: run `agents-hooks trust` in /p",
		"hook d of this project did not run, because nobody has approved it: run `agents-hooks trust` in /q",
		"hook e of this project did not run, because you refused that as it is: `agents-hooks trust` in /p asks again",
		"12 hooks (x0, x1, x2, x3, x4, x5, x6, x7, x8, x9 and 2 more) of this project did not run, because nobody has approved it: run `agents-hooks trust` in /many",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What an agent could not be told is said once of each hook that said it, or of none; and of a
// block that waits for nothing, that it is dropped.
func TestNoticesOfWhatIsLost(t *testing.T) {
	t.Parallel()
	everything := protocol.Outcome{ModifiedInput: protocol.Object{}, AdditionalContext: "c", FollowupMessage: "f", UserMessage: "m"}
	of := func(at protocol.EventType, owed bool, what protocol.Can, results ...runner.Result) (names []string, dropped bool) {
		rep := runner.Report{Event: &protocol.Event{Type: at}, Owed: owed, Results: results}
		for _, w := range notice.Of(rep, &discovery.Set{}, []protocol.Loss{{What: what}}, "One", nil) {
			names, dropped = append(names, w.Hook), strings.Contains(w.Text, "is dropped")
			if w.Kind != "unsupported" {
				t.Errorf("kind %s", w.Kind)
			}
		}
		return names, dropped
	}
	for what, o := range map[protocol.Can]protocol.Outcome{
		protocol.CanBlock: {Decision: protocol.Block}, protocol.CanAsk: {Decision: protocol.Ask}, protocol.CanModify: everything,
		protocol.CanContext: everything, protocol.CanContinue: everything, protocol.CanMessage: everything,
	} {
		got, _ := of(protocol.PreToolCall, false, what, ends("silent", protocol.Outcome{}), ends("a", o), ends("b", o), ends("a", o))
		if strings.Join(got, " ") != "a b" {
			t.Errorf("%v: %q", what, got)
		}
		if got, _ := of(protocol.PreToolCall, false, what, ends("silent", protocol.Outcome{})); len(got) != 1 || got[0] != "" {
			t.Errorf("%v, which no hook said: %q", what, got)
		}
	}
	for _, c := range []struct {
		at   protocol.EventType
		owed bool
		what protocol.Can
		want bool
	}{
		{protocol.PreSession, false, protocol.CanBlock, true}, {protocol.PreAgentTurn, false, protocol.CanBlock, true}, {protocol.PreToolCall, false, protocol.CanBlock, false},
		{protocol.PreSession, true, protocol.CanBlock, false}, {protocol.PreSession, false, protocol.CanAsk, false},
	} {
		if _, dropped := of(c.at, c.owed, c.what); dropped != c.want {
			t.Errorf("%+v: dropped %t", c, dropped)
		}
	}
}

// A block is the word of the hook whose decision the outcome has, else of whom an earlier event
// owed it to.
func TestWhoBlocked(t *testing.T) {
	t.Parallel()
	block, ask, allow := protocol.Outcome{Decision: protocol.Block}, protocol.Outcome{Decision: protocol.Ask}, protocol.Outcome{Decision: protocol.Allow}
	changes := protocol.Outcome{ModifiedInput: protocol.Object{}}
	for name, c := range map[string]struct {
		rep      runner.Report
		decision protocol.Decision
		want     string
	}{
		"a hook that blocked":           {runner.Report{Outcome: block, Results: []runner.Result{ends("a", allow), ends("b", block), ends("c", block)}}, protocol.Block, "b"},
		"one that asked":                {runner.Report{Outcome: ask, Results: []runner.Result{ends("a", allow), ends("b", ask)}}, protocol.Block, "b"},
		"one that changed":              {runner.Report{Results: []runner.Result{ends("a", protocol.Outcome{}), ends("b", changes)}}, protocol.Block, "b"},
		"one that owed it":              {runner.Report{Results: []runner.Result{ends("a", protocol.Outcome{})}, Warnings: []runner.Warning{{Hook: "x"}, {Hook: "b", Kind: runner.OwedKind}}}, protocol.Block, "b"},
		"nobody":                        {runner.Report{Results: []runner.Result{ends("a", allow)}, Outcome: allow}, protocol.Block, ""},
		"nobody, where it is no block":  {runner.Report{Outcome: ask, Results: []runner.Result{ends("a", ask)}}, protocol.Ask, ""},
		"nobody, where nothing is said": {runner.Report{Outcome: block, Results: []runner.Result{ends("a", block)}}, protocol.NoOpinion, ""},
	} {
		if got := notice.BlockedBy(c.rep, c.decision); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
