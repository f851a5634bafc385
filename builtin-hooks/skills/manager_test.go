package skills

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A msg is a caller's own kind of message.
type msg struct {
	role, content string
	mark          Mark
}

func newMsg(m Message) *msg { return &msg{string(m.Role), m.Content, m.Mark} }

func contents(list []*msg) string {
	var out []string
	for _, m := range list {
		out = append(out, m.content)
	}
	return strings.Join(out, " ")
}

func hook(name string, t Timing, persistent bool) Hook {
	return Hook{Skill: "s", Name: name, Timing: t, Role: System, Persistent: persistent, Content: name}
}

func manager(list *[]*msg, hooks ...Hook) *Manager[msg] { return NewManager(list, hooks, newMsg) }

func wantList(t *testing.T, list []*msg, want string) {
	t.Helper()
	if got := contents(list); got != want {
		t.Errorf("the list is %q, want %q", got, want)
	}
}

// One message per matching hook, at the end, in order, with the hook's
// role; only the persistent ones are returned.
//
// BS-LST-01, BS-LST-05.
func TestInjectPutsPromptsAtTheEnd(t *testing.T) {
	t.Parallel()
	list := []*msg{{role: "user", content: "hi"}}
	user := hook("u", AfterUserInput, true)
	user.Role = User
	m := manager(&list, hook("a", AfterUserInput, false), hook("other", BeforePlanning, true), user, hook("b", AfterUserInput, true))
	stored := m.Inject(AfterUserInput)
	wantList(t, list, "hi a u b")
	if list[1].role != "system" || list[2].role != "user" {
		t.Errorf("%+v %+v", list[1], list[2])
	}
	want := []Stored{{"s", "u", User, "u", Mark{"s", "u", AfterUserInput, true, false}}, {"s", "b", System, "b", Mark{"s", "b", AfterUserInput, true, false}}}
	if !slices.Equal(stored, want) {
		t.Errorf("%+v", stored)
	}
	if stored := m.Inject("unknown"); stored != nil {
		t.Errorf("%+v", stored)
	}
}

// No de-duplication.
//
// BS-LST-02.
func TestNothingIsDeduplicated(t *testing.T) {
	t.Parallel()
	var list []*msg
	m := manager(&list, hook("a", BeforeEachAgent, false), hook("p", BeforeEachAgent, true))
	m.Inject(BeforeEachAgent)
	m.Inject(BeforeEachAgent)
	wantList(t, list, "a p a p")
	m.Remove(BeforeEachAgent)
	wantList(t, list, "p p")
	m.Inject(BeforeEachAgent)
	wantList(t, list, "p p a p")
}

// By identity, not by equality; what the caller deleted is tolerated, and
// so is a list that the caller replaced.
//
// BS-LST-03.
func TestRemoveGoesByIdentity(t *testing.T) {
	t.Parallel()
	mine := &msg{"system", "a", Mark{Skill: "s", Name: "a", Timing: AfterUserInput}}
	list := []*msg{mine}
	m := manager(&list, hook("a", AfterUserInput, false))
	m.Remove(AfterUserInput)
	wantList(t, list, "a")
	m.Inject(AfterUserInput)
	copied := *list[1] // equal in every member
	list = append(list, &copied)
	m.Remove(AfterUserInput)
	m.Remove(AfterUserInput)
	if len(list) != 2 || list[0] != mine || list[1] != &copied {
		t.Errorf("%v", list)
	}
	m.Inject(AfterUserInput)
	list = []*msg{mine} // the caller began a new list
	m.Remove(AfterUserInput)
	wantList(t, list, "a")
	m.Inject(AfterUserInput)
	m.Inject(AfterUserInput)
	list = []*msg{list[2], mine, list[1]} // … or put it into another order
	list[0].content = "changed"
	m.Remove(AfterUserInput)
	if len(list) != 1 || list[0] != mine {
		t.Errorf("%v", list)
	}
}

// A slice that the caller took before a change does not change.
//
// BS-LST-04.
func TestSlicesThatWereTakenStay(t *testing.T) {
	t.Parallel()
	list := make([]*msg, 0, 100)
	list = append(list, &msg{content: "x"})
	m := manager(&list, hook("a", AfterUserInput, false))
	other := append(list, &msg{content: "y"})
	m.Inject(AfterUserInput)
	wantList(t, other, "x y")
	sent := list
	m.Remove(AfterUserInput)
	m.InjectPrompt("p", "")
	wantList(t, sent, "x a")
	wantList(t, list, "x p")
}

