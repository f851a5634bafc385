package desk

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func importTools() []operation {
	path := op.Arg{Name: "path", Required: true, Model: op.Text{English: "folder of the specification (the one that holds changes/)", Chinese: "规范目录（包含 changes/ 的目录）"}}
	kind := op.Arg{Name: "type", Required: true, Words: []string{"openspec"}, Model: op.Text{English: "kind of specification", Chinese: "规范类型"}}
	return []operation{
		{op.Op{Name: "workspace_import_guide", Command: "import guide", People: op.Text{English: "what to read, and how to import", Chinese: "要读什么、如何导入"}, ReadOnly: true, Idempotent: true, Words: []string{"path", "changeId"},
			Model: op.Text{English: "How to make a workspace of a change that is specified elsewhere (OpenSpec): what to read, and the command that imports it once the person agrees.", Chinese: "外部规范（OpenSpec）的导入引导：结构摘要、需要阅读的文件，以及用户确认后执行的导入命令。"},
			Args: []op.Arg{path, kind, {Name: "changeId", Required: true, Model: op.Text{English: "name of the change's folder", Chinese: "变更目录名"}},
				{Name: "projectRoot", Required: true, Model: op.Text{English: "root of the project, absolute", Chinese: "目标项目根目录"}}}}, importGuide},
		{op.Op{Name: "workspace_import_list", Command: "import list", People: op.Text{English: "list what could be imported", Chinese: "列出可导入的变更"}, ReadOnly: true, Idempotent: true, Words: []string{"path"},
			Model: op.Text{English: "Lists the changes that could be imported.", Chinese: "列出可导入的变更。"}, Args: []op.Arg{path, kind}}, importList},
	}
}

// A change is one of an OpenSpec folder.
type change struct {
	id, dir, title, why string
	parts               []part
	files               []string // paths below dir
}

// A part is a section of its tasks.
type part struct {
	title string
	tasks []task
}

type task struct {
	text string
	done bool
}

func (ch change) progress() (done, all int) {
	for _, p := range ch.parts {
		for _, t := range p.tasks {
			all++
			if t.done {
				done++
			}
		}
	}
	return done, all
}

// changesIn are the changes below a folder, by name; the archive is none.
func (c *call) changesIn(path string) ([]change, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	in := c.Place.Below(path)
	entries, err := in.List(filepath.Join(path, "changes"))
	if err != nil {
		return nil, err
	}
	var out []change
	for _, e := range entries {
		if e.IsDir() && e.Name() != "archive" && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, readChange(in, filepath.Join(path, "changes", e.Name()), e.Name()))
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].id < out[j].id })
	return out, nil
}

func readChange(in *beneath.Root, dir, id string) change {
	ch := change{id: id, dir: dir, title: id}
	text := func(name string) string {
		b, _ := in.Read(filepath.Join(dir, name), 0)
		return strings.ReplaceAll(string(b), "\r\n", "\n")
	}
	section := ""
	for line := range strings.Lines(text("proposal.md")) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "# "):
			ch.title = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line[2:]), "Change:"))
		case strings.HasPrefix(line, "## "):
			section = strings.ToLower(strings.TrimSpace(line[3:]))
		case section == "why" && line != "":
			ch.why = strings.TrimSpace(ch.why + "\n" + line)
		}
	}
	for line := range strings.Lines(text("tasks.md")) {
		ch.task(strings.TrimRight(line, "\n"))
	}
	_ = in.Walk(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.HasSuffix(p, ".md") {
			if rel, err := filepath.Rel(dir, p); err == nil {
				ch.files = append(ch.files, filepath.ToSlash(rel))
			}
		}
		return nil
	})
	return ch
}

// task reads a line of tasks.md: headings begin parts, "- [ ]" and "- [x]" are
// tasks; indented ones belong to the task above.
func (ch *change) task(line string) {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "## ") {
		ch.parts = append(ch.parts, part{title: strings.TrimSpace(trimmed[3:])})
		return
	}
	var t task
	switch {
	case strings.HasPrefix(trimmed, "- [ ] "):
		t.text = strings.TrimSpace(trimmed[6:])
	case strings.HasPrefix(trimmed, "- [x] "), strings.HasPrefix(trimmed, "- [X] "):
		t.text, t.done = strings.TrimSpace(trimmed[6:]), true
	default:
		return
	}
	if len(ch.parts) == 0 {
		ch.parts = append(ch.parts, part{title: ch.title})
	}
	p := &ch.parts[len(ch.parts)-1]
	if line != trimmed && len(p.tasks) > 0 {
		last := &p.tasks[len(p.tasks)-1]
		last.text += "\n- " + t.text
		last.done = last.done && t.done
		return
	}
	p.tasks = append(p.tasks, t)
}

func (c *call) noChanges(path string) error {
	return refusal("INVALID_PATH", c.sayf("%s has no folder changes", "%s 下没有 changes 目录", path), c.say("name the folder of OpenSpec, such as openspec", "请提供 OpenSpec 目录，例如 openspec"))
}

func importList(c *call) (protocol.Object, error) {
	list, err := c.changesIn(c.text("path"))
	if err != nil {
		return nil, c.noChanges(c.text("path"))
	}
	out := []protocol.Object{}
	for _, ch := range list {
		done, all := ch.progress()
		out = append(out, object("id", ch.id, "title", ch.title, "progress", object("done", done, "total", all)))
	}
	return object("changes", out), nil
}

