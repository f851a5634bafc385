package agents

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
)

// The rules that hold for every agent, each tested on the whole list, so that a new
// agent has to follow them without further tests. R8 (the guard itself), R13 and the
// deadline of R5 are the dispatcher's.

// each calls f with every possible answer to any agent.
func each(t *testing.T, f func(t *testing.T, rules dialecttest.Rules, a dialecttest.Answered)) {
	if len(everyAnswer) == 0 {
		for folder, d := range folders(t) {
			rules := dialecttest.ReadRules(t, folder)
			for _, ev := range dialecttest.Deciding(t, d, folder, nil) {
				for _, o := range dialecttest.Outcomes() {
					everyAnswer = append(everyAnswer, ruled{d.ID + "/" + ev.NativeEvent + "/" + o.Kind, rules, dialecttest.Answer(d, ev, o.Kind, o.Outcome)})
				}
			}
		}
	}
	for _, a := range everyAnswer {
		t.Run(a.name, func(t *testing.T) { f(t, a.rules, a.Answered) })
	}
}

// A ruled is an answer, and the rules that its dialect has.
type ruled struct {
	name  string
	rules dialecttest.Rules
	dialecttest.Answered
}

// everyAnswer is made once; no test changes one.
var everyAnswer []ruled

// One JSON object or nothing, or plain text where that is the channel; stderr only
// together with exit 2.
func TestOneObjectOrNothing(t *testing.T) {
	each(t, func(t *testing.T, rules dialecttest.Rules, a dialecttest.Answered) {
		oneObjectOrNothing(t, rules, a)
	})
}

func oneObjectOrNothing(t *testing.T, rules dialecttest.Rules, a dialecttest.Answered) {
	t.Helper()
	if len(a.Reply.Stderr) > 0 && a.Reply.Exit != 2 {
		t.Errorf("stderr %q on exit %d", a.Reply.Stderr, a.Reply.Exit)
	}
	if len(a.Reply.Stdout) == 0 {
		return
	}
	answer := a.Reply.Stdout
	if first, rest, more := bytes.Cut(answer, []byte("\n")); more && len(rest) > 0 && rules.Has(dialecttest.Progress, a.Event.NativeEvent) {
		if o, err := protocol.ParseObject(first); err != nil || o.Text("type") != "progress" || o.Text("message") == "" {
			t.Errorf("the line before the answer is %q (%v)", first, err)
		}
		answer = rest
	}
	if _, err := protocol.ParseObject(answer); err != nil && !rules.Has(dialecttest.PlainText, a.Event.NativeEvent) {
		t.Errorf("%v in %q", err, a.Reply.Stdout)
	}
	if a.Reply.Stdout[len(a.Reply.Stdout)-1] != '\n' {
		t.Errorf("no line break at the end of %q", a.Reply.Stdout)
	}
}

// The exit code is 0 or 2.
func TestExitCodeIsTheAgentsOwn(t *testing.T) {
	each(t, func(t *testing.T, rules dialecttest.Rules, a dialecttest.Answered) {
		if a.Reply.Exit != 0 && a.Reply.Exit != 2 {
			t.Errorf("exit %d", a.Reply.Exit)
		}
	})
}

// An allow is printed for a permission that the event can give, and beside a changed
// input; and always for an agent that takes a missing verdict for a no.
func TestNoAllowButAPermission(t *testing.T) {
	each(t, func(t *testing.T, rules dialecttest.Rules, a dialecttest.Answered) {
		out := string(a.Reply.Stdout)
		if rules.Has(dialecttest.BareAllow, a.Event.NativeEvent) {
			if a.Outcome.Decision != protocol.Block && out == "" {
				t.Error("no verdict")
			}
			return
		}
		if a.Outcome.Decision == protocol.Allow && a.Event.Type.Permits() {
			if !a.Event.Can.Has(protocol.CanAllow) {
				t.Errorf("gives a permission on %s", a.Event.NativeEvent)
			} else if !strings.Contains(out, `"allow"`) && !strings.Contains(out, `"approve"`) {
				t.Errorf("does not say that it is allowed: %s", out)
			}
			return
		}
		if a.Outcome.ModifiedInput == nil && (strings.Contains(out, `"allow"`) || strings.Contains(out, `"approve"`)) {
			t.Errorf("allows: %s", out)
		}
	})
}

