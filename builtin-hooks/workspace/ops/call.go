package ops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Operator does operations for one person.
type Operator struct {
	Place   workspace.Place
	Dir     string // where it is called, "" if nobody knows
	Project string // where a new workspace goes if nobody says; absolute
	Home    string // of the person, where none goes; "" if it is not known
	State   string // directory for tokens and for what was seen
	// Sessions is the directory of what is remembered of a session; nil: nothing is.
	Sessions func(id string) string
	Lease    time.Duration // how long a claim holds; 0: half an hour
	Session  string        // of the agent that calls, if it is known and not said
	Person   bool          // a person asks, in a terminal of their own
	Program  string        // agents-hooks itself, for commands that an answer names
	Commands bool          // who calls does so by commands: advice names them
	Chinese  bool          // language of texts
	Now      func() time.Time
	Random   func() uint64
	Env      []string // for git, and for the commands of criteria
	// Shell runs a line of a shell; nil: nothing of that kind is run. CheckTime is how
	// long those of one node may take.
	Shell     func(ctx context.Context, dir string, env []string, session, line string) (exit int, said string, err error)
	CheckTime time.Duration
}

// A call is one operation.
type call struct {
	context.Context
	*Operator
	tool *op.Op
	args protocol.Object
	now  time.Time
	// apart is that a node is begun in a worktree of its own.
	apart bool
	// at is the node whose worktree it is called in, once somebody asked.
	at *string
}

func (c *call) say(en, zh string) string { return op.Text{English: en, Chinese: zh}.In(c.Chinese) }

// sayf is say with values.
func (c *call) sayf(en, zh string, values ...any) string {
	return fmt.Sprintf(c.say(en, zh), values...)
}

// refuse is an Error in the language of the operator.
func (c *call) refuse(code, en, zh string, values ...any) error {
	return refusal(code, c.sayf(en, zh, values...), "")
}

func (c *call) invalid(en, zh string, values ...any) error {
	return c.refuse(op.InvalidParams, en, zh, values...)
}

// take reads the arguments of the call, and removes from them what nobody should keep.
func (c *call) take(given protocol.Object) error {
	args, err := c.tool.Take(c.withSession(given))
	if f, ok := errors.AsType[*op.Fault](err); ok {
		return c.faulty(f)
	}
	for i, m := range args {
		a, _ := c.tool.Arg(m.Name)
		switch {
		case prose(a):
			args[i].Value = protocol.Quote(redact.Memory.Text(protocol.TextOf(m.Value)))
		case a.Kind == op.Texts:
			var list []string
			for _, e := range protocol.ElementsOf(m.Value) {
				list = append(list, redact.Memory.Text(protocol.TextOf(e)))
			}
			args[i].Value = protocol.TextList(list)
		}
	}
	c.args = args
	if name := args.Text("workspaceId"); err == nil && name != "" {
		var id string
		if id, err = c.space(name); err == nil {
			c.args.SetText("workspaceId", id)
			err = c.arrive(id)
		}
	}
	return err
}

// withSession adds what an agent need not say each time: its session, and the workspace
// that it is bound to.
func (c *call) withSession(given protocol.Object) protocol.Object {
	given = slices.DeleteFunc(slices.Clone(given), func(m protocol.Member) bool { return string(m.Value) == "null" })
	if _, ok := c.tool.Arg("sessionId"); ok && c.Session != "" && !given.Has("sessionId") {
		given.SetText("sessionId", c.Session)
	}
	_, ok := c.tool.Arg("workspaceId")
	if !ok || c.tool.Name == "session_bind" || c.tool.Name == "get_pending_changes" || given.Has("workspaceId") {
		return given
	}
	c.args = given
	given.PutText("workspaceId", c.boundWorkspace())
	return given
}