// Prompts of the system and hooks do not know of each other.
func TestPromptsOfTheSystemAreApart(t *testing.T) {
	t.Parallel()
	list := []*msg{{content: "hi"}}
	m := manager(&list, hook("a", BeforePlanning, false))
	m.Inject(BeforePlanning)
	ref := m.InjectPrompt("plan", "")
	if ref.role != "system" || m.InjectPrompt("as user", User).role != "user" {
		t.Error("the role")
	}
	wantList(t, list, "hi a plan as user")
	m.Remove(BeforePlanning)
	wantList(t, list, "hi plan as user")
	m.RemovePrompt(ref)
	wantList(t, list, "hi as user")
	m.RemovePrompt(ref)                 // used already
	m.RemovePrompt(list[0])             // the caller's
	m.RemovePrompt(nil)                 // nobody's
	m.RemovePrompt(&msg{content: "hi"}) // unknown
	list = append(list, ref)            // the caller put it back: it is the caller's now
	m.Inject(BeforePlanning)            // and a hook's message
	m.RemovePrompt(ref)                 // …
	m.RemovePrompt(list[len(list)-1])   // … is no prompt
	wantList(t, list, "hi as user plan a")
}

// What is persistent comes back with the next request and is put in
// again; a skill that is switched off leaves the copies as plain messages.
//
// BS-LST-05.
func TestPersistentPromptsComeWithTheHistory(t *testing.T) {
	t.Parallel()
	var history []*msg
	for request, want := range []string{"q0 p", "q0 p q1 p", "q0 p q1 p q2 p"} {
		history = append(history, &msg{role: "user", content: fmt.Sprint("q", request)})
		list := slices.Clone(history)
		m := manager(&list, hook("p", AfterUserInput, true), hook("n", AfterUserInput, false))
		stored := m.Inject(AfterUserInput)
		m.Remove(AfterUserInput)
		m.Close()
		wantList(t, list, want)
		for _, s := range stored {
			history = append(history, &msg{string(s.Role), s.Content, Mark{Skill: s.Skill, Name: s.Name, Persistent: true}})
		}
	}
	list := append(slices.Clone(history), &msg{content: "q3"})
	m := manager(&list)
	if stored := m.Inject(AfterUserInput); stored != nil {
		t.Error(stored)
	}
	m.Remove(AfterUserInput)
	m.Close()
	wantList(t, list, "q0 p q1 p q2 p q3")
}

// Max_copies bounds the copies that are in the list, those of earlier
// requests too if the caller says which they are.
//
// BS-LST-02.
func TestMaxCopies(t *testing.T) {
	t.Parallel()
	h := hook("p", BeforeEachAgent, true)
	h.MaxCopies = 2
	var list []*msg
	m := manager(&list, h)
	for range 5 {
		m.Remove(BeforeEachAgent)
		m.Inject(BeforeEachAgent)
	}
	wantList(t, list, "p p")
	list = list[1:] // the caller summarised the beginning away
	m.Inject(BeforeEachAgent)
	wantList(t, list, "p p")

	later := manager(&list, h)
	later.Resume(func(m *msg) (Mark, bool) { return m.mark, m.mark.Name != "" })
	later.Inject(BeforeEachAgent)
	wantList(t, list, "p p")
	list = append(list, &msg{content: "p"}) // an equal message is no copy
	list = list[1:]
	later.Inject(BeforeEachAgent)
	wantList(t, list, "p p p")
}

// Close takes out all that is not persistent, at any point, twice too.
func TestCloseTakesOutAllButThePersistent(t *testing.T) {
	t.Parallel()
	list := []*msg{{content: "hi"}}
	var hooks []Hook
	for _, timing := range Timings() {
		hooks = append(hooks, hook("n", timing, false))
	}
	m := manager(&list, append(hooks, hook("p", AfterUserInput, true))...)
	for _, timing := range Timings() {
		m.Inject(timing)
	}
	ref := m.InjectPrompt("step", "")
	m.Close()
	m.Close()
	m.RemovePrompt(ref)
	wantList(t, list, "hi p")
	m.Inject(BeforePlanning)
	wantList(t, list, "hi p n")
}