// A denial is JSON if the agent has a form for it, and never without a reason.
func TestDenialIsJSON(t *testing.T) {
	each(t, func(t *testing.T, rules dialecttest.Rules, a dialecttest.Answered) {
		if a.Outcome.Decision != protocol.Block {
			if a.Reply.Exit != 0 {
				t.Errorf("exit %d", a.Reply.Exit)
			}
			return
		}
		exit, said, silent := 0, a.Reply.Stdout, a.Reply.Stderr
		if rules.Has(dialecttest.ExitTwo, a.Event.NativeEvent) {
			exit, said, silent = 2, a.Reply.Stderr, a.Reply.Stdout
		}
		if a.Reply.Exit != exit || len(said) == 0 || len(silent) > 0 {
			t.Errorf("exit %d, stdout %q, stderr %q", a.Reply.Exit, a.Reply.Stdout, a.Reply.Stderr)
		}
		if strings.TrimSpace(a.Outcome.Reason) == "" && !strings.Contains(string(said), "blocked by a hook") {
			t.Errorf("no reason: %s", said)
		}
	})
}

// The agent's limit for each event is known, so that the answer can come before it.
func TestLimitsAreKnown(t *testing.T) {
	for _, d := range All() {
		for _, n := range d.NativeEvents {
			if n.Limit <= 0 || n.Limit > protocol.MaxLimit {
				t.Errorf("%s %s: limit %s", d.ID, n.Name, n.Limit)
			}
		}
	}
}

// A member that an agent leaves out, or sends as null or with another type, is no
// reason to fail.
func TestDecodeIsTolerant(t *testing.T) {
	for _, d := range All() {
		for _, n := range d.NativeEvents {
			for _, value := range []string{"null", "7", `"x"`, `"mcp_x"`, "[1]", "{}", "false"} {
				text := `{"hook_event_name":"` + n.Name + `","event":"` + n.Name + `"`
				for _, name := range []string{"session_id", "cwd", "transcript_path", "tool_name", "tool_input", "tool_use_id", "tool_response", "prompt", "error",
					"reason", "source", "trigger", "stop_hook_active", "last_assistant_message", "agent_id", "agent_type", "mcp_context", "timestamp", "model", "permission_mode",
					"conversation_id", "conversationId", "sessionId", "workspace_roots", "workspacePaths", "working_dir", "toolCall", "toolName", "toolArgs", "tool_call_id",
					"tool_output", "tool_error", "tool_result", "tool_info", "message", "user_prompt", "preToolUse", "stepIdx"} {
					text += `,"` + name + `":` + value
				}
				events, err := d.Decode(protocol.Input{Payload: dialecttest.Object(t, text+"}"), Event: n.Name})
				if err != nil {
					t.Errorf("%s %s with %s: %v", d.ID, n.Name, value, err)
				}
				for _, ev := range events {
					if _, err := protocol.ParseObject(ev.JSON()); err != nil {
						t.Errorf("%s %s with %s: %v in %s", d.ID, n.Name, value, err, ev.JSON())
					}
				}
			}
			events, err := d.Decode(protocol.Input{Payload: dialecttest.Object(t, `{}`), Event: n.Name})
			if err != nil || len(events) == 0 || events[0].NativeEvent != n.Name {
				t.Errorf("%s %s by --event: %v, %v", d.ID, n.Name, events, err)
			}
		}
	}
}

