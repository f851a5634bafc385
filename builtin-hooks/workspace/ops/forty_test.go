package ops

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// forty is a plan of 40 tasks in eight parts: each part waits for another one, and in
// it the tasks for one another, some across.
func forty() string {
	var b strings.Builder
	b.WriteString("# Move the shop to the new ledger\n\nEvery order goes through the new ledger, and the old one is switched off.\n\n## Rules\n- keep the public API\n- no new dependency\n\n")
	for part := range 8 {
		fmt.Fprintf(&b, "## Part %d: %s\n", part, []string{"schema", "writer", "reader", "refunds", "reports", "import", "switch", "clean up"}[part])
		for i := range 5 {
			fmt.Fprintf(&b, "- [ ] %d.%d Task %d of %s", part, i, i, []string{"the schema", "the writer", "the reader", "refunds", "reports", "the import", "the switch", "cleaning up"}[part])
			var after []string
			if i > 0 && i != 3 {
				after = append(after, fmt.Sprintf("%d.%d", part, i-1))
			}
			if part > 1 && i == 0 {
				after = append(after, fmt.Sprintf("%d.4", part-2))
			}
			if after != nil {
				b.WriteString(" (after: " + strings.Join(after, ", ") + ")")
			}
			fmt.Fprintf(&b, "\n  Do what part %d needs for step %d, and leave the tests green.\n  - accept: step %d of part %d fails => the old ledger is unchanged\n", part, i, i, part)
		}
	}
	return b.String()
}

// BW-NXT-09: a plan of 40 tasks is worked to its end by two agents that know nothing but
// what the answers say; one of them dies again and again, and its node is taken up when
// its lease is over. No order is broken, nothing is done twice, and a task costs no more
// than 1,200 characters of calls and answers, which is some 300 tokens.
func TestFortyTasks(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a plan of forty tasks, each begun and done")
	s := newStage(t)
	ws := s.call("workspace_init", "name", "ledger", "goal", "g").Text("workspaceId")
	if n := len(s.call("plan_create", "workspaceId", ws, "plan", forty()).Sub("nodes")); n != 48 {
		t.Fatalf("%d nodes", n)
	}
	chars, tasks, deaths, lives := 0, map[string]int{}, 0, 0
	said := func(name string, kv ...any) (protocol.Object, error) {
		o, err := s.Call(t.Context(), name, object(kv...))
		given := string(object(kv...).Raw())
		answer := string(o.Raw())
		if err != nil {
			answer = err.Error()
		}
		chars += len(name) + len(given) + len(answer)
		t.Logf("%s %s\n%s", name, given, answer)
		return o, err
	}
	finished := map[string]bool{}
	for step := 0; ; step++ {
		if step > 400 {
			t.Fatal("it does not end")
		}
		s.now = s.now.Add(time.Minute)
		who := []string{"steady", fmt.Sprint("frail", lives)}[step%2]
		o, err := said("node_begin", "workspaceId", ws, "sessionId", who)
		if err != nil {
			if strings.Contains(err.Error(), "every node is done") {
				break
			}
			if !strings.Contains(err.Error(), "Nothing can be begun") {
				t.Fatal(err)
			}
			s.now = s.now.Add(31 * time.Minute) // what a dead one has is free then
			continue
		}
		title := o.Text("title")
		now := s.open(ws)
		for _, n := range now.Graph.Nodes() {
			if now.Title(n) != title {
				continue
			}
			for _, before := range now.Graph.Blockers(n) {
				t.Errorf("%q was begun before %q", title, now.Title(before))
			}
		}
		if who != "steady" && step%6 == 1 {
			lives, deaths = lives+1, deaths+1 // it is killed with the node in its hands
			continue
		}
		if finished[title] {
			t.Errorf("%q was done twice", title)
		}
		finished[title] = true
		must.Do(t, must.Err(said("node_done", "workspaceId", ws, "sessionId", who, "conclusion", "Did "+title+"; all tests pass.", "evidence", []string{"go test ./ledger"})))
		tasks[who]++
	}
	if done, all := s.open(ws).Graph.Progress(); done != 48 || all != 48 || len(finished) != 48 || deaths < 3 {
		t.Errorf("%d of %d, %d finished, %d deaths", done, all, len(finished), deaths)
	}
	if per := chars / 48; per > 1200 {
		t.Errorf("%d characters a task", per)
	} else {
		t.Logf("%d characters a task, %d deaths, %v", per, deaths, tasks)
	}
}
