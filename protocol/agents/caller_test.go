package agents

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// An agent that runs another's entry is recognised by each of its payloads, and an
// agent's own entry stays its own. Only a payload that cannot be recognised leaves
// the entry with the agent that it names.
func TestCallerIsToldByEveryPayload(t *testing.T) {
	all := folders(t)
	pairs := 0
	for folder, reader := range all {
		rules := dialecttest.ReadRules(t, folder)
		for _, p := range dialecttest.Payloads(t, folder) {
			if got := Caller(reader, p.Object); got != reader {
				t.Errorf("%s %s: its own entry is run by %s", reader.ID, p.Name, got.ID)
			}
			for _, named := range all {
				if named == reader || !reader.Reads(named.ID, "") {
					continue
				}
				pairs++
				got := Caller(named, p.Object)
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

// A payload of Claude's with a member of Cursor's counts as Cursor's, and its answer
// has a form that the entry's own agent would understand as well.
func TestCursorRunsClaudesEntry(t *testing.T) {
	claude, _ := Lookup("claude-code")
	for _, p := range dialecttest.Payloads(t, "../claude") {
		if d := Caller(claude, p.Object); d != claude {
			t.Fatalf("%s: run by %s", p.Name, d.ID)
		}
		p.Object = p.Object.Clone()
		p.Object.SetText("cursor_version", "3.20.1")
		d := Caller(claude, p.Object)
		if d.ID != "cursor" {
			t.Fatalf("%s: run by %s", p.Name, d.ID)
		}
		events, err := d.Decode(protocol.Input{Payload: p.Object, Event: p.Event, Entry: claude.ID, Now: dialecttest.Now})
		must.Do(t, err)
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

// Detection of the caller runs only if one of its signs is present: without them it
// would have said no, whatever else the payload contains.
func TestNobodyBorrowsWithoutASign(t *testing.T) {
	var payloads []protocol.Object
	for folder := range folders(t) {
		for _, p := range dialecttest.Payloads(t, folder) {
			payloads = append(payloads, p.Object)
		}
	}
	borrowed := 0
	for _, d := range All() {
		borrows := d.Borrows
		if borrows == nil {
			borrows = d.Detect
		}
		if len(d.AlsoReads) == 0 {
			continue
		}
		for _, p := range payloads {
			// Each agent's members are also tried on the others' payloads.
			for _, other := range payloads[:slowtest.Count(10, 40)] {
				p := p.Clone()
				for _, m := range other {
					if !p.Has(m.Name) {
						p = append(p, m)
					}
				}
				if borrows(p) {
					borrowed++
					if !signed(d, p) {
						t.Fatalf("%s borrows without a sign: %s", d.ID, p.Raw())
					}
				}
				bare := p.Clone()
				for _, sign := range d.BorrowSigns {
					bare.Delete(sign)
				}
				if borrows(bare) {
					t.Fatalf("%s borrows without a sign: %s", d.ID, bare.Raw())
				}
			}
		}
	}
	if borrowed == 0 {
		t.Error("nobody borrowed anything: this test looked in the wrong place")
	}
}
