package skills

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// max_copies counts what a history brought along, over requests, if its messages have
// their marks; a loop that is not told of them has one more each time.
func TestLoopCountsTheHistory(t *testing.T) {
	t.Parallel()
	few := hook("few", AfterUserInput, true)
	few.MaxCopies = 2
	for name, c := range map[string]struct {
		marks bool
		want  string
	}{"with marks": {true, "q few said q few said q said q said"}, "without": {false, "q few said q few said q few said q few said"}} {
		t.Run(name, func(t *testing.T) {
			type message struct {
				text string
				mark Mark
			}
			var stored int
			loop := Loop[message]{
				Hooks:   []Hook{few},
				Message: func(m Message) *message { return &message{m.Content, m.Mark} },
				Model: func(context.Context, Phase, []*message) (Reply[message], error) {
					return Reply[message]{Message: &message{text: "said"}}, nil
				},
				Store: func(s []Stored) error { stored += len(s); return nil },
			}
			if c.marks {
				loop.Mark = func(m *message) (Mark, bool) { return m.mark, m.mark != Mark{} }
			}
			var list []*message
			for range 4 {
				list = append(list, &message{text: "q"})
				must.Do(t, loop.Run(context.Background(), &list, "q"))
			}
			var got []string
			for _, m := range list {
				got = append(got, m.text)
			}
			if strings.Join(got, " ") != c.want || stored != strings.Count(c.want, "few") {
				t.Errorf("%s: %s, stored %d", name, strings.Join(got, " "), stored)
			}
		})
	}
}

// What was taken of the list before, for a log or a call that still runs, stays as it
// was; a store that fails ends the request, and leaves what it was to keep.
//
// BS-LST-04.
func TestLoopLeavesWhatWasTaken(t *testing.T) {
	t.Parallel()
	hooks := []Hook{hook("stays", AfterUserInput, true), hook("goes", BeforeEachAgent, false)}
	var taken [][]*msg
	var was []string
	rounds := 3
	loop := Loop[msg]{
		Hooks: hooks, Message: newMsg, Step: "step",
		Model: func(_ context.Context, _ Phase, list []*msg) (r Reply[msg], err error) {
			taken, was = append(taken, list), append(was, contents(list))
			if rounds--; rounds > 0 {
				r.Calls = []Call{{Name: "Read"}}
			}
			r.Message = newMsg(Message{Content: "said"})
			return r, nil
		},
		Tool: func(context.Context, Call) (*msg, error) { return newMsg(Message{Content: "result"}), nil },
	}
	list := make([]*msg, 0, 100)
	must.Do(t, loop.Run(context.Background(), &list, ""))
	for i := range taken {
		if got := contents(taken[i]); got != was[i] {
			t.Errorf("call %d had %q and has %q", i, was[i], got)
		}
	}
	wantList(t, list, "stays said result said result said")
	loop.Store = func([]Stored) error { return errors.New("disk full") }
	list = nil
	if err := loop.Run(context.Background(), &list, ""); err == nil || len(taken) != 3 {
		t.Errorf("%v, %d calls", err, len(taken))
	}
	wantList(t, list, "stays")
}
