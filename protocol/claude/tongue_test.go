package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// Every payload of the program comes back out of the event that it became: the same
// members, values and order.
func TestPayloadsComeBack(t *testing.T) {
	events := 0
	for _, p := range dialecttest.Payloads(t, ".") {
		for _, ev := range p.Decode(t, Dialect, env) {
			events++
			deed.Of(ev)
			said := speak(ev)
			if len(said) != 1 || said[0].Event != ev.NativeEvent {
				t.Errorf("%s as %s: %d payloads", p.Name, ev.Type, len(said))
				continue
			}
			if got, want := string(said[0].Payload.Raw()), string(p.Object.Raw()); got != want {
				t.Errorf("%s as %s:\n got %s\nwant %s", p.Name, ev.Type, got, want)
			}
		}
	}
	if events < 60 {
		t.Errorf("%d events only", events)
	}
}

// A member counts in how many payloads one is known of another agent's event.
type member struct{ told int }

// With nothing but what any agent's event says, each member that is put together is
// the one that the program sends, at its place; the others are absent. What they are
// stands in docs/dialects.md:
//
//	AGENTS_HOOKS_UPDATE=1 go test ./protocol/claude -run TestPayloadsArePutTogether
func TestPayloadsArePutTogether(t *testing.T) {
	table := map[string]map[string]*member{}
	order := map[string][]string{}
	for _, p := range dialecttest.Payloads(t, ".") {
		if !strings.HasPrefix(p.Name, "captured/") {
			continue
		}
		for _, ev := range p.Decode(t, Dialect, env) {
			if ev.NativeEvent == "Stop" && ev.Type != protocol.PreAgentTurnStop {
				continue // whether it went on before is known at the stop alone
			}
			ev.Agent, ev.Context = "another", protocol.Object{}
			deed.Of(ev)
			said := speak(ev)
			if len(said) != 1 {
				t.Errorf("%s: %d payloads", p.Name, len(said))
				continue
			}
			got := said[0].Payload
			if table[said[0].Event] == nil {
				table[said[0].Event] = map[string]*member{}
			}
			rows := table[said[0].Event]
			at := -1
			for _, m := range p.Object {
				if rows[m.Name] == nil {
					rows[m.Name] = &member{}
					order[said[0].Event] = append(order[said[0].Event], m.Name)
				}
				v := got.Get(m.Name)
				if v == nil {
					continue
				}
				rows[m.Name].told++
				if place := slices.IndexFunc(got, func(g protocol.Member) bool { return g.Name == m.Name }); place < at {
					t.Errorf("%s: %s stands elsewhere in %s", p.Name, m.Name, got.Raw())
				} else {
					at = place
				}
				if !within(v, m.Value) {
					t.Errorf("%s: %s is %s, want %s", p.Name, m.Name, v, m.Value)
				}
			}
			for _, m := range got {
				if !p.Object.Has(m.Name) {
					t.Errorf("%s: %s is made up", p.Name, m.Name)
				}
			}
		}
	}
	page(t, table, order)
}

// within reports whether one value is another, or an object with some of its members.
func within(got, want protocol.Raw) bool {
	if same(got, want) {
		return true
	}
	part, whole := protocol.ObjectOf(got), protocol.ObjectOf(want)
	if part == nil || whole == nil {
		return false
	}
	for _, m := range part {
		if !same(m.Value, whole.Get(m.Name)) {
			return false
		}
	}
	return true
}

// page holds the table of the docs.
func page(t *testing.T, table map[string]map[string]*member, order map[string][]string) {
	const file, begin, end = "../../docs/dialects.md", "<!-- claude-code:begin -->\n", "<!-- claude-code:end -->"
	var b strings.Builder
	b.WriteString("| event | Claude Code says | known of every agent that says so | not known of another agent: absent |\n|---|---|---|---|\n")
	failed := protocol.Event{Type: protocol.PostAgentTurn, Fields: protocol.Object{{Name: "status", Value: protocol.Quote("error")}}}
	list := []*protocol.Event{&failed}
	for _, typ := range protocol.EventTypes() {
		list = append(list, &protocol.Event{Type: typ})
	}
	slices.SortStableFunc(list, func(a, b *protocol.Event) int {
		return slices.Index(protocol.EventTypes(), a.Type) - slices.Index(protocol.EventTypes(), b.Type)
	})
	for _, ev := range list {
		typ, native := ev.Type, nameOf(ev)
		rows := table[native]
		if rows == nil {
			t.Errorf("%s: no payload of %s was captured", typ, native)
			continue
		}
		var told, untold []string
		for _, name := range order[native] {
			if rows[name].told > 0 {
				told = append(told, "`"+name+"`")
			} else {
				untold = append(untold, "`"+name+"`")
			}
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", typ, native, strings.Join(told, " "), strings.Join(untold, " "))
	}
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	old, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", file)
	}
	if old == b.String() {
		return
	}
	if os.Getenv("AGENTS_HOOKS_UPDATE") == "" {
		t.Errorf("%s does not have this table (AGENTS_HOOKS_UPDATE=1 writes it):\n%s", file, b.String())
		return
	}
	if err := os.WriteFile(filepath.FromSlash(file), []byte(before+begin+b.String()+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
