package ops

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Actions on a node.
const (
	start    = "start"
	submit   = "submit"
	complete = "complete"
	fail     = "fail"
	retry    = "retry"
	reopen   = "reopen"
	cancel   = "cancel"
)

func transitionTools() []operation {
	return []operation{{op.Op{Name: "node_transition", Command: "node transition", People: op.Text{English: "start, submit, complete, fail, retry, reopen, cancel", Chinese: "启动、提交、完成、失败、重试、重新打开、取消"}, Words: []string{"nodeId", "action"},
		Model: op.Text{English: "Changes the state of a node. Execution: start, submit (to be validated), complete, fail, retry, reopen. Planning: start, complete, cancel, reopen. complete, fail and cancel want a conclusion; a planning node is complete when all its children are done with; of the execution nodes below one parent only one is at work.", Chinese: "改变节点状态。执行节点：start、submit（提交验证）、complete、fail、retry、reopen；规划节点：start、complete、cancel、reopen。complete、fail、cancel 必须提供 conclusion；规划节点要在所有子节点结束后才能完成；同一父节点下同时只能有一个执行中的节点。"},
		Args: []op.Arg{argWorkspace(), argNode(),
			{Name: "action", Required: true, Words: Actions(), Model: op.Text{English: "what to do", Chinese: "转换动作"}},
			{Name: "reason", Model: op.Text{English: "why, for the log", Chinese: "原因（写入日志）"}},
			{Name: "conclusion", Model: op.Text{English: "what came of it", Chinese: "结论"}},
			argConfirm(), argWindow()}}, nodeTransition}}
}

// Actions are all actions on nodes.
func Actions() []string { return []string{start, submit, complete, fail, retry, reopen, cancel} }

// next is the state that an action leads to, "" if it leads nowhere.
func next(kind, status, action string) string {
	type step struct{ kind, from, action string }
	return map[step]string{
		{workspace.Execution, workspace.Pending, start}:         workspace.Implementing,
		{workspace.Execution, workspace.Implementing, submit}:   workspace.Validating,
		{workspace.Execution, workspace.Implementing, complete}: workspace.Completed,
		{workspace.Execution, workspace.Implementing, fail}:     workspace.Failed,
		{workspace.Execution, workspace.Validating, complete}:   workspace.Completed,
		{workspace.Execution, workspace.Validating, fail}:       workspace.Failed,
		{workspace.Execution, workspace.Failed, retry}:          workspace.Implementing,
		{workspace.Execution, workspace.Completed, reopen}:      workspace.Implementing,
		{workspace.Planning, workspace.Pending, start}:          workspace.Planning,
		{workspace.Planning, workspace.Planning, complete}:      workspace.Completed,
		{workspace.Planning, workspace.Planning, cancel}:        workspace.Cancelled,
		{workspace.Planning, workspace.Monitoring, complete}:    workspace.Completed,
		{workspace.Planning, workspace.Monitoring, cancel}:      workspace.Cancelled,
		{workspace.Planning, workspace.Completed, reopen}:       workspace.Planning,
		{workspace.Planning, workspace.Cancelled, reopen}:       workspace.Planning,
	}[step{kind, status, action}]
}

// actions are those that a node in a state allows.
func actions(kind, status string) []string {
	var out []string
	for _, a := range Actions() {
		if next(kind, status, a) != "" {
			out = append(out, a)
		}
	}
	return out
}

func nodeTransition(c *call) (protocol.Object, error) {
	var answer protocol.Object
	focused := ""
	err := c.change(func(s *workspace.Store) error {
		n, err := c.node(s, "nodeId")
		if err != nil {
			return err
		}
		answered, err := c.confirm(s.Entry.ID, n.ID())
		if err != nil {
			return err
		}
		from := n.Status()
		m, err := c.move(s, n)
		if err != nil {
			return err
		}
		if answered != "" {
			if _, err := s.Log(n, workspace.Human, c.sayf("confirmed: %s", "用户确认: %s", answered)); err != nil {
				return err
			}
		}
		if err := m.write(); err != nil {
			return err
		}
		if m.focus {
			focused = n.ID()
		}
		answer = object("success", true, "previousStatus", from, "currentStatus", n.Status(), "conclusion", m.concluded())
		if err := m.tell(&answer); err != nil {
			return err
		}
		if workspace.Terminal(n.Status()) {
			if err := c.release(s, n.ID()); err != nil {
				return err
			}
		}
		return c.spend()
	})
	if err == nil && focused != "" {
		err = c.Place.Focus(c.text("sessionId"), c.text("workspaceId"), focused, c.now)
	}
	return answer, err
}

// A move is one transition: first everything is checked and changed in memory,
// then written.
type move struct {
	*call
	s          *workspace.Store
	n          *workspace.Node
	action     string
	from       string
	conclusion string
	cascade    []*workspace.Node // whose state changed too
	told       []string          // of them
	focus      bool
	rules      []string // that go into the workspace
	docs       []workspace.Doc
}

