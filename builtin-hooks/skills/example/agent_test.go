package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A recorder is a model that answers what it is told to, and keeps what it saw.
type recorder struct {
	replies []Reply
	fail    int // the call that fails, from 1
	seen    []string
}

var errModel = errors.New("the model failed")

func (r *recorder) answer(_ context.Context, call string, messages []*Message) (Reply, error) {
	var all []string
	for _, m := range messages {
		all = append(all, m.Content)
	}
	r.seen = append(r.seen, call+": "+strings.Join(all, " "))
	if len(r.seen) == r.fail {
		return Reply{}, errModel
	}
	reply := r.replies[0]
	r.replies = r.replies[1:]
	return reply, nil
}

func hookAt(t skills.Timing, persistent bool) skills.Hook {
	name := string(t)
	if persistent {
		name += "!"
	}
	return skills.Hook{Skill: "s", Name: name, Timing: t, Role: skills.System, Persistent: persistent, Content: name}
}

// oneEach is a prompt at each checkpoint.
func oneEach() (hooks []skills.Hook) {
	for _, t := range skills.Timings() {
		hooks = append(hooks, hookAt(t, false))
	}
	return hooks
}

func tool(_ context.Context, name string) (string, error) {
	if name == "broken" {
		return "", errors.New("the tool failed")
	}
	return "result-" + name, nil
}

func contents(list []*Message) string {
	var out []string
	for _, m := range list {
		out = append(out, m.Content)
	}
	return strings.Join(out, " ")
}

const (
	planPrompt = "Plan first: do you need a tool?"
	stepPrompt = "Go on, step by step."
)

// What the model sees in each call of the flow chart, word for
// word; and an end at every place where it may end.
//
// BS-LST-07.
func TestWhatTheModelSeesInEachCall(t *testing.T) {
	t.Parallel()
	use, done := Reply{Calls: []string{"a"}}, Reply{Text: "done"}
	const (
		plan  = "planning: q after_user_input before_planning " + planPrompt
		first = "round: q after_user_input before_each_agent before_first_agent " + stepPrompt
		// The prompts of a round stand where they were put in.
		second = "round: q after_user_input before_first_agent result-a after_tool_call before_each_agent " + stepPrompt
		third  = "round: q after_user_input before_first_agent result-a result-b after_tool_call before_each_agent " + stepPrompt
	)
	for _, c := range []struct {
		name    string
		replies []Reply
		tools   bool
		fail    int
		want    []string
		left    string // of the list
		err     bool
	}{
		{"no tools", []Reply{done}, false, 0, []string{"direct: q after_user_input"}, "q done", false},
		{"no tool needed", []Reply{done}, true, 0, []string{plan}, "q done", false},
		{"planning fails", nil, true, 1, []string{plan}, "q", true},
		{"one round", []Reply{{NeedTool: true}, done}, true, 0, []string{plan, first}, "q done", false},
		{"three rounds", []Reply{{NeedTool: true}, use, {Calls: []string{"b"}}, done}, true, 0, []string{plan, first, second, third}, "q result-a result-b done", false},
		{"first round fails", []Reply{{NeedTool: true}}, true, 2, []string{plan, first}, "q", true},
		{"second round fails", []Reply{{NeedTool: true}, use}, true, 3, []string{plan, first, second}, "q result-a", true},
		{"a tool fails", []Reply{{NeedTool: true}, {Calls: []string{"a", "broken"}}}, true, 0, []string{plan, first}, "q result-a", true},
		{"direct call fails", nil, false, 1, []string{"direct: q after_user_input"}, "q", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := &recorder{replies: c.replies, fail: c.fail}
			agent := Agent{Model: model.answer, Tool: tool, Hooks: oneEach()}
			list := []*Message{{Role: "user", Content: "q"}}
			stored, err := agent.Request(context.Background(), &list, c.tools)
			if (err != nil) != c.err || stored != nil {
				t.Errorf("%v, %v", stored, err)
			}
			if !slices.Equal(model.seen, c.want) {
				t.Errorf("seen\n%s\nwant\n%s", strings.Join(model.seen, "\n"), strings.Join(c.want, "\n"))
			}
			if got := contents(list); got != c.left {
				t.Errorf("left %q, want %q", got, c.left)
			}
		})
	}
}

// The table of the specification, cell by cell.
//
// BS-LST-07.
func TestVisibilityOfEachTiming(t *testing.T) {
	t.Parallel()
	model := &recorder{replies: []Reply{{NeedTool: true}, {Calls: []string{"a"}}, {Calls: []string{"b"}}, {}}}
	hooks := oneEach()
	for _, tool := range []string{"a", "b"} {
		h := hookAt(skills.AfterToolCall, false)
		h.Name, h.Content, h.Tools = "of-"+tool, "of-"+tool, []string{tool}
		hooks = append(hooks, h)
	}
	agent := Agent{Model: model.answer, Tool: tool, Hooks: hooks}
	list := []*Message{{Content: "q"}}
	must.Do(t, must.Err(agent.Request(context.Background(), &list, true)))
	rows := map[string]string{ // copies in the planning call, rounds 1 to 3, and afterwards
		"after_user_input": "1 1 1 1 0", "before_planning": "1 0 0 0 0", "before_first_agent": "0 1 1 1 0",
		"before_each_agent": "0 1 1 1 0", "after_tool_call": "0 0 1 1 0", "of-a": "0 0 1 0 0", "of-b": "0 0 0 1 0",
	}
	for content, want := range rows {
		t.Run(content, func(t *testing.T) {
			var got []string
			for _, call := range append(model.seen, "afterwards: "+contents(list)) {
				got = append(got, fmt.Sprint(count(strings.Fields(call), content)))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: seen %s, want %s", content, strings.Join(got, " "), want)
			}
		})
	}
}