// An event that we do not know is no event, and no opinion is the answer.
func TestAnUnknownEventIsNoOpinion(t *testing.T) {
	for _, d := range All() {
		for _, text := range []string{`{"hook_event_name": "NeverHeardOf", "session_id": "s"}`, `{}`, `{"hook_event_name": 5}`} {
			events, err := d.Decode(protocol.Input{Payload: dialecttest.Object(t, text)})
			if err != nil || len(events) != 0 {
				t.Errorf("%s: %s: %v, %v", d.ID, text, events, err)
			}
		}
		for _, n := range append(d.NativeEvents, protocol.Native{Name: "NeverHeardOf"}, protocol.Native{}) {
			r := d.NoOpinion(n.Name)
			if _, err := protocol.ParseObject(r.Stdout); r.Exit != 0 || len(r.Stderr) != 0 || len(r.Files) != 0 || r.Continue != "" || len(r.Stdout) > 0 && err != nil {
				t.Errorf("%s: no opinion on %q is %+v", d.ID, n.Name, r)
			}
		}
	}
	each(t, func(t *testing.T, rules dialecttest.Rules, a dialecttest.Answered) {
		d, _ := Lookup(a.Event.Agent)
		if said := d.NoOpinion(a.Event.NativeEvent).Stdout; a.Kind == "nothing" && !bytes.Equal(said, a.Reply.Stdout) {
			t.Errorf("no opinion is %q, and hooks that say nothing %q", said, a.Reply.Stdout)
		}
	})
}

// Hooks are told that the agent continues because of a hook; the dispatcher is told
// how often it may, and when it does.
func TestStopActiveIsTold(t *testing.T) {
	for folder, d := range folders(t) {
		rules := dialecttest.ReadRules(t, folder)
		told := map[string]bool{}
		for _, p := range dialecttest.Payloads(t, folder) {
			for _, ev := range p.Decode(t, d, nil) {
				if ev.Type != protocol.PreAgentTurnStop || !ev.Can.Has(protocol.CanContinue) {
					continue
				}
				told[string(ev.Fields.Get("stop_active"))] = true
				for _, o := range []protocol.Outcome{{Decision: protocol.Block, Reason: "r"}, {FollowupMessage: "r"}} {
					if a := dialecttest.Answer(d, ev, "", o); a.Reply.Continue != "r" {
						t.Errorf("%s %s: goes on with %q", d.ID, p.Name, a.Reply.Continue)
					}
				}
			}
		}
		if len(told) == 0 {
			continue // it cannot be made to continue
		}
		if tells := told["true"] && told["false"]; tells == rules.Has(dialecttest.StopActive, "untold") {
			t.Errorf("%s: stop_active seen as %v", d.ID, told)
		}
	}
}

// Only an id that the agent sent tells two calls apart.
func TestCallsHaveTheirID(t *testing.T) {
	for folder, d := range folders(t) {
		rules := dialecttest.ReadRules(t, folder)
		for _, p := range dialecttest.Payloads(t, folder) {
			for _, ev := range p.Decode(t, d, nil) {
				if ev.Call == nil {
					continue
				}
				if given := rules.CallIDOf(p.Object); ev.Call.ID != given {
					t.Errorf("%s %s: id %q, the agent gave %q", d.ID, p.Name, ev.Call.ID, given)
				}
				if ev.Fields.Text("tool_use_id") == "" {
					t.Errorf("%s %s: a hook gets no tool_use_id", d.ID, p.Name)
				}
			}
		}
	}
}

