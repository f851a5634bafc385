package dialecttest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mirror"
)

// A Mirror says what is expected of an agent's tongue.
type Mirror struct {
	Dialect *protocol.Dialect
	Env     map[string]string
	Kind    string // which payloads are the program's: "captured", or "made" if there are none
	Events  int    // how many events the payloads become, at least

	// Near reports whether a member that is assembled differs from the program's but
	// says the same; nil: none does.
	Near func(native, member string) bool

	// Renamed are events that hooks get under another name, which their payload then
	// has too if it names its event.
	Renamed map[string]string

	// Untold reports whether no hook of a type is told of the program's event; nil: of all.
	Untold func(on protocol.EventType, native string) bool

	// Only is the form of a payload that hooks are sent; nil: all are.
	Only func(p protocol.Object) bool
}

// ComesBack checks that every payload of the program can be rebuilt from the event
// that it became: the same members, values and order.
func (m Mirror) ComesBack(t *testing.T) {
	t.Helper()
	events := 0
	for _, p := range Payloads(t, ".") {
		if m.Only != nil && !m.Only(p.Object) {
			continue
		}
		for _, ev := range p.Decode(t, m.Dialect, m.Env) {
			events++
			deed.Of(ev)
			var said []protocol.Said
			event, payload := ev.NativeEvent, p.Object
			if as := m.Renamed[event]; as != "" {
				if event = as; payload.Text("hook_event_name") == ev.NativeEvent && m.Only == nil {
					payload = payload.Clone()
					payload.SetText("hook_event_name", as)
				}
			}
			for _, s := range m.Dialect.Tongue.Say(ev) {
				if !s.Aside || s.Event == event {
					said = append(said, s)
				}
			}
			if m.untold(ev.Type, event) && len(said) == 0 {
				continue
			}
			if len(said) != 1 || said[0].Event != event {
				t.Errorf("%s as %s: %d payloads", p.Name, ev.Type, len(said))
				continue
			}
			if got, want := string(said[0].Payload.Raw()), string(payload.Raw()); got != want {
				t.Errorf("%s as %s:\n got %s\nwant %s", p.Name, ev.Type, got, want)
			}
		}
	}
	if events < m.Events {
		t.Errorf("%d events only", events)
	}
}

func (m Mirror) untold(on protocol.EventType, native string) bool {
	return m.Untold != nil && m.Untold(on, native)
}

// A row counts the payloads in which each member is known for another agent's event.
type row struct {
	told  map[string]int
	order []string
}

// PutTogether checks that, from nothing but what any agent's event says, each
// assembled member is the one that the program sends, in its place, and that the
// others are absent. docs/dialects.md lists them; -update writes it.
func (m Mirror) PutTogether(t *testing.T) {
	t.Helper()
	table := map[string]*row{}
	for _, p := range Payloads(t, ".") {
		if !strings.HasPrefix(p.Name, m.Kind+"/") || m.Only != nil && !m.Only(p.Object) {
			continue
		}
		for i, ev := range p.Decode(t, m.Dialect, m.Env) {
			if i > 0 && ev.Type != protocol.PreAgentTurnStop {
				continue // only a stop says whether it went on before
			}
			ev.Agent, ev.Context = "another", protocol.Object{}
			deed.Of(ev)
			found := false
			for _, s := range m.Dialect.Tongue.Say(ev) {
				if s.Event != m.named(ev.NativeEvent) {
					continue
				}
				found = true
				m.compare(t, p, s, table)
			}
			if !found {
				t.Errorf("%s: no payload of %s", p.Name, ev.NativeEvent)
			}
		}
	}
	m.page(t, table)
}

// named is the name under which hooks get an event.
func (m Mirror) named(native string) string {
	if as := m.Renamed[native]; as != "" {
		return as
	}
	return native
}