func (c *call) changeOf(path, id string) (change, error) {
	list, err := c.changesIn(path)
	if err != nil {
		return change{}, c.noChanges(path)
	}
	for _, ch := range list {
		if ch.id == id {
			return ch, nil
		}
	}
	return change{}, c.invalid("there is no change %q", "没有变更 %q", id)
}

func importGuide(c *call) (protocol.Object, error) {
	ch, err := c.changeOf(c.text("path"), c.text("changeId"))
	if err != nil {
		return nil, err
	}
	if _, err := c.projectRoot(); err != nil {
		return nil, err
	}
	done, all := ch.progress()
	parts := []protocol.Object{}
	for _, p := range ch.parts {
		parts = append(parts, object("title", p.title, "tasks", len(p.tasks)))
	}
	files := []protocol.Object{}
	for _, f := range ch.files {
		files = append(files, object("path", filepath.Join(ch.dir, filepath.FromSlash(f)), "purpose", c.purpose(f)))
	}
	shell := text.ShellWord
	command := shell(cmp.Or(c.Program, "agents-hooks")) + " workspace import run " + shell(c.text("path")) + " " + shell(ch.id) + " --project-root " + shell(c.text("projectRoot"))
	return object("summary", object("title", ch.title, "why", text.Clip(ch.why, 501), "tasks", all, "done", done, "parts", parts),
		"files", files, "importCommand", command,
		"hint", c.say("Read the files, tell the person what you understood, and run importCommand when they agree; then compare with workspace_get.", "请阅读文件，向用户说明理解，确认后执行 importCommand；再用 workspace_get 核对。")), nil
}

func (c *call) purpose(file string) string {
	switch {
	case file == "proposal.md":
		return c.say("why, and what changes", "变更的原因与内容")
	case file == "tasks.md":
		return c.say("the tasks, which become nodes", "任务清单（将成为节点）")
	case file == "design.md":
		return c.say("technical decisions", "技术决策")
	case strings.HasPrefix(file, "specs/"):
		return c.say("requirements and scenarios, which become acceptance criteria", "需求与场景（可作验收标准）")
	}
	return c.say("more about it", "其他说明")
}

// Import makes a workspace of a change: a planning node for each part of its
// tasks, a node of execution for each task; what is done there is done here.
func (d *Desk) Import(path, id, root string) (protocol.Object, error) {
	c := &call{Desk: d, now: d.Now()}
	c.args = object("projectRoot", root)
	ch, err := c.changeOf(path, id)
	if err != nil {
		return nil, err
	}
	if root, err = c.projectRoot(); err != nil {
		return nil, err
	}
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if strings.ContainsRune(forbidden, r) {
			return '_'
		}
		return r
	}, ch.title))
	var docs []workspace.Doc
	for _, f := range ch.files {
		file := filepath.Join(ch.dir, filepath.FromSlash(f))
		if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
			file = filepath.ToSlash(rel)
		}
		if doc := (workspace.Doc{Path: file, Description: c.purpose(f)}); c.docLine(doc) == nil {
			docs = append(docs, doc)
		}
	}
	goal := ch.why
	if goal == "" || c.lines("goal", goal) != nil {
		goal = ch.title
	}
	s, err := c.Place.Create(workspace.New{Name: name, Goal: goal, ProjectRoot: root, Docs: docs,
		Opened: c.sayf("imported from OpenSpec: %s", "从 OpenSpec 导入: %s", id), Random: c.Random()}, c.now)
	if err != nil {
		return nil, err
	}
	c.args = object("workspaceId", s.Entry.ID)
	nodes := 0
	err = c.change(func(s *workspace.Store) error {
		nodes, err = c.plant(s, ch)
		return err
	})
	done, all := ch.progress()
	return object("success", true, "workspaceId", s.Entry.ID, "path", s.Dir, "nodes", nodes, "tasks", all, "done", done), err
}

// plant makes the nodes of a change.
func (c *call) plant(s *workspace.Store, ch change) (nodes int, err error) {
	root := s.Graph.Root()
	for i, p := range ch.parts {
		if p.title == "" {
			p.title = c.say("part ", "第 ") + strconv.Itoa(i+1)
		}
		plan, err := c.newNode(s, root, workspace.Planning, workspace.Info{Title: p.title, Requirement: p.title})
		if err != nil {
			return nodes, err
		}
		nodes++
		done := len(p.tasks) > 0
		for _, t := range p.tasks {
			n, err := c.newNode(s, plan, workspace.Execution, workspace.Info{Title: text.Clip(text.FirstLine(t.text), 81), Requirement: t.text})
			if err != nil {
				return nodes, err
			}
			nodes++
			if done = done && t.done; t.done {
				if err := c.finished(s, n); err != nil {
					return nodes, err
				}
			}
		}
		if done {
			if err := c.finished(s, plan); err != nil {
				return nodes, err
			}
		}
	}
	return nodes, s.SaveGraph()
}

func (c *call) finished(s *workspace.Store, n *workspace.Node) error {
	text := c.say("done before the import", "导入前已完成")
	n.SetText("status", workspace.Completed)
	n.SetText("conclusion", text)
	return s.SetInfo(n, func(p *workspace.Page) { p.SetConclusion(text) })
}