// A changed input is printed complete, in the agent's own keys.
func TestAModifiedInputIsComplete(t *testing.T) {
	for folder, d := range folders(t) {
		for _, p := range dialecttest.Payloads(t, folder) {
			for _, ev := range p.Decode(t, d, nil) {
				if ev.Type != protocol.PreToolCall || !ev.Can.Has(protocol.CanModify) || len(ev.Call.NativeInput) == 0 {
					continue
				}
				name := d.ID + " " + p.Name
				same, warnings := ev.Call.NativeInputOf(ev.Call.Input)
				if string(same.Raw()) != string(ev.Call.NativeInput.Raw()) || warnings != nil {
					t.Errorf("%s: the unchanged input became %s, %q", name, same.Raw(), warnings)
				}
				for _, m := range ev.Call.NativeInput {
					changed := ev.Call.Input.Clone()
					changed.SetText(m.Name, "changed")
					got, warnings := ev.Call.NativeInputOf(changed)
					want := ev.Call.NativeInput.Clone()
					want.SetText(m.Name, "changed")
					if line, ok := protocol.Line(got.Get("command")); m.Name == "command" && m.Value[0] == '[' && ok && line == "changed" {
						continue // in the shape that the tool takes
					}
					if string(got.Raw()) != string(want.Raw()) || warnings != nil {
						t.Errorf("%s: %s changed: %s, %q", name, m.Name, got.Raw(), warnings)
					}
				}
				for _, k := range ev.Call.Keys {
					got, warnings := ev.Call.NativeInputOf(protocol.Object{{Name: k.Portable, Value: protocol.Raw(`"changed"`)}})
					want := ev.Call.NativeInput.Clone()
					want.SetText(k.Native, "changed")
					if string(got.Raw()) != string(want.Raw()) || warnings != nil {
						t.Errorf("%s: %s changed: %s, %q", name, k.Portable, got.Raw(), warnings)
					}
				}
			}
		}
	}
}

// What an agent cannot express is dropped, and each loss is reported.
func TestLossesAreTold(t *testing.T) {
	outcomes := dialecttest.Outcomes()
	each(t, func(t *testing.T, rules dialecttest.Rules, a dialecttest.Answered) {
		for _, o := range outcomes {
			if o.Kind != a.Kind {
				continue
			}
			lost := func(what protocol.Can) bool {
				return slices.ContainsFunc(a.Losses, func(l protocol.Loss) bool { return l.What == what })
			}
			block := a.Outcome.Decision == protocol.Block
			for _, c := range []struct {
				what  protocol.Can
				wants bool
			}{
				{protocol.CanAsk, o.Decision == protocol.Ask && a.Event.Type != protocol.PermissionRequest},
				{protocol.CanOutput, o.ModifiedOutput != "" && a.Event.Type.HasResult()},
				{protocol.CanModify, o.ModifiedInput != nil && !block},
				{protocol.CanContext, o.AdditionalContext != "" && !block},
				{protocol.CanContinue, o.FollowupMessage != "" && !block},
				{protocol.CanMessage, o.UserMessage != "" && a.Outcome.Later == ""},
			} {
				if c.wants && !a.Event.Can.Has(c.what) && !lost(c.what) {
					t.Errorf("%s is lost silently", c.what)
				}
				if lost(c.what) && a.Event.Can.Has(c.what) {
					t.Errorf("%s is lost, but the event can carry it", c.what)
				}
			}
		}
	})
}

// No text is longer than the agent accepts, and a cut is marked.
func TestTextsAreCut(t *testing.T) {
	for folder, d := range folders(t) {
		for _, ev := range dialecttest.Deciding(t, d, folder, nil) {
			long := strings.Repeat("0123456789 äöü\n", max(2000, d.FieldMax/10))
			for _, o := range []protocol.Outcome{
				{Decision: protocol.Block, Reason: long}, {AdditionalContext: long}, {UserMessage: long}, {FollowupMessage: long}, {Decision: protocol.Ask, Reason: long},
			} {
				a := dialecttest.Answer(d, ev, "", o)
				texts := 0
				protocol.Leaves(a.Reply.Stdout, func(leaf string) bool {
					n := len([]rune(leaf))
					if d.FieldMax > 0 && n > d.FieldMax {
						t.Errorf("%s %s: a text of %d characters, at most %d", d.ID, ev.NativeEvent, n, d.FieldMax)
					}
					if n > 9000 {
						texts++
					}
					return true
				})
				if d.FieldMax > 0 && texts > 0 && len(a.Warnings()) == 0 {
					t.Errorf("%s %s: cut silently", d.ID, ev.NativeEvent)
				}
			}
		}
	}
}

