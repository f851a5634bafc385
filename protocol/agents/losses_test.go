package agents

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// A part is one part of an outcome, and how it can be lost.
type part struct {
	name string
	can  protocol.Can // what has to carry it; 0 for variables
	in   func(o *protocol.Outcome) bool
	drop func(o *protocol.Outcome)
}

var parts = []part{
	{"block", protocol.CanBlock,
		func(o *protocol.Outcome) bool { return o.Decision == protocol.Block },
		func(o *protocol.Outcome) { o.Decision, o.Reason = protocol.NoOpinion, "" }},
	{"ask", protocol.CanAsk,
		func(o *protocol.Outcome) bool { return o.Decision == protocol.Ask },
		func(o *protocol.Outcome) { o.Decision, o.Reason = protocol.NoOpinion, "" }},
	{"allow", protocol.CanAllow,
		func(o *protocol.Outcome) bool { return o.Decision == protocol.Allow },
		func(o *protocol.Outcome) { o.Decision, o.Reason = protocol.NoOpinion, "" }},
	{"modified_output", protocol.CanOutput,
		func(o *protocol.Outcome) bool { return o.ModifiedOutput != "" },
		func(o *protocol.Outcome) { o.ModifiedOutput = "" }},
	{"modified_input", protocol.CanModify,
		func(o *protocol.Outcome) bool { return o.ModifiedInput != nil },
		func(o *protocol.Outcome) { o.ModifiedInput = nil }},
	{"additional_context", protocol.CanContext,
		func(o *protocol.Outcome) bool { return o.AdditionalContext != "" },
		func(o *protocol.Outcome) { o.AdditionalContext = "" }},
	{"followup_message", protocol.CanContinue,
		func(o *protocol.Outcome) bool { return o.FollowupMessage != "" },
		func(o *protocol.Outcome) { o.FollowupMessage = "" }},
	{"user_message", protocol.CanMessage,
		func(o *protocol.Outcome) bool { return o.UserMessage != "" },
		func(o *protocol.Outcome) { o.UserMessage = "" }},
	{"env", 0,
		func(o *protocol.Outcome) bool { return len(o.Env) > 0 },
		func(o *protocol.Outcome) { o.Env = nil }},
}

// The losses that are reported before the answer is encoded are those of the answer:
// a part that is not lost changes the answer, and one that is lost does not. Checked
// for each agent, each of its events and each combination of parts.
func TestWhatIsLostIsToldAndNothingElse(t *testing.T) {
	combinations := 0
	for folder, d := range folders(t) {
		for _, ev := range dialecttest.Deciding(t, d, folder, nil) {
			for _, o := range combined(ev) {
				if combinations++; !slowtest.Part(combinations, 4) {
					continue
				}
				fitted, losses := d.Fit(ev, o, protocol.Policy{})
				for _, p := range parts {
					if why := disagrees(d, ev, o, fitted, losses, p); why != "" {
						t.Errorf("%s %s as %s, %s of %s: %s (losses %q)", d.ID, ev.NativeEvent, ev.Type, p.name, said(&o), why, losses)
					}
				}
			}
		}
	}
	if combinations < 10_000 {
		t.Errorf("only %d combinations: this test looked in the wrong place", combinations)
	}
}

// Each field of an outcome is tried on each agent, is a part that can be lost, and has
// a member in the schema: one of which these tests had not heard could be dropped by
// all agents in silence.
func TestEveryFieldIsTriedOnEveryAgent(t *testing.T) {
	schema, err := protocol.ParseObject([]byte(must.Read(t, filepath.Join("..", "..", "spec", "outcome.schema.json"))))
	must.Do(t, err)
	// What the runner and Fit note, what is for the log alone, and what comes from
	// another protocol.
	others := []string{"Insists", "Wanted", "Later", "Replacers", "EnvFrom", "Refusal", "Log", "Extra", "Halt"}
	for i, f := range reflect.VisibleFields(reflect.TypeFor[protocol.Outcome]()) {
		if slices.Contains(others, f.Name) {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			tried := false
			for _, o := range dialecttest.Outcomes() {
				if reflect.ValueOf(o.Outcome).Field(i).IsZero() {
					continue
				}
				tried = true
				for _, p := range parts {
					p.drop(&o.Outcome)
				}
				if !reflect.ValueOf(o.Outcome).Field(i).IsZero() {
					t.Errorf("%s: no part of losses_test.go takes it away", o.Kind)
				}
			}
			if !tried {
				t.Error("no outcome of dialecttest has it")
			}
		})
	}
	for _, o := range dialecttest.Outcomes() {
		for _, m := range o.Object() {
			if !schema.Sub("properties").Has(m.Name) {
				t.Errorf("%s: spec/outcome.schema.json has no %s", o.Kind, m.Name)
			}
		}
	}
}