// move checks the guards and changes the graph.
func (c *call) move(s *workspace.Store, n *workspace.Node) (*move, error) {
	m := &move{call: c, s: s, n: n, action: c.text("action"), from: n.Status(), conclusion: strings.TrimSpace(c.text("conclusion"))}
	to := next(n.Type(), m.from, m.action)
	if to == "" {
		return nil, refusal("INVALID_TRANSITION", c.sayf("a node of type %s that is %s cannot do %s", "非法状态转换：%s 节点处于 %s，不允许 %s", n.Type(), m.from, m.action), c.allowed(n))
	}
	if slices.Contains([]string{complete, fail, cancel}, m.action) && m.conclusion == "" {
		return nil, c.refuse("CONCLUSION_REQUIRED", "%s needs a conclusion", "%s 必须提供 conclusion", m.action)
	}
	if err := m.conclude(); err != nil {
		return nil, err
	}
	if n.Type() == workspace.Planning && m.action == complete {
		if err := c.childrenDone(s, n); err != nil {
			return nil, err
		}
	}
	if m.action == start || m.action == retry {
		if err := c.mine(s, n); err != nil {
			return nil, err
		}
	}
	working := to == workspace.Implementing
	if working {
		if err := c.alone(s, s.Graph.Parent(n), n); err != nil {
			return nil, err
		}
	}
	n.SetText("status", to)
	n.SetText("updatedAt", stamp(c.now))
	n.PutText("conclusion", m.conclusion)
	if m.action == start || m.action == retry || m.action == reopen {
		n.SetText("startedAt", stamp(c.now))
		s.Graph.SetFocus(n.ID())
		m.focus = true
	}
	if n.SetBy(c.by()); working {
		m.wake()
	}
	return m, nil
}

func (c *call) allowed(n *workspace.Node) string {
	list := actions(n.Type(), n.Status())
	if list == nil {
		return ""
	}
	return c.sayf("now possible: %s", "当前允许：%s", strings.Join(list, ", "))
}

// conclude checks the conclusion. Of a node that collects information the
// headings of rules and documents are read, and all headings made smaller, since
// a line with "## " would divide the page.
func (m *move) conclude() error {
	if m.n.Role() != "info_collection" || m.action != complete {
		return m.lines("conclusion", m.conclusion)
	}
	m.rules, m.docs = collected(m.conclusion)
	var b strings.Builder
	for line := range strings.Lines(m.conclusion) {
		if strings.HasPrefix(line, "## ") {
			line = "#" + line
		}
		b.WriteString(line)
	}
	m.conclusion = b.String()
	if err := m.lines("conclusion", m.conclusion); err != nil {
		return err
	}
	_, err := m.call.rules(m.rules)
	return err
}

// collected are the rules and documents in a conclusion.
func collected(text string) (rules []string, docs []workspace.Doc) {
	part := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if head, ok := heading(line); ok {
			part = head
			continue
		}
		item, ok := strings.CutPrefix(line, "- ")
		if item = strings.TrimSpace(item); !ok || item == "" {
			continue
		}
		switch part {
		case "rules":
			rules = append(rules, item)
		case "docs":
			if d := document(item); d.Path != "" {
				docs = append(docs, d)
			}
		}
	}
	return rules, docs
}

// heading tells which part a line begins: ## and ### headings and lines in bold.
func heading(line string) (part string, ok bool) {
	name := strings.TrimLeft(line, "#")
	if hashes := len(line) - len(name); hashes < 1 || name == "" || name[0] != ' ' {
		bold := strings.TrimRight(line, "：: ")
		if len(bold) < 5 || !strings.HasPrefix(bold, "**") || !strings.HasSuffix(bold, "**") {
			return "", false
		}
		name = strings.Trim(bold, "*")
	}
	switch strings.ToLower(strings.Trim(name, " ：:*")) {
	case "规则", "rules":
		return "rules", true
	case "文档", "docs", "documents":
		return "docs", true
	}
	return "", true
}

// document reads "path: what it is" or "[name](path) - what it is".
func document(item string) workspace.Doc {
	if d, ok := workspace.ParseDoc(item); ok {
		return d
	}
	path, text, ok := strings.Cut(item, ": ")
	if !ok {
		path, text, _ = strings.Cut(item, "：")
	}
	path = strings.Trim(path, " `")
	if path == "" || strings.ContainsAny(path, "()") {
		return workspace.Doc{}
	}
	return workspace.Doc{Path: path, Description: strings.TrimSpace(text)}
}

