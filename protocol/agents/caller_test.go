package agents

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// Whoever runs an entry of another agent is told by each of its payloads, and an
// agent's own entry stays its own (platforms 1.6, RULINGS 4). Only a payload that
// its agent cannot be told by leaves the entry with the agent that it names.
func TestCallerIsToldByEveryPayload(t *testing.T) {
	all := folders(t)
	pairs := 0
	for folder, reader := range all {
		rules := dialecttest.ReadRules(t, folder)
		for _, p := range dialecttest.Payloads(t, folder) {
			if got := Caller(reader, p.Object, nil); got != reader {
				t.Errorf("%s %s: its own entry is run by %s", reader.ID, p.Name, got.ID)
			}
			for _, named := range all {
				if named == reader || !reader.Reads(named.ID, "") {
					continue
				}
				pairs++
				got := Caller(named, p.Object, nil)
				if told := !rules.Has(dialecttest.Untold, p.Name); got != reader && (told || got != named) {
					t.Errorf("%s %s: an entry of %s is run by %s", reader.ID, p.Name, named.ID, got.ID)
				}
			}
		}
	}
	if pairs == 0 {
		t.Error("no agent reads another's files")
	}
}

// CURSOR_VERSION tells Cursor whatever the payload looks like, and it is answered
// in a form that the entry's own agent would understand as well.
func TestCursorRunsClaudesEntry(t *testing.T) {
	claude, _ := Lookup("claude-code")
	env := func(n string) string { return map[string]string{"CURSOR_VERSION": "3.20.1"}[n] }
	for _, p := range dialecttest.Payloads(t, "../claude") {
		d := Caller(claude, p.Object, env)
		if d.ID != "cursor" {
			t.Fatalf("%s: run by %s", p.Name, d.ID)
		}
		events, err := d.Decode(protocol.Input{Payload: p.Object, Event: p.Event, Entry: claude.ID, Env: env, Now: dialecttest.Now})
		if err != nil {
			t.Fatal(err)
		}
		if len(events) == 0 || events[0].Type != protocol.PreToolCall {
			continue
		}
		o, err := protocol.ParseObject(dialecttest.Answer(d, events[0], "", protocol.Outcome{Decision: protocol.Block, Reason: "no"}).Reply.Stdout)
		hso := o.Sub("hookSpecificOutput")
		if err != nil || o.Text("permission") != "deny" || hso.Text("permissionDecision") != "deny" || hso.Text("hookEventName") != "PreToolUse" {
			t.Errorf("%s: %v, %s", p.Name, err, o.Raw())
		}
	}
}
