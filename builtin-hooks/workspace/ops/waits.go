package ops

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/reminder"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Kinds of what waits for a person.
const (
	WaitPlan     = "plan"     // a plan that was made, and is to be approved
	WaitProblem  = "problem"  // something is in the way of a node, or is asked
	WaitDispatch = "dispatch" // how what subagents committed comes home
)

// A Wait is something that a person has to say before work goes on. Token is the one
// that the agent was given for the answer; a problem has none.
type Wait struct {
	Kind, Node, Token string
	Ways              []string // to choose from
}

// Waits are what waits for the person in a workspace: plans and merges that an agent was
// told to ask about and has not answered for, and open problems, in the order of the tree.
func (d *Operator) Waits(s *workspace.Store) (list []Wait) {
	var tokens protocol.Object
	if d.State != "" {
		b, _ := statefile.Read((&call{Operator: d}).tokensPath())
		tokens, _ = protocol.ParseObject(b)
	}
	for _, m := range tokens {
		o := protocol.ObjectOf(m.Value)
		n := s.Graph.Node(o.Text("nodeId"))
		if o.Text("workspaceId") != s.Entry.ID || n == nil || !d.Now().Before(workspace.ParseStamp(o.Text("until"))) {
			continue
		}
		switch how := dispatch(s); {
		case o.Text("type") == "show_plan" && !workspace.Terminal(n.Status()):
			list = append(list, Wait{Kind: WaitPlan, Node: n.ID(), Token: m.Name})
		case o.Text("type") == "ask_user" && o.Text("for") != "" && how.Bool("useGit"):
			list = append(list, Wait{Kind: WaitDispatch, Node: n.ID(), Token: m.Name, Ways: []string{"sequential", "squash", "cherry-pick", "skip"}})
		}
	}
	for _, n := range s.Graph.Below(s.Graph.Root()) {
		if problem, _ := s.Problem(n); reminder.Open(problem) && !workspace.Terminal(n.Status()) {
			list = append(list, Wait{Kind: WaitProblem, Node: n.ID()})
		}
	}
	return list
}

// A Reply is what a person says to a Wait.
type Reply struct {
	Wait
	Text string // in their words; of a plan and of a merge it may be empty
	Way  string // of those that there are
	Seen string // of a problem: as it was shown
}

// errChanged refuses a reply to something that has changed since it was shown.
var errChanged = &op.Error{Code: "CHANGED", Message: "it is no longer what was shown: it changed, or was answered elsewhere"}

// Reply does what a person said. Agents are told of it with their next prompt.
func (d *Operator) Reply(ctx context.Context, space string, r Reply) error {
	if !d.Person {
		return refusal("PERSON_ONLY", "only a person may answer this", "")
	}
	r.Text = strings.TrimSpace(redact.Memory.Text(r.Text))
	c := &call{Context: ctx, Operator: d, now: d.Now(), tool: &op.Op{Name: "reply"},
		args: object("workspaceId", space, "nodeId", r.Node, "confirmation", object("token", r.Token, "userInput", r.Text))}
	var err error
	switch r.Kind {
	case WaitPlan:
		err = c.change(func(s *workspace.Store) error { return c.approve(s, r) })
	case WaitProblem:
		err = c.change(func(s *workspace.Store) error { return c.answer(s, r) })
	case WaitDispatch:
		if !slices.Contains([]string{"sequential", "squash", "cherry-pick", "skip"}, r.Way) {
			return refusal(op.InvalidParams, "want a way to bring it home", "")
		}
		said := cmp.Or(r.Text, r.Way)
		_, err = d.Call(ctx, "dispatch_disable_execute", object("workspaceId", space, "mergeStrategy", r.Way, "confirmation", object("token", r.Token, "userInput", said)))
	default:
		return refusal(op.InvalidParams, "kind "+r.Kind+": want plan, problem or dispatch", "")
	}
	if err != nil {
		return c.explain(err)
	}
	return nil
}

// approve notes that a person approved a plan, by the token of its agent.
func (c *call) approve(s *workspace.Store, r Reply) error {
	n, err := c.node(s, "nodeId")
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(c.Waits(s), func(w Wait) bool { return w.Kind == WaitPlan && w.Node == n.ID() && w.Token == r.Token }) {
		return errChanged
	}
	if _, err := c.confirm(s.Entry.ID, n.ID()); err != nil {
		return err
	}
	event := c.say("the plan is approved", "计划已批准")
	if r.Text != "" {
		event += ": " + r.Text
	}
	if _, err := s.Log(n, workspace.Human, event); err != nil {
		return err
	}
	n.Approve(stamp(c.now))
	if err := s.SaveGraph(); err != nil {
		return err
	}
	return c.spend()
}

// answer adds what a person said to a problem of a node: the agent reads both, and
// removes the problem once it is solved.
func (c *call) answer(s *workspace.Store, r Reply) error {
	n, err := c.node(s, "nodeId")
	if err != nil {
		return err
	}
	if r.Text == "" {
		return c.invalid("the answer is empty", "回答为空")
	}
	if err := c.lines("text", r.Text); err != nil {
		return err
	}
	problem, next := s.Problem(n)
	if problem == "" || problem != r.Seen {
		return errChanged
	}
	if err := s.SetProblem(n, problem+"\n\n"+c.say("Answer of the user: ", "用户的回答：")+r.Text, next); err != nil {
		return err
	}
	n.SetText("updatedAt", stamp(c.now))
	if err := s.SaveGraph(); err != nil {
		return err
	}
	_, err = s.Log(n, workspace.Human, c.say("answered: ", "回答：")+r.Text)
	return err
}
