package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Desk does operations for one person.
type Desk struct {
	Place   workspace.Place
	Project string // where a new workspace goes if nobody says; absolute
	State   string // directory for tokens and for what was seen
	Session string // of the agent that calls, if it is known and not said
	Program string // agents-hooks itself, for commands that an answer names
	Chinese bool   // language of texts
	Now     func() time.Time
	Random  func() uint64
	Env     []string // for git
}

// A call is one operation.
type call struct {
	context.Context
	*Desk
	tool Tool
	args protocol.Object
	now  time.Time
}

func (c *call) say(en, zh string) string { return pick(c.Chinese, en, zh) }

// sayf is say with values.
func (c *call) sayf(en, zh string, values ...any) string {
	return fmt.Sprintf(c.say(en, zh), values...)
}

// refuse is an Error in the language of the desk.
func (c *call) refuse(code, en, zh string, values ...any) error {
	return &Error{Code: code, Message: c.sayf(en, zh, values...)}
}

func (c *call) invalid(en, zh string, values ...any) error {
	return c.refuse("INVALID_PARAMS", en, zh, values...)
}

// take checks the arguments against the table.
func (c *call) take(args protocol.Object) error {
	for _, m := range args {
		a, ok := c.tool.Arg(m.Name)
		if !ok {
			return c.unknown(m.Name)
		}
		if string(m.Value) == "null" {
			continue
		}
		v, ok := a.check(m.Value)
		if !ok {
			if a.Words != nil {
				return c.invalid("%s %s: want one of %s", "%s %s：应为 %s 之一", a.Name, m.Value, strings.Join(a.Words, ", "))
			}
			return c.invalid("%s %s: want %s", "%s %s：应为 %s", a.Name, text.Clip(string(m.Value), 81), a.Kind.want())
		}
		switch {
		case a.prose():
			v = protocol.Quote(redact.Memory.Text(protocol.TextOf(v)))
		case a.Kind == Texts:
			var list []string
			for _, e := range protocol.ElementsOf(v) {
				list = append(list, redact.Memory.Text(protocol.TextOf(e)))
			}
			v = protocol.TextList(list)
		}
		c.args.Set(a.Name, v)
	}
	if c.Session != "" && !c.args.Has("sessionId") {
		if _, ok := c.tool.Arg("sessionId"); ok {
			c.args.SetText("sessionId", c.Session)
		}
	}
	if id := c.boundWorkspace(); id != "" && !c.args.Has("workspaceId") {
		if a, ok := c.tool.Arg("workspaceId"); ok && a.Required && c.tool.Name != "session_bind" {
			c.args.SetText("workspaceId", id)
		}
	}
	var missing []string
	for _, a := range c.tool.Args {
		if a.Required && (!c.args.Has(a.Name) || a.Kind == Text && strings.TrimSpace(c.text(a.Name)) == "") {
			missing = append(missing, a.Name)
		}
	}
	if missing != nil {
		return c.invalid("missing: %s", "缺少参数：%s", strings.Join(missing, ", "))
	}
	return nil
}

// prose reports whether an argument is a text of the agent's own, which goes into
// files: secrets and private parts are taken out of it (COM-11).
func (a Arg) prose() bool {
	return a.Kind == Text && a.Words == nil && !strings.HasSuffix(a.Name, "Id") && !slices.Contains([]string{"path", "projectRoot", "cwd", "targetIdOrPath", "rulesHash", "topic"}, a.Name)
}

// boundWorkspace is what the session works on: an agent that is bound need not
// say it each time.
func (c *call) boundWorkspace() string {
	session := c.text("sessionId")
	if session == "" {
		session = c.Session
	}
	b, _ := c.Place.Binding(session, c.now)
	return b.Workspace
}

func (c *call) unknown(name string) error {
	var names []string
	for _, a := range c.tool.Args {
		names = append(names, a.Name)
	}
	return c.invalid("%s has no argument %q, but %s", "%s 没有参数 %q，可用：%s", c.tool.Name, name, strings.Join(names, ", "))
}

func (k Kind) want() string {
	return [...]string{"a text", "true or false", "a whole number", "a list of texts", "a list of {path, description}", "a list of {when, then}", "{token, userInput}", "an object"}[k]
}

