package agents

import (
	"slices"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A meaning is what agents mean by one of their own names.
type meaning struct {
	events []protocol.EventType // the most common meaning first
	who    []string             // names of the agents
}

// EventNamed is the event of the format that agents call by a name, in any spelling,
// and the agents that do; "" if none does.
func EventNamed(name string) (protocol.EventType, []string) {
	m, ok := eventNames()[letters(name)]
	if !ok {
		return "", nil
	}
	return m.events[0], m.who
}

// EventHints say what a word that is no event of the format was probably meant to be:
// an agent's own name, or a name close to an existing one.
func EventHints(word string) (hints []string) {
	var names []string
	var forms []string
	for _, e := range protocol.EventTypes() {
		names, forms = append(names, string(e)), append(forms, letters(string(e)))
	}
	if event, who := EventNamed(word); event != "" {
		return []string{`"` + protocol.Plain(word) + `" is its name in ` + Some(who) + ": write " + string(event)}
	}
	if at := nearestForm(letters(word), forms); at >= 0 {
		hints = append(hints, "did you mean "+names[at]+"?")
	}
	return append(hints, "the events are "+strings.Join(names, ", "))
}

// Some names the first two of a list, and says if there are more.
func Some(names []string) string {
	if len(names) > 2 {
		return strings.Join(names[:2], ", ") + " and others"
	}
	return strings.Join(names, " and ")
}

// eventNames are the agents' names for the format's events, each by its letters
// alone.
var eventNames = sync.OnceValue(func() map[string]meaning {
	names, votes := map[string]meaning{}, map[string]map[protocol.EventType]int{}
	for _, d := range list {
		for _, n := range d.NativeEvents {
			if len(n.MapsTo) == 0 {
				continue
			}
			at, event := letters(n.Name), n.MapsTo[0]
			m := names[at]
			if votes[at] == nil {
				votes[at] = map[protocol.EventType]int{}
			}
			if votes[at][event]++; votes[at][event] == 1 {
				m.events = append(m.events, event)
			}
			if !slices.Contains(m.who, d.Name) {
				m.who = append(m.who, d.Name)
			}
			names[at] = m
		}
	}
	for at, m := range names {
		slices.SortStableFunc(m.events, func(a, b protocol.EventType) int { return votes[at][b] - votes[at][a] })
	}
	return names
})

// letters is a name without what people spell differently.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == '_' || r == '.' || r == ' ':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// EventsCalled are the names of events that a word may mean in a payload: the
// format's and the agents', in any spelling.
func EventsCalled(word string) (names []string) {
	called := func(name string) {
		if letters(name) == letters(word) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, e := range protocol.EventTypes() {
		called(string(e))
	}
	for _, d := range list {
		for _, n := range d.NativeEvents {
			called(n.Name)
		}
	}
	return names
}

// shortBegin is how many letters of an event's name tell which one it is.
const shortBegin = 5

// NearestEvent is the name of an event, the format's or an agent's, that a word was
// probably meant to be, or begins with; "" if none is close.
func NearestEvent(word string) string {
	var names, forms []string
	add := func(name string) { names, forms = append(names, name), append(forms, letters(name)) }
	for _, e := range protocol.EventTypes() {
		add(string(e))
	}
	for _, d := range list {
		for _, n := range d.NativeEvents {
			add(n.Name)
		}
	}
	if at := nearestForm(letters(word), forms); at >= 0 {
		return names[at]
	}
	return ""
}

// nearestForm is the place of the name that a word was probably meant to be, or begins
// with, -1 if there is none.
func nearestForm(form string, forms []string) int {
	at := slices.Index(forms, text.Nearest(form, forms, 2))
	if at < 0 && len(form) >= shortBegin {
		at = slices.IndexFunc(forms, func(f string) bool { return strings.HasPrefix(f, form) })
	}
	return at
}
