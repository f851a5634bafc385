package ops

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/plan"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func importTools() []operation {
	path := op.Arg{Name: "path", Required: true, Model: op.Text{English: "folder of the specification (the one that holds changes/)", Chinese: "规范目录（包含 changes/ 的目录）"}}
	kind := op.Arg{Name: "type", Required: true, Words: []string{"openspec"}, Model: op.Text{English: "kind of specification", Chinese: "规范类型"}}
	return []operation{
		{op.Op{Name: "workspace_import_guide", Command: "import guide", People: op.Text{English: "what to read, and how to import", Chinese: "要读什么、如何导入"}, ReadOnly: true, Idempotent: true, Words: []string{"path", "changeId"},
			Model: op.Text{English: "How to make a workspace of a change that is specified elsewhere (OpenSpec): what to read, and the command that imports it once the user agrees.", Chinese: "外部规范（OpenSpec）的导入引导：结构摘要、需要阅读的文件，以及用户确认后执行的导入命令。"},
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
	return change{}, c.invalid("no such change: %q", "没有变更 %q", id)
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
		"hint", c.say("Read the files, tell the user what you understood, and run importCommand when they agree; then compare with workspace_get.", "请阅读文件，向用户说明理解，确认后执行 importCommand；再用 workspace_get 核对。")), nil
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

// Import makes a workspace of what another program keeps: of a change of OpenSpec, a
// list of tasks, and what else package plan reads. kind is "" for whatever it is;
// part is the change, or a tag. What is done there is done here.
func (d *Operator) Import(kind, path, part, root string) (protocol.Object, error) {
	c := &call{Operator: d, now: d.Now()}
	c.args = object("projectRoot", root)
	root, err := c.projectRoot()
	if err != nil {
		return nil, err
	}
	if kind == "" {
		kind = c.kindOf(path)
	}
	if kind == openSpec {
		ch, err := c.changeOf(path, part)
		if err != nil {
			return nil, err
		}
		return c.imported(kind+": "+part, root, c.asPlan(ch), c.docsOf(ch, root))
	}
	p, err := c.readPlan(kind, path, part)
	if err != nil {
		return nil, err
	}
	return c.imported(filepath.Base(path), root, p, nil)
}

const openSpec = "openspec"

// ImportKinds are the kinds that can be imported.
func ImportKinds() []string { return append([]string{openSpec}, plan.Kinds()...) }

// kindOf tells OpenSpec's folder from everything else.
func (c *call) kindOf(path string) string {
	if _, err := c.changesIn(path); err == nil {
		return openSpec
	}
	return ""
}

// importMost bounds what is read of a folder that somebody names.
const importMost = 2000

// readPlan reads files, or all in a folder that may hold a plan.
func (c *call) readPlan(kind, path, part string) (*plan.Plan, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, refusal("INVALID_PATH", c.sayf("%s does not exist", "%s 不存在", path), c.say("name a file or a folder", "请提供文件或目录"))
	}
	var files []plan.File
	if !info.IsDir() {
		b, err := c.Place.Below(filepath.Dir(path)).Read(path, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, plan.File{Name: filepath.Base(path), Text: b})
	} else if files, err = c.planFiles(path); err != nil {
		return nil, err
	}
	if kind == "" {
		kind = plan.Kind(files)
	}
	p, err := plan.Read(kind, files, part)
	if err != nil {
		return nil, c.refusePlan(err)
	}
	if p.Name == "" {
		p.Name = cmp.Or(part, nameOf(path))
	}
	return p, nil
}

// nameOf is the name of a plan that does not say: that of its file or folder, with the
// folder above if the name only says what it is.
func nameOf(path string) string {
	bare := func(p string) string {
		name := strings.TrimPrefix(filepath.Base(p), ".")
		return strings.TrimSuffix(name, filepath.Ext(name))
	}
	name := bare(path)
	for up := filepath.Dir(path); slices.Contains([]string{"tasks", "issues", "beads", "taskmaster", "backlog"}, name); up = filepath.Dir(up) {
		if above := bare(up); above != "" && !strings.ContainsAny(above, forbidden) && above != name {
			return above + " " + name
		}
		if up == filepath.Dir(up) {
			break
		}
	}
	return name
}

func (c *call) planFiles(dir string) (files []plan.File, err error) {
	in := c.Place.Below(dir)
	err = in.Walk(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		rel, rerr := filepath.Rel(dir, p)
		name := e.Name()
		if e.IsDir() && rerr == nil && rel != "." && (name == ".git" || name == "node_modules" || name == "archive" || name == "completed" || name == "drafts" || strings.Count(rel, string(filepath.Separator)) > 2) {
			return filepath.SkipDir
		}
		if rerr != nil || !e.Type().IsRegular() || !plan.Wants(filepath.ToSlash(rel)) {
			return nil
		}
		if len(files) == importMost {
			return refusal("INVALID_PATH", c.sayf("%s: more than %d files", "%s：超过 %d 个文件", dir, importMost), c.say("name the folder of the tasks", "请提供任务所在目录"))
		}
		b, err := in.Read(p, 0)
		files = append(files, plan.File{Name: filepath.ToSlash(rel), Text: b})
		return err
	})
	return files, err
}