func count(list []string, word string) (n int) {
	for _, w := range list {
		if w == word {
			n++
		}
	}
	return n
}

// A request that is cancelled, before any call, leaves a clean list.
//
// BS-LST-06.
func TestACancelledRequestLeavesACleanList(t *testing.T) {
	t.Parallel()
	replies := []Reply{{NeedTool: true}, {Calls: []string{"a"}}, {Calls: []string{"a"}}, {}}
	for calls := range 5 {
		ctx, cancel := context.WithCancel(context.Background())
		model := &recorder{replies: slices.Clone(replies)}
		agent := Agent{Tool: tool, Hooks: append(oneEach(), hookAt(skills.AfterUserInput, true)), Model: func(ctx context.Context, call string, messages []*Message) (Reply, error) {
			r, err := model.answer(ctx, call, messages)
			if len(model.seen) == calls {
				cancel()
			}
			return r, err
		}}
		if calls == 0 {
			cancel()
		}
		list := []*Message{{Content: "q"}}
		stored, err := agent.Request(ctx, &list, true)
		cancel()
		if (err != nil) != (calls < 4) || len(model.seen) != calls || len(stored) != 1 {
			t.Errorf("after %d calls: %v, %d calls, %v", calls, err, len(model.seen), stored)
		}
		want := "q after_user_input!" + strings.Repeat(" result-a", max(0, min(calls-1, 2)))
		if got := contents(list); got != want {
			t.Errorf("after %d calls: %q, want %q", calls, got, want)
		}
	}
}

// Persistent prompts multiply by design, over rounds and over
// requests.
func TestPersistentOverRequests(t *testing.T) {
	t.Parallel()
	agent := Agent{Tool: tool, Hooks: []skills.Hook{hookAt(skills.AfterUserInput, true), hookAt(skills.BeforeEachAgent, true)}}
	var list []*Message
	for request, want := range []string{"1 2", "2 4", "3 6"} {
		model := &recorder{replies: []Reply{{NeedTool: true}, {Calls: []string{"a"}}, {}}}
		agent.Model = model.answer
		list = append(list, &Message{Content: "q"})
		stored, err := agent.Request(context.Background(), &list, true)
		if err != nil || len(stored) != 3 {
			t.Fatal(stored, err)
		}
		words := strings.Fields(model.seen[2])
		if got := fmt.Sprint(count(words, "after_user_input!"), " ", count(words, "before_each_agent!")); got != want {
			t.Errorf("request %d: %s copies, want %s", request+1, got, want)
		}
	}
}

// Whatever a model and its tools do, a list holds afterwards what
// the conversation itself brought, and never two copies of a prompt at a time.
//
// BS-LST-06.
func TestRandomRequestsLeaveACleanList(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		model := &recorder{}
		for range 1 + rnd.IntN(6) {
			var calls []string
			for range rnd.IntN(3) {
				calls = append(calls, []string{"a", "b", "broken"}[rnd.IntN(3)])
			}
			model.replies = append(model.replies, Reply{Text: "said", NeedTool: rnd.IntN(4) > 0, Calls: calls})
		}
		model.fail = 1 + rnd.IntN(len(model.replies)+1)
		if model.fail > len(model.replies) {
			model.replies[len(model.replies)-1].Calls = nil
		}
		agent := Agent{Model: model.answer, Tool: tool, Hooks: oneEach()}
		list := []*Message{{Content: "q"}}
		_, _ = agent.Request(context.Background(), &list, rnd.IntN(5) > 0)
		for _, m := range list {
			if m.Hook != "" || m.Content == planPrompt || m.Content == stepPrompt {
				t.Fatalf("seed %d: %q is left", seed, m.Content)
			}
		}
		for _, call := range model.seen {
			words := strings.Fields(call)
			for _, timing := range []string{"after_user_input", "before_planning", "before_first_agent", "before_each_agent"} {
				if n := count(words, timing); n > 1 {
					t.Fatalf("seed %d: %d copies in %s", seed, n, call)
				}
			}
		}
	}
}

var update = flag.Bool("update", false, "write what the example prints")

// What the example prints stands in docs/skills.md too.
func TestExample(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	must.Do(t, show(&out))
	const golden = "testdata/output.txt"
	if *update {
		must.Write(t, golden, out.Bytes())
	}
	want, err := os.ReadFile(golden)
	if err != nil || out.String() != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%v\n%s", err, &out)
	}
}