// check reads a value, as models write it: a number or a list in quotes is one
// all the same.
func (a Arg) check(raw protocol.Raw) (protocol.Raw, bool) {
	if text := strings.TrimSpace(protocol.TextOf(raw)); text != "" && a.Kind != Text {
		raw = protocol.Raw(text)
		if a.Kind == Texts && text[0] != '[' {
			raw = protocol.TextList([]string{text})
		}
		if protocol.ValidValue(raw) != nil {
			return nil, false
		}
	}
	switch a.Kind {
	case Text:
		text := protocol.TextOf(raw)
		if raw[0] != '"' || a.Words != nil && !slices.Contains(a.Words, text) {
			return nil, false
		}
		return raw, true
	case Bool:
		return raw, string(raw) == "true" || string(raw) == "false"
	case Int:
		n, err := strconv.ParseFloat(string(raw), 64)
		return strconv.AppendInt(nil, int64(n), 10), err == nil && n >= 0 && n < 1e9 && n == math.Trunc(n)
	case Texts:
		return raw, raw[0] == '[' && allOf(raw, func(e protocol.Raw) bool { return e[0] == '"' })
	case Docs:
		return raw, raw[0] == '[' && allOf(raw, hasTexts("path"))
	case Cases:
		return raw, raw[0] == '[' && allOf(raw, hasTexts("when", "then"))
	case Confirm:
		return raw, hasTexts("token", "userInput")(raw)
	}
	return raw, raw[0] == '{'
}

func allOf(raw protocol.Raw, ok func(protocol.Raw) bool) bool {
	for _, e := range protocol.ElementsOf(raw) {
		if !ok(e) {
			return false
		}
	}
	return true
}

func hasTexts(names ...string) func(protocol.Raw) bool {
	return func(raw protocol.Raw) bool {
		o := protocol.ObjectOf(raw)
		for _, n := range names {
			if strings.TrimSpace(o.Text(n)) == "" {
				return false
			}
		}
		return true
	}
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

// docLine refuses what would not come back from a line of a list.
func (c *call) docLine(d workspace.Doc) error {
	if strings.ContainsAny(d.Path, "()\r\n") || strings.ContainsAny(d.Description, "\r\n") {
		return c.refuse("INVALID_CONTENT", "document %q: neither the path nor the description may hold line breaks, nor the path parentheses", "文档 %q：路径与说明不能含换行，路径不能含括号", d.Path)
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
	var e *Error
	switch {
	case errors.As(err, &e):
		return err
	case errors.Is(err, workspace.ErrNoWorkspace):
		return &Error{"WORKSPACE_NOT_FOUND", c.sayf("there is no workspace %q", "工作区 %q 不存在", c.text("workspaceId")), c.say("workspace_list shows the ids", "用 workspace_list 查看 id")}
	case errors.Is(err, workspace.ErrNoFolder), errors.Is(err, fs.ErrNotExist):
		return &Error{"NODE_DIR_MISSING", err.Error(), c.say("bring the folder back, or workspace_delete with force", "恢复该目录，或用 workspace_delete 加 force 移除记录")}
	case errors.Is(err, workspace.ErrNewer):
		return &Error{"VERSION_TOO_NEW", err.Error(), c.say("update agents-hooks, or use the program that wrote it", "请升级 agents-hooks，或使用写入它的程序")}
	case errors.Is(err, workspace.ErrIndex):
		return &Error{"INDEX_CORRUPTED", err.Error(), c.say("mend the file, or move it away; nothing was written", "请修复或移走该文件；未写入任何内容")}
	case errors.Is(err, workspace.ErrDamaged):
		return &Error{"GRAPH_CORRUPTED", err.Error(), c.say("mend the file by hand or from a copy; nothing was written", "请手动修复或用备份恢复该文件；未写入任何内容")}
	case errors.Is(err, workspace.ErrArchived):
		return &Error{"WORKSPACE_ARCHIVED", c.say("the workspace is archived", "工作区已归档"), ""}
	case errors.Is(err, workspace.ErrActive):
		return &Error{"WORKSPACE_ACTIVE", c.say("the workspace is not archived", "工作区未归档"), ""}
	case errors.Is(err, statefile.ErrLocked):
		return &Error{"WORKSPACE_BUSY", err.Error(), c.say("try again", "请重试")}
	}
	return err
}

// node is the node that an argument names; the root if it is optional and left
// out is the caller's matter.
func (c *call) node(s *workspace.Store, arg string) (*workspace.Node, error) {
	id := c.text(arg)
	n := s.Graph.Node(id)
	if n == nil {
		return nil, &Error{"NODE_NOT_FOUND", c.sayf("there is no node %q", "节点 %q 不存在", id), c.say("node_list shows the ids", "用 node_list 查看 id")}
	}
	return n, nil
}

// open reads the workspace that the call names.
func (c *call) open() (*workspace.Store, error) {
	return c.Place.Open(c.text("workspaceId"))
}

// change lets do change that workspace, unless it is archived; then it notes the
// time everywhere, and what the files look like now.
func (c *call) change(do func(*workspace.Store) error) error {
	return c.Place.Change(c.text("workspaceId"), c.now, func(s *workspace.Store) error {
		if s.Entry.Status == workspace.Archived {
			return &Error{"WORKSPACE_ARCHIVED", c.sayf("workspace %q is archived", "工作区 %q 已归档", s.Entry.Name), c.say("workspace_restore brings it back", "用 workspace_restore 恢复")}
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

func (c *call) id(kind string) string { return workspace.NewID(kind, c.now, c.Random()) }