// docsOf are the files of a change, as documents of the workspace.
func (c *call) docsOf(ch change, root string) (docs []workspace.Doc) {
	for _, f := range ch.files {
		file := filepath.Join(ch.dir, filepath.FromSlash(f))
		if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
			file = filepath.ToSlash(rel)
		}
		if doc := (workspace.Doc{Path: file, Description: c.purpose(f)}); c.docLine(doc) == nil {
			docs = append(docs, doc)
		}
	}
	return docs
}

// NameOf is what a workspace may be called that is made of a plan of that name.
func NameOf(title string) string {
	title = strings.NewReplacer("**", "", "__", "", "`", "", ": ", " - ", "：", " - ").Replace(text.OneLine(title))
	title = strings.Map(func(r rune) rune {
		if strings.ContainsRune(forbidden, r) {
			return '_'
		}
		return r
	}, title)
	return strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(title), "."))
}

// imported makes a workspace of a plan.
func (c *call) imported(from, root string, p *plan.Plan, docs []workspace.Doc) (protocol.Object, error) {
	name := NameOf(p.Name)
	goal := cmp.Or(harmlessHeads(p.Goal), p.Name)
	s, err := c.Place.Create(workspace.New{Name: name, Goal: goal, ProjectRoot: root, Docs: docs,
		Opened: c.sayf("imported from %s", "导入自 %s", from), Random: c.Random()}, c.now)
	if err != nil {
		return nil, err
	}
	c.args = object("workspaceId", s.Entry.ID)
	err = c.change(func(s *workspace.Store) error {
		_, err := c.plant(s, s.Graph.Root(), p)
		return err
	})
	all, tasks, done := p.All(), 0, 0
	for _, i := range all {
		if len(i.Children) == 0 && !i.Planning {
			tasks++
			if i.Status == plan.Done {
				done++
			}
		}
	}
	return object("success", true, "workspaceId", s.Entry.ID, "path", s.Dir, "nodes", len(all), "tasks", tasks, "done", done), err
}

// asPlan is a change as a plan: a planning node for each part, a task below it.
func (c *call) asPlan(ch change) *plan.Plan {
	p := &plan.Plan{Name: ch.title, Goal: ch.why}
	for i, part := range ch.parts {
		if part.title == "" {
			part.title = c.say("part ", "第 ") + itoa(i+1)
		}
		up := &plan.Item{Title: part.title, Planning: true}
		for _, t := range part.tasks {
			item := &plan.Item{Title: text.Clip(text.FirstLine(t.text), 81), Requirement: t.text}
			if t.done {
				item.Status = plan.Done
			}
			up.Children = append(up.Children, item)
		}
		p.Items = append(p.Items, up)
	}
	return p
}
