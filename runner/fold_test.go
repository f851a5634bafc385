package runner

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func results(outcomes ...protocol.Outcome) []Result {
	names := []string{"a", "b", "c", "d"}
	var rs []Result
	for i, o := range outcomes {
		rs = append(rs, Result{Hook: &discovery.Hook{Name: names[i]}, Outcome: o})
	}
	return rs
}

// TestFold is the fold as a table.
func TestFold(t *testing.T) {
	t.Parallel()
	object := func(k, v string) protocol.Object { return protocol.Object{{Name: k, Value: protocol.Quote(v)}} }
	type o = protocol.Outcome
	for _, c := range []struct {
		rule string
		typ  protocol.EventType
		can  protocol.Can
		in   []o
		want o
	}{
		{"nothing is no opinion", "", canAll, nil, o{}},
		{"no opinions stay one", "", canAll, []o{{}, {}}, o{}},
		{"a single text stays as it is", "", canAll, []o{{AdditionalContext: "\n x \n"}}, o{AdditionalContext: "\n x \n"}},
		{"blank texts do not count", "", canAll, []o{{AdditionalContext: " \n"}, {AdditionalContext: "x"}}, o{AdditionalContext: "x"}},
		{"blank reasons do not count", "", canAll, []o{{Decision: protocol.Block, Reason: "x"}, {Decision: protocol.Block, Reason: " \n"}}, o{Decision: protocol.Block, Reason: "[a] x"}},
		{"HM-IO-56: a message has its hook's name", "", canAll, []o{{UserMessage: "\n x \ny\n"}}, o{UserMessage: "[a] x \ny"}},
		{"HM-IO-56: whoever says its own name says it once", "", canAll, []o{{UserMessage: "[a] x"}, {UserMessage: "b: y"}, {UserMessage: "[c]\nz"}, {UserMessage: "d"}},
			o{UserMessage: "[a] x\n\n[b] y\n\n[c] z\n\n[d] d"}},
		{"HM-IO-56: nobody speaks in another one's name", "", canAll, []o{{Decision: protocol.Ask, Reason: "[b] x"}, {}}, o{Decision: protocol.Ask, Reason: "[a] [b] x"}},
		{"HM-IO-56: nothing but a name", "", canAll, []o{{UserMessage: "[a]"}}, o{UserMessage: "[a]"}},
		{"a question without words", "", canAll, []o{{Decision: protocol.Ask}, {Decision: protocol.Ask, Reason: "y"}}, o{Decision: protocol.Ask, Reason: "[a] wants a person to approve this\n\n[b] y"}},
		{"several are headed", "", canAll, []o{{AdditionalContext: "x\n"}, {}, {AdditionalContext: "y"}}, o{AdditionalContext: "[a]\nx\n\n[c]\ny"}},
		{"user messages too", "", canAll, []o{{UserMessage: "x"}, {UserMessage: "y"}}, o{UserMessage: "[a] x\n\n[b] y"}},
		{"ask beats allow, in any order", "", canAll, []o{{Decision: protocol.Ask, Reason: "q"}, {Decision: protocol.Allow, Reason: "ok"}}, o{Decision: protocol.Ask, Reason: "[a] q"}},
		{"reasons of the decision that stands", "", canAll, []o{{Decision: protocol.Ask, Reason: "q"}, {Reason: "none"}, {Decision: protocol.Ask, Reason: "r"}}, o{Decision: protocol.Ask, Reason: "[a] q\n\n[c] r"}},
		{"a reason without a decision", "", canAll, []o{{Reason: "r"}}, o{Reason: "[a] r"}},
		{"the last modified input stands", "", canAll, []o{{ModifiedInput: object("k", "1")}, {}, {ModifiedInput: object("k", "2")}}, o{ModifiedInput: object("k", "2")}},
		{"an empty one is one", "", canAll, []o{{ModifiedInput: protocol.Object{}}}, o{ModifiedInput: protocol.Object{}}},
		{"HM-IO-43: later variables stand", "", canAll, []o{{Env: object("A", "1")}, {}, {Env: object("A", "2")}}, o{Env: object("A", "2"), EnvFrom: "a, c"}},
		{"a block drops context, input and environment, not messages", "", canAll,
			[]o{{AdditionalContext: "x", ModifiedInput: object("k", "1"), Env: object("A", "1"), UserMessage: "m"}, {Decision: protocol.Block, Reason: "no"}},
			o{Decision: protocol.Block, Reason: "[b] no", UserMessage: "[a] m"}},
		{"a block that cannot be carried takes nothing with it", "", protocol.CanContext,
			[]o{{AdditionalContext: "x"}, {Decision: protocol.Block, Reason: "no"}},
			o{Decision: protocol.Block, Reason: "[b] no", AdditionalContext: "x"}},
		{"HM-IO-53: follow-ups join a block on a stop", protocol.PreAgentTurnStop, canAll,
			[]o{{FollowupMessage: "f"}, {Decision: protocol.Block, Reason: "no"}}, o{Decision: protocol.Block, Reason: "[a] f\n\n[b] no"}},
		{"a follow-up with a block that cannot be carried", protocol.PostSubagent, protocol.CanContinue,
			[]o{{FollowupMessage: "f"}, {Decision: protocol.Block, Reason: "no"}}, o{Decision: protocol.Block, Reason: "[b] no", FollowupMessage: "[a] f"}},
		{"one log as it is", "", canAll, []o{{Log: protocol.Raw("5")}}, o{Log: protocol.Raw("5")}},
		{"several logs are a list", "", canAll, []o{{Log: protocol.Raw("5")}, {Log: protocol.Raw(`"x"`)}}, o{Log: protocol.Raw(`[5, "x"]`)}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			ev := event(protocol.PreToolCall)
			if c.typ != "" {
				ev.Type = c.typ
			}
			ev.Can = c.can
			got := Fold(ev, results(c.in...))
			if g, w := describeFold(got), describeFold(c.want); g != w {
				t.Errorf("got  %s\nwant %s", g, w)
			}
		})
	}
}