// context.native keeps the payload's values, key order and number literals; unknown
// fields and null come through.
func TestNativeSurvives(t *testing.T) {
	for folder, d := range folders(t) {
		for _, p := range dialecttest.Payloads(t, folder) {
			greased := append(protocol.Object{{Name: "grease_1", Value: protocol.Raw(`{"b": [1e400, -0.0, 1.50, null], "a": "\u00e9\ud83d\ude00\ud800<&>"}`)}}, p.Object...)
			greased = append(greased, protocol.Member{Name: "grease null", Value: protocol.Raw("null")})
			for _, payload := range []protocol.Object{p.Object, greased} {
				p.Object = payload
				for _, ev := range p.Decode(t, d, nil) {
					line, err := protocol.ParseObject(ev.JSON())
					if err != nil {
						t.Fatalf("%s %s: %v", d.ID, p.Name, err)
					}
					got := string(line.Sub("context").Get("native"))
					if want := string(payload.Raw()); got != want {
						t.Errorf("%s %s:\n got %s\nwant %s", d.ID, p.Name, got, want)
					}
				}
			}
		}
	}
}

// Any payload is decoded without a panic, reaches hooks as valid JSON with the
// payload inside, and any answer to it is one object or nothing, with exit 0 or 2.
func FuzzDecode(f *testing.F) {
	rules := map[string]dialecttest.Rules{}
	for folder, d := range folders(f) {
		rules[d.ID] = dialecttest.ReadRules(f, folder)
		for _, p := range dialecttest.Payloads(f, folder) {
			f.Add(p.Bytes, `{"command": "ls", "file_path": "x"}`, uint8(len(p.Bytes)))
		}
	}
	outcomes := dialecttest.Outcomes()
	f.Fuzz(func(t *testing.T, b []byte, modified string, kind uint8) {
		payload, err := protocol.ParseObject(b)
		if err != nil {
			return
		}
		Detect(payload)
		for _, d := range append(All(), spec.Dialect) {
			events, err := d.Decode(protocol.Input{Payload: payload, Now: dialecttest.Now})
			if err != nil {
				continue
			}
			for i, ev := range events {
				line, err := protocol.ParseObject(ev.JSON())
				if err != nil {
					t.Fatalf("%s: %v in %s", d.ID, err, ev.JSON())
				}
				if d != spec.Dialect && string(line.Sub("context").Get("native")) != string(payload.Raw()) {
					t.Fatalf("%s: native is %s, payload %s", d.ID, line.Sub("context").Get("native"), payload.Raw())
				}
				if i > 0 {
					continue
				}
				o := outcomes[int(kind)%len(outcomes)]
				if m, err := protocol.ParseObject([]byte(modified)); err == nil && o.ModifiedInput != nil {
					o.ModifiedInput = m
					ev.SetInput(m)
				}
				a := dialecttest.Answer(d, ev, o.Kind, o.Outcome)
				oneObjectOrNothing(t, rules[d.ID], a)
				if a.Reply.Exit != 0 && a.Reply.Exit != 2 {
					t.Fatalf("%s: exit %d", d.ID, a.Reply.Exit)
				}
			}
		}
	})
}

func TestSampleIsAnEvent(t *testing.T) {
	for _, typ := range protocol.EventTypes() {
		o := protocol.Sample(typ)
		events, err := spec.Dialect.Decode(protocol.Input{Payload: o})
		if err != nil || len(events) != 1 || events[0].Type != typ || events[0].Can != protocol.CanAll {
			t.Errorf("%s: %v, %v", typ, events, err)
			continue
		}
		if (events[0].Call != nil) != typ.IsTool() {
			t.Errorf("%s: call %v", typ, events[0].Call)
		}
		if d := Detect(o); d != spec.Dialect {
			t.Errorf("%s is not told as the format's own form", typ)
		}
		if got := fmt.Sprintf("%s\n", o.Raw()); got != string(events[0].JSON()) {
			t.Errorf("%s: what went in\n%s came out as\n%s", typ, got, events[0].JSON())
		}
	}
}