func (c *call) childrenDone(s *workspace.Store, n *workspace.Node) error {
	var open []string
	for _, k := range s.Graph.Kids(n) {
		if !workspace.Terminal(k.Status()) {
			open = append(open, k.ID()+" ("+k.Status()+")")
		}
	}
	if open != nil {
		return c.refuse("INCOMPLETE_CHILDREN", "children are not done yet: %s", "存在未完成的子节点：%s", strings.Join(open, ", "))
	}
	return nil
}

func atWork(n *workspace.Node) bool {
	return n.Type() == workspace.Execution && (n.Status() == workspace.Implementing || n.Status() == workspace.Validating)
}

// mine refuses to begin what another session has, or what waits for others.
func (c *call) mine(s *workspace.Store, n *workspace.Node) error {
	if held := c.held(s); c.others(held, n.ID()) && !c.Person {
		return refusal("NODE_CLAIMED", c.sayf("node %q belongs to session %s", "节点 %q 属于会话 %s", s.Title(n), protocol.Plain(held[n.ID()].Session)), c.say("node_begin takes another one", "用 node_begin 领取其他节点"))
	}
	return c.unblocked(s, n)
}

// alone refuses a second node at work below one parent, unless another session has
// the first.
func (c *call) alone(s *workspace.Store, parent, n *workspace.Node) error {
	if parent == nil || c.apart {
		return nil
	}
	held := c.held(s)
	for _, k := range s.Graph.Kids(parent) {
		if k != n && atWork(k) && !c.others(held, k.ID()) && !(handed(k) && dispatch(s).Bool("useGit")) {
			return refusal("CONCURRENT_EXECUTION", c.sayf("node %s is %s", "同级节点 %s 处于 %s", k.ID(), k.Status()), c.say("complete or fail it first: one node at a time", "请先完成或回退它：一次一个节点"))
		}
	}
	return nil
}

// wake moves the planning nodes above a node in progress to monitoring; those that were
// done, only if it was reopened.
func (m *move) wake() {
	chain := m.s.Graph.Chain(m.n)
	for i := len(chain) - 2; i >= 0; i-- {
		up := chain[i]
		old := up.Status()
		again := (old == workspace.Completed || old == workspace.Cancelled) && m.action != start
		if up.Type() != workspace.Planning || old != workspace.Pending && old != workspace.Planning && !again {
			continue
		}
		up.SetText("status", workspace.Monitoring)
		up.SetText("updatedAt", stamp(m.now))
		m.cascade = append(m.cascade, up)
		m.told = append(m.told, up.ID()+": "+old+" → "+workspace.Monitoring)
	}
}

// write writes the graph, and then what repeats it.
func (m *move) write() error {
	if err := m.s.SaveGraph(); err != nil {
		return err
	}
	event := m.event() + ": " + m.from + " → " + m.n.Status()
	if reason := strings.TrimSpace(m.text("reason")); reason != "" {
		event += " (" + reason + ")"
	}
	if by := m.by(); by != m.operator() {
		event += " · " + by
	}
	if _, err := m.s.Log(m.n, m.operator(), event); err != nil {
		return err
	}
	err := m.s.SetInfo(m.n, func(p *workspace.Page) {
		if m.conclusion != "" {
			p.SetConclusion(m.conclusion)
		}
	})
	if err != nil {
		return err
	}
	for i, up := range m.cascade {
		if err := m.s.SetInfo(up, nil); err != nil {
			return err
		}
		_, event, _ := strings.Cut(m.told[i], ": ")
		if _, err := m.s.Log(up, m.operator(), m.say("a node below is at work", "子节点开始执行")+": "+event); err != nil {
			return err
		}
	}
	if m.action == complete || m.action == cancel {
		if err := m.s.SetProblem(m.n, "", ""); err != nil {
			return err
		}
	}
	return m.archive()
}

func (m *move) event() string {
	switch m.action {
	case start:
		return m.say("started", "开始")
	case submit:
		return m.say("submitted", "提交验证")
	case complete:
		return m.say("completed", "完成")
	case fail:
		return m.say("failed", "失败")
	case retry:
		return m.say("tried again", "重试")
	case reopen:
		return m.say("reopened", "重新打开")
	}
	return m.say("cancelled", "取消")
}

// archive puts what was collected into the workspace.
func (m *move) archive() error {
	if len(m.rules)+len(m.docs) == 0 {
		return nil
	}
	page := m.s.Page()
	rules, docs := page.Rules(), page.Docs()
	for _, r := range m.rules {
		if !slices.Contains(rules, r) {
			rules = append(rules, r)
		}
	}
	for _, d := range m.docs {
		if !slices.ContainsFunc(docs, func(o workspace.Doc) bool { return o.Path == d.Path }) {
			docs = append(docs, d)
		}
	}
	return m.s.SetPage(func(page *workspace.Page) error {
		page.SetRules(rules)
		page.SetDocs(docs)
		return nil
	})
}

func (m *move) concluded() any {
	if m.conclusion == "" {
		return nil
	}
	return m.conclusion
}