func describeFold(o protocol.Outcome) string {
	return o.Decision.String() + " " + o.Reason + " " + string(o.JSON())
}

// Whatever the hooks of an event say: a block is never lost and never made up,
// nobody's text is lost where it counts, and the answer is one JSON object.
func FuzzFold(f *testing.F) {
	f.Add(uint8(3), uint8(0), "reason", "context", "follow", uint8(1), uint8(2))
	f.Add(uint8(1), uint8(2), "", "\n", "x", uint8(6), uint8(0))
	f.Add(uint8(0), uint8(3), "é", "[a]", "", uint8(63), uint8(4))
	f.Fuzz(func(t *testing.T, d1, d2 uint8, reason, context, follow string, can, typ uint8) {
		types := protocol.EventTypes()
		ev := event(types[int(typ)%len(types)])
		ev.Can = protocol.Can(can)
		in := []protocol.Outcome{
			{Decision: protocol.Decision(d1 % 4), Reason: reason, AdditionalContext: context, FollowupMessage: follow},
			{Decision: protocol.Decision(d2 % 4), Reason: reason + "2", UserMessage: context, FollowupMessage: follow},
		}
		o := Fold(ev, results(in...))
		if want := max(in[0].Decision, in[1].Decision); o.Decision != want {
			t.Fatalf("decision %v, want %v", o.Decision, want)
		}
		carried := o.Decision == protocol.Block && ev.Can.Has(protocol.CanBlock)
		if carried && (o.AdditionalContext != "" || o.FollowupMessage != "" || o.ModifiedInput != nil) {
			t.Fatalf("a block with %+v", o)
		}
		if !carried && strings.TrimSpace(context) != "" && !strings.Contains(o.AdditionalContext, strings.Trim(context, "\n")) {
			t.Fatalf("context %q is lost in %q", context, o.AdditionalContext)
		}
		if strings.TrimSpace(follow) != "" && canGoOn(ev.Type) && !strings.Contains(o.Reason+o.FollowupMessage, unnamed(follow)) {
			t.Fatalf("follow-up %q is lost", follow)
		}
		if b := o.JSON(); b != nil {
			if _, err := protocol.ParseObject(b); err != nil {
				t.Fatalf("%s: %v", b, err)
			}
		}
	})
}