// faulty says what is wrong with the arguments, in the language of the operator.
func (c *call) faulty(f *op.Fault) error {
	switch {
	case f.Arg == nil:
		var names []string
		for _, a := range c.tool.Args {
			names = append(names, a.Name)
		}
		return c.invalid("%s has no argument %q, but %s", "%s 没有参数 %q，可用：%s", c.tool.Name, f.Name, strings.Join(names, ", "))
	case f.Missing != nil:
		return c.invalid("missing: %s", "缺少参数：%s", strings.Join(f.Missing, ", "))
	case f.Arg.Words != nil:
		return c.invalid("%s %s: want one of %s", "%s %s：应为 %s 之一", f.Name, f.Value, strings.Join(f.Arg.Words, ", "))
	}
	return c.invalid("%s %s: want %s", "%s %s：应为 %s", f.Name, text.Clip(string(f.Value), 81), want(f.Arg.Kind))
}

// prose reports whether an argument is a text of the agent's own, which goes into
// files: secrets and private parts are taken out of it.
func prose(a op.Arg) bool {
	return a.Kind == op.String && a.Words == nil && !strings.HasSuffix(a.Name, "Id") && !slices.Contains([]string{"path", "projectRoot", "cwd", "targetIdOrPath", "rulesHash", "topic", "filter"}, a.Name)
}

// boundWorkspace is what the session works on: an agent that is bound need not
// say it each time.
func (c *call) boundWorkspace() string {
	b, _ := c.Place.Binding(c.who(), c.now)
	return b.Workspace
}

func want(k op.Kind) string {
	switch k {
	case op.Bool:
		return "true or false"
	case op.Count:
		return "a whole number"
	case op.Texts:
		return "a list of texts"
	case op.Docs:
		return "a list of {path, description}"
	case op.Cases:
		return "a list of {when, then}"
	case op.Confirm:
		return "{token, userInput}"
	case op.Free:
		return "an object"
	}
	return "a text"
}

func (c *call) text(name string) string { return c.args.Text(name) }
func (c *call) has(name string) bool    { return c.args.Has(name) }
func (c *call) flag(name string) bool   { return c.args.Bool(name) }

func (c *call) number(name string, otherwise int) int {
	if n, err := strconv.Atoi(string(c.args.Get(name))); err == nil {
		return n
	}
	return otherwise
}