// compare checks an assembled payload against the program's own.
func (m Mirror) compare(t *testing.T, p Payload, s protocol.Said, table map[string]*row) {
	t.Helper()
	if table[s.Event] == nil {
		table[s.Event] = &row{told: map[string]int{}}
	}
	r, at := table[s.Event], -1
	for _, want := range p.Object {
		if !slices.Contains(r.order, want.Name) {
			r.order = append(r.order, want.Name)
		}
		v := s.Payload.Get(want.Name)
		if v == nil {
			continue
		}
		r.told[want.Name]++
		if place := slices.IndexFunc(s.Payload, func(g protocol.Member) bool { return g.Name == want.Name }); place < at {
			t.Errorf("%s: %s stands elsewhere in %s", p.Name, want.Name, s.Payload.Raw())
		} else {
			at = place
		}
		if !Within(v, want.Value) && (m.Near == nil || !m.Near(s.Event, want.Name)) {
			t.Errorf("%s: %s is %s, want %s", p.Name, want.Name, v, want.Value)
		}
	}
	for _, got := range s.Payload {
		if !p.Object.Has(got.Name) {
			t.Errorf("%s: %s is made up", p.Name, got.Name)
		}
	}
}

// Within reports whether two values are equal, or the first is an object with some of
// the second's members.
func Within(got, want protocol.Raw) bool {
	if mirror.Same(got, want) {
		return true
	}
	part, whole := protocol.ObjectOf(got), protocol.ObjectOf(want)
	if part == nil || whole == nil {
		return false
	}
	for _, m := range part {
		if !mirror.Same(m.Value, whole.Get(m.Name)) {
			return false
		}
	}
	return true
}

// page checks the table in the docs.
func (m Mirror) page(t *testing.T, table map[string]*row) {
	t.Helper()
	d := m.Dialect
	file := filepath.Join("..", "..", "docs", "dialects.md")
	begin, end := "<!-- "+d.ID+":begin -->\n", "<!-- "+d.ID+":end -->"
	var b strings.Builder
	fmt.Fprintf(&b, "| event | %s says | known of every agent that says so | not known of another agent: absent |\n|---|---|---|---|\n", d.Name)
	for _, typ := range protocol.EventTypes() {
		for _, n := range d.NativeEvents {
			said := m.named(n.Name)
			if table[said] == nil || !slices.Contains(n.Events(), typ) || m.untold(typ, said) {
				continue
			}
			var told, untold []string
			for _, name := range table[said].order {
				if table[said].told[name] > 0 {
					told = append(told, "`"+name+"`")
				} else {
					untold = append(untold, "`"+name+"`")
				}
			}
			line := fmt.Sprintf("| `%s` | `%s` | %s | %s |\n", typ, said, strings.Join(told, " "), strings.Join(untold, " "))
			if !strings.HasSuffix(b.String(), line) { // two events under one name
				b.WriteString(line)
			}
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	old, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table of %s", file, d.ID)
	}
	if old == b.String() {
		return
	}
	if !*update {
		t.Errorf("%s does not have this table (-update writes it):\n%s", file, b.String())
		return
	}
	if err := os.WriteFile(file, []byte(before+begin+b.String()+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Heard is the effect of an answer, as a word and its text.
func Heard(h protocol.Heard) string {
	o := h.Outcome
	if o.Halt != "" {
		halt := o.Halt
		h.Outcome.Halt = ""
		return strings.TrimSpace(Heard(h) + " ends " + halt)
	}
	switch {
	case h.Bad != "":
		return "bad"
	case h.Failed:
		return "failed"
	case o.Decision == protocol.Block:
		return "block " + o.Reason
	case o.Decision == protocol.Ask:
		return "ask " + o.Reason
	case o.ModifiedInput != nil:
		return "input " + string(o.ModifiedInput.Raw())
	case o.ModifiedOutput != "":
		return "output " + o.ModifiedOutput
	case o.FollowupMessage != "":
		return "goes on " + o.FollowupMessage
	case o.AdditionalContext != "":
		return "context " + o.AdditionalContext
	case o.UserMessage != "":
		return "shown " + o.UserMessage
	case len(o.Env) > 0:
		return "env " + string(o.Env.Raw())
	case len(h.Warnings) > 0:
		return "warned"
	}
	return ""
}
