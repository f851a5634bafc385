package runner

import (
	"bytes"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/copilot"
)

// A hook of a program that denies a call where a hook fails blocks where it fails, but not
// at its time limit, on another event, or where somebody decided otherwise.
func TestAHookOfAProgramThatFailsClosed(t *testing.T) {
	tongue := &protocol.Tongue{Name: "Shut", Shuts: []protocol.EventType{protocol.PreToolCall}}
	for _, c := range []struct {
		rule    string
		verdict Verdict
		on      protocol.EventType
		tongue  *protocol.Tongue
		onError discovery.OnError
		blocks  bool
	}{
		{"it failed", Failed, protocol.PreToolCall, tongue, "", true},
		{"it did not start", NotStarted, protocol.PreToolCall, tongue, "", true},
		{"its time was over", TimedOut, protocol.PreToolCall, tongue, "", false},
		{"its answer was none", BadOutput, protocol.PreToolCall, tongue, "", false},
		{"another event", Failed, protocol.PreAgentTurn, tongue, "", false},
		{"another program", Failed, protocol.PreToolCall, &protocol.Tongue{}, "", false},
		{"no program", Failed, protocol.PreToolCall, nil, "", false},
		{"somebody lets it", Failed, protocol.PreToolCall, tongue, discovery.OnErrorAllow, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := Result{Hook: &discovery.Hook{Name: "h", Tongue: c.tongue, OnError: c.onError}, Verdict: c.verdict, Warning: "w"}
			r.applyPolicy(c.on, "")
			if blocks := r.Outcome.Decision == protocol.Block; blocks != c.blocks || blocks && r.Outcome.Reason != "w; its failure blocks (as in Shut)" {
				t.Errorf("blocks %v, %q", blocks, r.Outcome.Reason)
			}
		})
	}
}

// Of a hook that is told of several files, a failure that blocks is not covered by one
// before it that does not.
func TestAFailureThatBlocksStandsOverOneThatDoesNot(t *testing.T) {
	h := &discovery.Hook{Name: "h", Tongue: &protocol.Tongue{Name: "Shut", Shuts: []protocol.EventType{protocol.PreToolCall}}}
	for _, first := range []Verdict{OK, TimedOut, BadOutput, Failed} {
		for _, then := range []Verdict{Failed, NotStarted} {
			for _, list := range [][]Verdict{{first, then}, {then, first}} {
				all := Result{Hook: h, Verdict: OK}
				for _, v := range list {
					all.join(Result{Hook: h, Verdict: v, Warning: string(v)})
				}
				if all.applyPolicy(protocol.PreToolCall, ""); all.Outcome.Decision != protocol.Block {
					t.Errorf("%s became %s and passes", list, all.Verdict)
				}
			}
		}
	}
}

// However much a hook of another program writes, its exit code says the same (HM-IO-30).
func TestMuchOutputHidesNoExitCode(t *testing.T) {
	h := &discovery.Hook{Name: "h", Tongue: copilot.Dialect.Tongue}
	ev := &protocol.Event{Type: protocol.PreToolCall}
	for exit, want := range map[int]Verdict{0: BadOutput, 1: Failed, 2: Blocked} {
		e := exitState{in: &told{said: &protocol.Said{Event: "preToolUse"}}}
		e.exit, e.stdout = exit, capture{data: bytes.Repeat([]byte("x"), 8), over: true}
		r := interpret(h, ev, e, &discovery.Settings{})
		r.applyPolicy(ev.Type, "")
		if blocks := r.Outcome.Decision == protocol.Block; r.Verdict != want || blocks != (exit != 0) {
			t.Errorf("exit code %d: %s, blocks %v", exit, r.Verdict, blocks)
		}
	}
}

// A change that a call has no place for is told. A hook that insists on its changes blocks then,
// and one that blocks anyway does so with its own reason.
func TestAChangeWithoutAPlace(t *testing.T) {
	for name, c := range map[string]struct {
		insists bool
		said    protocol.Outcome
		want    protocol.Outcome
	}{
		"of one that insists":      {true, protocol.Outcome{}, protocol.Outcome{Decision: protocol.Block, Reason: "wants this call with another path, and it cannot be changed here"}},
		"that asks, of one":        {true, protocol.Outcome{Decision: protocol.Ask, Reason: "sure?"}, protocol.Outcome{Decision: protocol.Block, Reason: "wants this call with another path, and it cannot be changed here"}},
		"of one that blocks":       {true, protocol.Outcome{Decision: protocol.Block, Reason: "never"}, protocol.Outcome{Decision: protocol.Block, Reason: "never"}},
		"of one that insists not":  {false, protocol.Outcome{}, protocol.Outcome{}},
		"that asks, of such a one": {false, protocol.Outcome{Decision: protocol.Ask, Reason: "sure?"}, protocol.Outcome{Decision: protocol.Ask, Reason: "sure?"}},
	} {
		t.Run(name, func(t *testing.T) {
			tongue := &protocol.Tongue{Hear: func(*protocol.Event, protocol.Said, protocol.End) protocol.Heard {
				return protocol.Heard{Outcome: c.said, Unplaced: "path"}
			}}
			h := &discovery.Hook{Name: "h", Tongue: tongue, Insists: c.insists}
			r := interpret(h, &protocol.Event{Type: protocol.PreToolCall}, exitState{in: &told{said: &protocol.Said{}}}, &discovery.Settings{})
			if r.Outcome.Decision != c.want.Decision || r.Outcome.Reason != c.want.Reason || !strings.HasPrefix(r.Warning, "path: a change that the call") {
				t.Errorf("%s %q, want %s %q; warning %q", r.Outcome.Decision, r.Outcome.Reason, c.want.Decision, c.want.Reason, r.Warning)
			}
		})
	}
}

// A hook whose failure blocks, for whatever reason, lets no call pass of which it did not
// get all.
func TestACallInPartPassesNoHookWhoseFailureBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		hook   discovery.Hook
		blocks bool
	}{
		"of its own":           {discovery.Hook{OnError: discovery.OnErrorBlock}, true},
		"by its program":       {discovery.Hook{Tongue: copilot.Dialect.Tongue}, true},
		"somebody lets it":     {discovery.Hook{Tongue: copilot.Dialect.Tongue, OnError: discovery.OnErrorAllow}, false},
		"its failure does not": {discovery.Hook{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			ev := &protocol.Event{Type: protocol.PreToolCall, Unread: protocol.Twice}
			c.hook.Name = "h"
			run := chain{Runner: &Runner{}, set: &discovery.Set{}, ev: ev}
			if blocks := run.take(Result{Hook: &c.hook, Verdict: OK}); blocks != c.blocks {
				t.Errorf("blocks %v: %+v", blocks, run.rep.Results)
			}
		})
	}
}