func (c *call) texts(name string) []string {
	out := []string{}
	for _, e := range protocol.ElementsOf(c.args.Get(name)) {
		if s := strings.TrimSpace(protocol.TextOf(e)); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (c *call) docs(name string) ([]workspace.Doc, error) {
	var out []workspace.Doc
	for _, e := range protocol.ElementsOf(c.args.Get(name)) {
		o := protocol.ObjectOf(e)
		d := workspace.Doc{Path: strings.TrimSpace(o.Text("path")), Description: strings.TrimSpace(o.Text("description"))}
		if err := c.docLine(d); err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// docLine refuses what could not be read back from a line of a list.
func (c *call) docLine(d workspace.Doc) error {
	if strings.ContainsAny(d.Path, "()\r\n") || strings.ContainsAny(d.Description, "\r\n") {
		return c.refuse("INVALID_CONTENT", "document %q: neither the path nor the description may contain line breaks, and the path no parentheses", "文档 %q：路径与说明不能含换行，路径不能含括号", d.Path)
	}
	return nil
}

// lines refuses a text with a line that would begin a section of its own.
func (c *call) lines(name, text string) error {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "## ") || strings.HasPrefix(line, "##\t") || strings.TrimSpace(line) == "##" {
			return c.refuse("INVALID_CONTENT", `%s: a line may not begin with "## ", which divides the file; use ### or bold text`, "%s：行首不能是 “## ”（它用来划分文件的小节），可改用 ### 或加粗", name)
		}
	}
	return nil
}

// line refuses a text of more than one line.
func (c *call) line(name, text string) error {
	if strings.ContainsAny(text, "\r\n") {
		return c.refuse("INVALID_CONTENT", "%s: want one line", "%s：必须是单行文本", name)
	}
	return nil
}

// explain gives errors of the files the codes that agents know.
func (c *call) explain(err error) error {
	var e *op.Error
	switch {
	case errors.As(err, &e):
		return err
	case errors.Is(err, workspace.ErrNoWorkspace):
		return refusal("WORKSPACE_NOT_FOUND", c.sayf("no such workspace: %q", "工作区 %q 不存在", c.text("workspaceId")), c.say("workspace_list shows the ids", "用 workspace_list 查看 id"))
	case errors.Is(err, workspace.ErrNoFolder), errors.Is(err, fs.ErrNotExist):
		return refusal("NODE_DIR_MISSING", err.Error(), c.say("bring the folder back, or workspace_delete with force", "恢复该目录，或用 workspace_delete 加 force 移除记录"))
	case errors.Is(err, workspace.ErrNewer):
		return refusal("VERSION_TOO_NEW", err.Error(), c.say("update agents-hooks, or use the program that wrote it", "请升级 agents-hooks，或使用写入它的程序"))
	case errors.Is(err, workspace.ErrIndex):
		return refusal("INDEX_CORRUPTED", err.Error(), c.say("fix the file or move it away; nothing was written", "请修复或移走该文件；未写入任何内容"))
	case errors.Is(err, workspace.ErrDamaged):
		return refusal("GRAPH_CORRUPTED", err.Error(), c.say("after a git merge: workspace_merge; otherwise fix the file by hand or from a copy; nothing was written", "若在 git 合并之后：用 workspace_merge；否则请手动修复或用备份恢复该文件；未写入任何内容"))
	case errors.Is(err, workspace.ErrArchived):
		return refusal("WORKSPACE_ARCHIVED", c.say("the workspace is archived", "工作区已归档"), "")
	case errors.Is(err, workspace.ErrActive):
		return refusal("WORKSPACE_ACTIVE", c.say("the workspace is not archived", "工作区未归档"), "")
	case errors.Is(err, statefile.ErrLocked):
		return refusal("WORKSPACE_BUSY", err.Error(), c.say("try again", "请重试"))
	}
	return err
}

// node is the node that an argument names; the root if it is optional and left
// out is the caller's matter.
func (c *call) node(s *workspace.Store, arg string) (*workspace.Node, error) {
	name := c.text(arg)
	n, err := c.find(s, name)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, refusal("NODE_NOT_FOUND", c.sayf("no such node: %q", "节点 %q 不存在", name), c.say("node_list shows the ids", "用 node_list 查看 id"))
	}
	c.args.SetText(arg, n.ID())
	return n, nil
}

// who is the session that calls, "" if nobody knows.
func (c *call) who() string { return cmp.Or(c.text("sessionId"), c.Session) }

// operator is who writes a row of a log.
func (c *call) operator() string {
	if c.Person {
		return workspace.Human
	}
	return workspace.AI
}

// by is who does something, as nodes keep it: the person, or which agent.
func (c *call) by() string {
	if c.Person {
		return workspace.Human
	}
	b, _ := c.Place.Binding(c.who(), c.now)
	return cmp.Or(b.Agent, workspace.AI)
}

// somewhere refuses a call that names no workspace, by a session that has none.
func (c *call) somewhere() error {
	if c.text("workspaceId") != "" {
		return nil
	}
	return refusal(op.InvalidParams, c.say("missing: workspaceId", "缺少参数：workspaceId"), c.say("workspace_list shows them; a session that is bound (session_bind) need not name it", "workspace_list 可列出；已绑定（session_bind）的会话无需提供"))
}

// open reads the workspace that the call names.
func (c *call) open() (*workspace.Store, error) {
	if err := c.somewhere(); err != nil {
		return nil, err
	}
	return c.Place.Open(c.text("workspaceId"))
}

// change lets do change that workspace, unless it is archived; then it notes the
// time everywhere, and what the files look like now.
func (c *call) change(do func(*workspace.Store) error) error {
	if err := c.somewhere(); err != nil {
		return err
	}
	return c.Place.Change(c.text("workspaceId"), c.now, func(s *workspace.Store) error {
		if s.Entry.Status == workspace.Archived {
			return refusal("WORKSPACE_ARCHIVED", c.sayf("workspace %q is archived", "工作区 %q 已归档", s.Entry.Name), c.say("workspace_restore brings it back", "用 workspace_restore 恢复"))
		}
		edits := c.look(s)
		if err := do(s); err != nil {
			return err
		}
		if err := s.Touch(); err != nil {
			return err
		}
		return c.keep(s, edits)
	})
}

func stamp(t time.Time) string { return workspace.Stamp(t) }