// disagrees says how a part's losses and the answer differ, "" if they agree.
func disagrees(d *protocol.Dialect, ev *protocol.Event, o, fitted protocol.Outcome, losses []protocol.Loss, p part) string {
	switch {
	case !p.in(&o):
		return ""
	case p.name == "ask" && ev.Type == protocol.PermissionRequest:
		return "" // the user is about to be asked
	case p.name == "allow" && !ev.Type.Permits():
		return "" // no objection, and nothing more
	}
	told := false
	for _, l := range losses {
		told = told || p.can != 0 && l.What == p.can || p.can == 0 && l.What == 0 && strings.HasPrefix(l.Text, "env:")
	}
	if !p.in(&fitted) {
		// A block replaces whatever else the hooks wanted; where nothing can be
		// prevented any more, its reason is context.
		feedback := p.name == "block" && fitted.AdditionalContext != ""
		waits := p.can == protocol.CanMessage && fitted.Later != ""
		if !told && !feedback && !waits && fitted.Decision != protocol.Block {
			return "is left out, and nobody is told"
		}
		return ""
	}
	less := fitted
	p.drop(&less)
	changes := !reflect.DeepEqual(d.Encode(ev, fitted), d.Encode(ev, less))
	switch {
	case changes && told:
		return "is told as lost, and changes the answer"
	case !changes && !told:
		return "changes nothing in the answer, and nobody is told"
	}
	return ""
}

// combined are outcomes with each combination of the parts.
func combined(ev *protocol.Event) []protocol.Outcome {
	var list []protocol.Outcome
	for _, decision := range []protocol.Decision{protocol.NoOpinion, protocol.Allow, protocol.Ask, protocol.Block} {
		for bits := range 1 << 6 {
			o := protocol.Outcome{Decision: decision}
			if decision >= protocol.Ask {
				o.Reason = "a reason"
			}
			if bits&32 != 0 && ev.Type.HasResult() {
				o.ModifiedOutput, o.Replacers = "what is read instead", "a"
			}
			if bits&1 != 0 && ev.Call != nil {
				o.ModifiedInput = changed(ev.Call)
			}
			for i, text := range []*string{&o.AdditionalContext, &o.FollowupMessage, &o.UserMessage} {
				if bits&(2<<i) != 0 {
					*text = fmt.Sprintf("text number %d", i)
				}
			}
			if bits&16 != 0 {
				o.Env = protocol.Object{{Name: "NAME", Value: protocol.Raw(`"value"`)}}
			}
			list = append(list, o)
		}
	}
	return list
}

// changed is a call's input with different content.
func changed(c *protocol.Call) protocol.Object {
	in := c.Input.Clone()
	in.SetText("command", "echo changed")
	return in
}

func said(o *protocol.Outcome) string {
	var words []string
	for _, p := range parts {
		if p.in(o) {
			words = append(words, p.name)
		}
	}
	return strings.Join(words, "+")
}

// If a part is lost only partly, the answer has the rest: a text is cut if and only
// if that is reported; likewise for a variable and for a member of an input.
func TestWhatIsLostInPartIsTold(t *testing.T) {
	for folder, d := range folders(t) {
		for _, ev := range dialecttest.Deciding(t, d, folder, nil) {
			name := d.ID + " " + ev.NativeEvent + " as " + string(ev.Type)
			warned := func(o protocol.Outcome, word string) (bool, protocol.Reply) {
				a := dialecttest.Answer(d, ev, "", o)
				return strings.Contains(strings.Join(a.Warnings(), "\n"), word), a.Reply
			}
			for _, decision := range []protocol.Decision{protocol.NoOpinion, protocol.Ask, protocol.Block} {
				if decision != protocol.Block && !slowtest.On() {
					continue
				}
				sizes := []int{10, 20_000}
				if decision == protocol.Block && slowtest.On() { // the limit of a text does not depend on that
					sizes = []int{10, 200, 5_000, 9_990, 10_000, 10_001, 20_000, 60_000}
				}
				for _, size := range sizes {
					text := strings.Repeat("é", size-1) + "Z" // its end shows whether it is whole
					for _, o := range []protocol.Outcome{
						{Decision: decision, Reason: text}, {Decision: decision, Reason: "r", AdditionalContext: text}, {Decision: decision, Reason: "r", UserMessage: text},
						{Decision: decision, Reason: "r", FollowupMessage: text}, {Decision: decision, Reason: text, UserMessage: text},
					} {
						told, r := warned(o, "cut to")
						all := string(r.Stdout) + string(r.Stderr)
						if is := strings.Contains(all, "[cut here"); is != told {
							t.Errorf("%s, %s with texts of %d: told of a cut: %v, cut: %v", name, decision, size, told, is)
						}
					}
				}
			}
			some := protocol.Object{{Name: "GOOD", Value: protocol.Raw(`"yes"`)}, {Name: "no-name", Value: protocol.Raw(`"bad"`)}, {Name: "LIST", Value: protocol.Raw(`["bad"]`)}, {Name: "NUL", Value: protocol.Raw(`"\u0000bad"`)}}
			told, r := warned(protocol.Outcome{Env: some}, "env:")
			if text := filesAndText(r); !told || strings.Contains(text, "bad") || strings.Contains(text, "GOOD") != strings.Contains(text, "yes") {
				t.Errorf("%s: variables, told %v: %q", name, told, text)
			}
		}
	}
}

func filesAndText(r protocol.Reply) string {
	text := string(r.Stdout) + string(r.Stderr)
	for _, f := range r.Files {
		text += string(f.Text)
	}
	return text
}