// unnamed is a text without what may be its hook's name.
func unnamed(text string) string {
	text = strings.TrimSpace(text)
	for _, name := range []string{"[a]", "a:", "[b]", "b:"} {
		text = strings.TrimSpace(strings.TrimPrefix(text, name))
	}
	return text
}

// Whatever a hook leaves behind, only exit 2 blocks, and every failure has a
// warning.
func FuzzInterpret(f *testing.F) {
	f.Add(0, []byte(`{"decision": "deny"}`), []byte(""), false, uint8(0))
	f.Add(2, []byte(`{`), []byte{0xff, 0x1b, '[', '3'}, true, uint8(1))
	f.Add(1, []byte(``), []byte("x\ny"), false, uint8(9))
	f.Add(255, []byte(`{"modified_input": {"a": 1}, "env": []}`), []byte(" "), false, uint8(4))
	f.Fuzz(func(t *testing.T, exit int, stdout, stderr []byte, over bool, typ uint8) {
		types := protocol.EventTypes()
		ev := event(types[int(typ)%len(types)])
		e := exitState{status: status{exit: exit}, stdout: capture{stdout, over}, stderr: capture{data: stderr}}
		r := interpret(&discovery.Hook{Name: "h"}, ev, e, &discovery.Settings{})
		blocks := exit == 2 && ev.Type != protocol.Notification // there it changes nothing
		if blocked := r.Outcome.Decision == protocol.Block; blocked != blocks || blocked != (r.Verdict == Blocked) {
			t.Fatalf("exit %d: %s, %v", exit, r.Verdict, r.Outcome.Decision)
		}
		if blocks && strings.TrimSpace(r.Outcome.Reason) == "" {
			t.Fatal("a block without a reason")
		}
		if r.Verdict.noVerdict() && (r.Warning == "" || !r.Outcome.Empty()) {
			t.Fatalf("%s: warning %q, outcome %+v", r.Verdict, r.Warning, r.Outcome)
		}
		if over && exit == 0 && r.Verdict != BadOutput {
			t.Fatalf("stdout over the limit: %s", r.Verdict)
		}
		r.applyPolicy(ev.Type, discovery.OnErrorBlock)
		if want := blocks || r.Verdict.noVerdict() && ev.Type.Prevents(); want != (r.Outcome.Decision == protocol.Block) {
			t.Fatalf("on_error: %s on %s: %v", r.Verdict, ev.Type, r.Outcome.Decision)
		}
	})
}

// Variables of a session reach all that an agent starts, and so none come out of a
// sandbox that its person did not open for them; a changed input, which guards and
// the agent judge, does.
func TestVariablesStayInTheSandbox(t *testing.T) {
	t.Parallel()
	said := exitState{stdout: capture{data: []byte(`{"env": {"BASH_ENV": "/x"}, "additional_context": "c"}`)}}
	for _, tt := range []struct {
		box  *discovery.Sandbox
		want bool
	}{{nil, true}, {&discovery.Sandbox{}, false}, {&discovery.Sandbox{Network: true}, false}, {&discovery.Sandbox{Env: true}, true}} {
		t.Run(fmt.Sprintf("%+v", tt.box), func(t *testing.T) {
			h := &discovery.Hook{Name: "context"}
			h.Sandbox = tt.box
			r := interpret(h, event(protocol.PreSession), said, &discovery.Settings{})
			if (len(r.Outcome.Env) == 1) != tt.want || strings.Contains(r.Warning, "sandbox_env") == tt.want || r.Outcome.AdditionalContext != "c" {
				t.Errorf("%+v: %+v, %q", tt.box, r.Outcome, r.Warning)
			}
		})
	}
}

// What a hook wants is said in full, up to a size.
func TestALargeInputIsToldByItsSize(t *testing.T) {
	t.Parallel()
	for kib, want := range map[int]string{1: "make it with", 100: ": one of 100 KiB"} {
		t.Run(fmt.Sprintf("%d KiB", kib), func(t *testing.T) {
			in := protocol.Object{{Name: "command", Value: protocol.Quote(strings.Repeat("x", kib<<10))}}
			if got := wanted(&protocol.Event{}, in); !strings.Contains(got, want) {
				t.Errorf("%.200s", got)
			}
		})
	}
}