// The prompts of several tools stand side by side; the next
// round with tools removes all of them, whether a filter matches or not.
//
// BS-LST-08.
func TestPromptsOfSeveralTools(t *testing.T) {
	t.Parallel()
	a, b, all := hook("a", AfterToolCall, false), hook("b", AfterToolCall, false), hook("all", AfterToolCall, false)
	a.Tools, b.Tools = []string{"A"}, []string{"B"}
	var list []*msg
	m := manager(&list, a, b, all)
	for _, round := range []struct {
		name  string
		tools []string
		want  string
	}{
		{"two tools, one twice", []string{"A", "B", "A"}, "a all b all a all"},
		{"another tool", []string{"B"}, "b all"},
		{"a tool that none asks for", []string{"C"}, "all"},
		{"no tool", nil, ""},
		{"a tool without a name", []string{""}, "all"},
	} {
		t.Run(round.name, func(t *testing.T) {
			m.Remove(AfterToolCall)
			for _, tool := range round.tools {
				m.Inject(AfterToolCall, tool)
			}
			wantList(t, list, round.want)
		})
	}
	m = manager(&list, a)
	m.Inject(AfterToolCall, "A")
	m.Remove(AfterToolCall) // no filter matches C
	m.Inject(AfterToolCall, "C")
	wantList(t, list, "all")
}

// Managers of different lists are independent, at the same time too (run
// with -race); they share the hooks that Scan made.
func TestManagersOfDifferentListsAreIndependent(t *testing.T) {
	t.Parallel()
	h := hook("h", AfterToolCall, false)
	h.Tools = []string{"/^R/"}
	hooks := []Hook{h}
	done := make(chan string)
	for range 4 {
		go func() {
			var list []*msg
			m := NewManager(&list, hooks, newMsg)
			for range 20 {
				m.Remove(AfterToolCall)
				m.Inject(AfterToolCall, "Read")
			}
			done <- contents(list)
		}()
	}
	for range 4 {
		if got := <-done; got != "h" {
			t.Error(got)
		}
	}
}

// When and match.
//
// BS-FLT-03, BS-FLT-05.
func TestWhenAndMatch(t *testing.T) {
	t.Parallel()
	invoked, match := hook("i", AfterUserInput, false), hook("m", AfterUserInput, false)
	invoked.Invoked, match.Match = true, "(?i)deploy|发布"
	for _, c := range []struct {
		name, input string
		invoked     func(string) bool
		want        string
	}{
		{"nothing was asked", "", nil, "i"}, {"what matches, of a skill that is invoked", "please Deploy", func(s string) bool { return s == "s" }, "i m"}, {"what matches, of no skill that is invoked", "准备发布", func(string) bool { return false }, "m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var list []*msg
			m := manager(&list, invoked, match)
			m.Input, m.Invoked = c.input, c.invoked
			m.Inject(AfterUserInput)
			wantList(t, list, c.want)
		})
	}
}

// Ten hooks, three rounds: the length of the list at every point.
func TestTenHooksThreeRounds(t *testing.T) {
	t.Parallel()
	var hooks []Hook
	for i := range 10 {
		hooks = append(hooks, hook(fmt.Sprint(i), Timings()[i%5], i == 5)) // 5: after_user_input
	}
	list := []*msg{{content: "q"}}
	m := manager(&list, hooks...)
	length := func(want int) {
		t.Helper()
		if len(list) != want {
			t.Fatalf("%d messages, want %d", len(list), want)
		}
	}
	m.Inject(AfterUserInput)
	length(3)
	for round := range 3 {
		m.Remove(BeforeEachAgent)
		m.Inject(BeforeEachAgent)
		if round == 0 {
			m.Inject(BeforeFirstAgent)
		}
		ref := m.InjectPrompt("step", "")
		length(3 + 2 + 2 + 1 + min(round, 1)*2)
		m.Remove(AfterToolCall)
		m.Inject(AfterToolCall, "x")
		m.RemovePrompt(ref)
		length(3 + 2 + 2 + 2)
	}
	m.Remove(BeforeFirstAgent)
	m.Remove(AfterToolCall)
	length(3 + 2)
	m.Close()
	length(2)
}

// No hooks: only the caller's messages and prompts.
func TestNoHooks(t *testing.T) {
	t.Parallel()
	list := []*msg{{content: "q"}}
	m := manager(&list)
	for _, timing := range Timings() {
		m.Inject(timing, "tool")
		m.Remove(timing)
	}
	m.Close()
	wantList(t, list, "q")
}
