package ops

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func spaceTools() []operation {
	return []operation{
		{op.Op{Name: "workspace_init", Command: "init", People: op.Text{English: "make a workspace", Chinese: "创建工作区"}, Core: true, Words: []string{"name"},
			Model: op.Text{English: "Creates a workspace. Bind the session to it with session_bind.", Chinese: "创建新的工作区及其根节点。之后用 session_bind 绑定会话。"},
			Args: []op.Arg{
				{Name: "name", Required: true, Plain: true, Model: op.Text{English: "name, one line", Chinese: "工作区名称（单行）"}},
				{Name: "goal", Required: true, Plain: true, Model: op.Text{English: "what is to be reached", Chinese: "工作区目标"}},
				{Name: "projectRoot", Model: op.Text{English: "absolute; default: here", Chinese: "项目根目录的绝对路径，默认为当前项目"}},
				{Name: "rules", Kind: op.Texts, Plain: true, Model: op.Text{English: "rules that hold for all nodes", Chinese: "必须遵循的规则"}},
				argDocs("documents", "全局参考文档"),
				{Name: "scenario", Words: scenarios(), Plain: true, Model: op.Text{English: "kind of task", Chinese: "任务场景"}},
			}}, spaceInit},
		{op.Op{Name: "workspace_list", Command: "list", People: op.Text{English: "list workspaces", Chinese: "列出工作区"}, ReadOnly: true, Idempotent: true,
			Model: op.Text{English: "Lists workspaces; those of the project that cwd lies in come first.", Chinese: "列出工作区，与 cwd 匹配的优先。"},
			Args: []op.Arg{
				{Name: "status", Words: []string{"active", "archived", "error", "all"}, Model: op.Text{English: "which ones; default active", Chinese: "按状态过滤，默认 active"}},
				{Name: "cwd", Model: op.Text{English: "working directory", Chinese: "当前工作目录"}}, argPage(),
			}}, spaceList},
		{op.Op{Name: "workspace_get", Command: "get", People: op.Text{English: "show a workspace whole", Chinese: "查看整个工作区"}, ReadOnly: true, Idempotent: true, Words: []string{"workspaceId"},
			Model: op.Text{English: "The configuration of a workspace, its graph, and its page with rules and documents.", Chinese: "获取工作区详情：配置、节点图、Workspace.md。"},
			Args:  []op.Arg{argWorkspace()}}, spaceGet},
		{op.Op{Name: "workspace_delete", Command: "delete", People: op.Text{English: "delete a workspace with its files", Chinese: "删除工作区及其文件"}, Destructive: true, Words: []string{"workspaceId"},
			Model: op.Text{English: "Deletes a workspace with all its files. One that is active wants force.", Chinese: "删除工作区及其全部文件；活动的工作区需要 force。"},
			Args:  []op.Arg{argWorkspace(), {Name: "force", Kind: op.Bool, Model: op.Text{English: "delete it although it is active", Chinese: "强制删除活动的工作区"}}}}, spaceDelete},
		{op.Op{Name: "workspace_status", Command: "status", People: op.Text{English: "show how far it is", Chinese: "查看进度"}, Core: true, ReadOnly: true, Idempotent: true, Words: []string{"workspaceId"},
			Model: op.Text{English: "How far a workspace is: tree, what comes next.", Chinese: "工作区进度：节点树与下一步。"},
			Args:  append([]op.Arg{argWorkspace(), {Name: "format", Words: []string{"box", "markdown"}, Plain: true, Model: op.Text{English: "form of the output; default box", Chinese: "输出格式，默认 box"}}}, partArgs()...)}, spaceStatus},
		{op.Op{Name: "workspace_update_rules", Command: "rules", People: op.Text{English: "add, remove or replace rules", Chinese: "添加、移除或替换规则"}, Words: []string{"action", "rule"},
			Model: op.Text{English: "Changes the rules. node_create wants the rulesHash of this answer.", Chinese: "修改规则；之后 node_create 需要返回的 rulesHash。"},
			Args: []op.Arg{argWorkspace(), {Name: "action", Required: true, Words: []string{"add", "remove", "replace"}, Model: op.Text{English: "what to do", Chinese: "操作"}},
				{Name: "rule", Model: op.Text{English: "the rule, of add and remove", Chinese: "规则内容（add/remove）"}}, {Name: "rules", Kind: op.Texts, Plain: true, Model: op.Text{English: "all rules, of replace", Chinese: "完整规则列表（replace）"}}}}, spaceRules},
		{op.Op{Name: "workspace_archive", Command: "archive", People: op.Text{English: "put it into the archive", Chinese: "归档"}, Idempotent: true, Words: []string{"workspaceId"},
			Model: op.Text{English: "Puts a workspace into the archive, and unbinds all sessions from it.", Chinese: "归档工作区，并解除所有会话与它的绑定。"},
			Args:  []op.Arg{argWorkspace()}}, spaceArchive},
		{op.Op{Name: "workspace_restore", Command: "restore", People: op.Text{English: "bring it back from there", Chinese: "从归档恢复"}, Idempotent: true, Words: []string{"workspaceId"},
			Model: op.Text{English: "Brings an archived workspace back.", Chinese: "恢复已归档的工作区。"},
			Args:  []op.Arg{argWorkspace()}}, spaceRestore},
	}
}

func scenarios() []string { return []string{"feature", "summary", "optimize", "debug", "misc"} }

const forbidden = `/\:*?"<>|`

func spaceInit(c *call) (protocol.Object, error) {
	name, goal := strings.TrimSpace(c.text("name")), strings.TrimSpace(c.text("goal"))
	if strings.HasPrefix(name, ".") {
		return nil, c.refuse("INVALID_NAME", "name %q: its folder would be hidden; it may not begin with a dot", "名称 %q 不合法：不能以点开头（目录会被隐藏）", name)
	}
	if strings.ContainsAny(name, forbidden+"\r\n") {
		return nil, c.refuse("INVALID_NAME", "name %q: it must be one line without %s", "名称 %q 不合法：必须是单行，且不能含 %s", name, forbidden)
	}
	if err := c.lines(c.say("goal", "目标"), goal); err != nil {
		return nil, err
	}
	rules, err := c.rules(c.texts("rules"))
	if err != nil {
		return nil, err
	}
	docs, err := c.docs("docs")
	if err != nil {
		return nil, err
	}
	root, err := c.projectRoot()
	if err != nil {
		return nil, err
	}
	list, err := c.Place.Index()
	if err != nil && (errors.Is(err, workspace.ErrNewer) || !errors.Is(err, workspace.ErrIndex)) {
		return nil, err // one that is damaged is kept aside, and said
	}
	for _, e := range list {
		if e.Name == name && e.ProjectRoot == root && e.Status == workspace.Active && c.Place.Dir(e) != "" {
			return nil, refusal("WORKSPACE_EXISTS", c.sayf("there is an active workspace %q here already: %s", "此处已有同名的活动工作区 %q：%s", name, e.ID), c.say("session_bind to it, or choose another name", "用 session_bind 绑定它，或换一个名称"))
		}
	}
	s, err := c.Place.Create(workspace.New{
		Name: name, Goal: goal, ProjectRoot: root, Rules: rules, Docs: docs, Scenario: c.text("scenario"),
		Opened: c.sayf("workspace created: %s", "创建工作区: %s", name), Random: c.Random(),
	}, c.now)
	if err != nil {
		return nil, err
	}
	if err := c.keep(s, nil); err != nil {
		return nil, err
	}
	return c.created(s, docs)
}

// created is the answer about a new workspace.
func (c *call) created(s *workspace.Store, docs []workspace.Doc) (protocol.Object, error) {
	answer := object("workspaceId", s.Entry.ID, "path", s.Dir, "projectRoot", s.Entry.ProjectRoot, "rootNodeId", workspace.RootID,
		"hint", c.say("session_bind binds this session to it. Then collect what must be known (a node with role info_collection), and plan with plan_create, all nodes at once.",
			"用 session_bind 绑定当前会话。然后先收集信息（role=info_collection 的节点），再用 plan_create 一次创建全部节点。"))
	if s.Kept != "" {
		answer.SetText("warning", c.sayf("The index of workspaces could not be read. It is kept as %s; what of it was whole is in the new one.",
			"工作区索引无法读取，已另存为 %s；其中完好的部分在新的索引里。", s.Kept))
	}
	if len(docs) > 0 {
		return answer, nil
	}
	found, total := projectDocs(s.In, s.Entry.ProjectRoot)
	answer.Set("projectDocs", object("files", found, "totalFound", total, "degraded", total > len(found)).Raw())
	action, err := c.require(s.Entry.ID, workspace.RootID, "ask_user",
		c.say("Ask the user whether there are documents that this task is about (requirements, design, interfaces).", "请询问用户是否有与此任务相关的文档（需求、设计、接口）。"), object())
	if err != nil {
		return nil, err
	}
	answer.Set("actionRequired", action.Raw())
	return answer, nil
}

func (c *call) projectRoot() (string, error) {
	root := cmp.Or(c.text("projectRoot"), c.Project)
	info, err := os.Stat(root)
	if !filepath.IsAbs(root) || err != nil || !info.IsDir() {
		return "", c.refuse("INVALID_PATH", "projectRoot %q: want the absolute path of a folder", "projectRoot %q 必须是存在的目录的绝对路径", root)
	}
	root = filepath.Clean(root)
	if within(c.Home, root) {
		return "", refusal("INVALID_PATH", c.sayf("projectRoot %q: every project of yours is in it, so that what stands in it would be told in all of them", "projectRoot %q：你所有的项目都在其中，写在那里的内容会出现在每个项目里", root),
			c.say("begin the session in the folder of a project, or name one", "在某个项目的目录中开始会话，或指定一个项目目录"))
	}
	if !c.Person && !c.ownRoot(root) {
		return "", refusal("INVALID_PATH", c.sayf("projectRoot %q is not in this session's project, %s, and no workspace of yours is in it", "projectRoot %q 不在当前会话的项目 %s 之内，其中也没有你的工作区", root, c.Project),
			c.say("leave projectRoot out; for another project a person types agents-hooks workspace init in its folder, in a terminal of their own", "不要给出 projectRoot；若是其他项目，请用户在其目录中、在自己的终端里输入 agents-hooks workspace init"))
	}
	return root, nil
}

// ownRoot reports whether whoever is no person may make a workspace in a folder: an agent
// that was talked into it would plant rules in a project that has nothing to do with it.
func (c *call) ownRoot(root string) bool {
	if !within(c.Home, c.Project) && within(root, c.Project) {
		return true
	}
	list, _ := c.Place.Index()
	return slices.ContainsFunc(list, func(e workspace.Entry) bool { return e.ProjectRoot == root })
}

// within reports whether a folder is another one, or in it, wherever links lead. It is not
// if either is unknown.
func within(path, dir string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || path == "" {
		return false
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return false
	}
	rel, err := filepath.Rel(dir, real)
	return err == nil && filepath.IsLocal(rel)
}

// rules checks rules: each is an item of a list.
func (c *call) rules(list []string) ([]string, error) {
	for i, r := range list {
		if err := c.line(c.sayf("rule %d", "第 %d 条规则", i+1), r); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// projectDocs are Markdown files near the root of a project: at most twenty, and
// how many there are.
func projectDocs(in *beneath.Root, root string) (files []protocol.Object, total int) {
	const most, deepest = 20, 3
	files = []protocol.Object{}
	_ = in.Walk(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		rel, rerr := filepath.Rel(root, path)
		if rerr != nil || rel == "." {
			return nil
		}
		if e.IsDir() {
			skip := strings.HasPrefix(e.Name(), ".") || slices.Contains([]string{"node_modules", "vendor", "dist", "build", "target"}, e.Name())
			if skip || strings.Count(rel, string(filepath.Separator)) >= deepest-1 {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.EqualFold(filepath.Ext(e.Name()), ".md") || !e.Type().IsRegular() {
			return nil
		}
		if total++; total <= most {
			head := make([]byte, 4)
			if f, err := in.Open(path); err == nil {
				_, _ = f.Read(head)
				_ = f.Close()
			}
			files = append(files, object("path", filepath.ToSlash(rel), "hasFrontmatter", string(head) == "---\n"))
		}
		return nil
	})
	return files, total
}

func spaceList(c *call) (protocol.Object, error) {
	list, err := c.Place.Index()
	if err != nil {
		return nil, err
	}
	want := cmp.Or(c.text("status"), workspace.Active)
	here := map[string]bool{}
	if cwd := c.text("cwd"); cwd != "" {
		for _, e := range c.Place.At(cwd) {
			here[e.ID] = true
		}
	}
	list = slices.DeleteFunc(list, func(e workspace.Entry) bool { return want != "all" && e.Status != want })
	sort.SliceStable(list, func(i, j int) bool {
		if here[list[i].ID] != here[list[j].ID] {
			return here[list[i].ID]
		}
		return list[i].UpdatedAt > list[j].UpdatedAt
	})
	const most = 8
	from := min(len(list), (max(1, c.number("page", 1))-1)*most)
	out := []protocol.Object{}
	for _, e := range list[from:min(len(list), from+most)] {
		out = append(out, c.row(e))
	}
	answer := object("workspaces", out)
	if dir := cmp.Or(c.text("cwd"), c.Dir, c.Project); dir != "" && len(list) == 0 {
		if n := len(c.Place.StraysAt(dir)); n > 0 {
			answer.SetText("hint", c.sayf("in the project: %d, not taken up yet: workspace_adopt says what it waits for", "项目里有 %d 个尚未接手：workspace_adopt 会说明在等什么", n))
		}
	}
	if left := len(list) - from - len(out); left > 0 {
		answer.SetText("hint", c.sayf("%d more: page %d", "还有 %d 个：第 %d 页", left, max(1, c.number("page", 1))+1))
	}
	return answer, nil
}

// row is a workspace in a list.
func (c *call) row(e workspace.Entry) protocol.Object {
	o := object("id", e.ID, "name", e.Name, "dirName", e.DirName, "projectRoot", e.ProjectRoot, "status", e.Status,
		"createdAt", e.CreatedAt, "updatedAt", e.UpdatedAt)
	if s, err := c.Place.Open(e.ID); err == nil {
		done, all := s.Graph.Progress()
		o.SetText("goal", text.Clip(s.Goal(), 201))
		o.Set("progress", object("done", done, "total", all).Raw())
	} else {
		o.SetText("problem", err.Error())
	}
	return o
}

func spaceGet(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	page := s.Page()
	rules := page.Rules()
	answer := object("config", s.About(), "graph", protocol.Raw(workspace.Pretty(s.Graph.Raw())), "workspaceMd", string(page.Bytes()),
		"rulesCount", len(rules), "rulesHash", workspace.RulesHash(rules))
	c.tellPending(s, &answer)
	return answer, c.read(s)
}

// tellPending adds what people changed since an agent last looked.
func (c *call) tellPending(s *workspace.Store, answer *protocol.Object) {
	if lines := c.pending(s); lines != nil {
		answer.Set("manualChanges", protocol.TextList(lines))
	}
}

func spaceDelete(c *call) (protocol.Object, error) {
	id := c.text("workspaceId")
	e, ok, err := c.Place.Entry(id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, workspace.ErrNoWorkspace
	}
	if e.Status == workspace.Active && !c.flag("force") {
		return nil, refusal("WORKSPACE_ACTIVE", c.sayf("workspace %q is active", "工作区 %q 处于活动状态", e.Name), c.say("workspace_archive keeps its files; force (--force) deletes them", "workspace_archive 可保留文件；force（--force）强制删除"))
	}
	if err := c.Place.Delete(e, c.now); err != nil {
		return nil, err
	}
	return object("success", true), nil
}

func spaceRules(c *call) (protocol.Object, error) {
	var rules []string
	action, rule := c.text("action"), strings.TrimSpace(c.text("rule"))
	if action != "replace" && rule == "" {
		return nil, c.invalid("%s wants rule", "%s 需要 rule 参数", action)
	}
	if action == "replace" && !c.has("rules") {
		return nil, c.invalid("replace wants rules", "replace 需要 rules 参数")
	}
	err := c.change(func(s *workspace.Store) error {
		rules = s.Page().Rules()
		switch action {
		case "add":
			if !slices.Contains(rules, rule) {
				rules = append(rules, rule)
			}
		case "remove":
			i := slices.Index(rules, rule)
			if i < 0 {
				return c.invalid("no such rule: %q", "没有规则 %q", rule)
			}
			rules = slices.Delete(rules, i, i+1)
		case "replace":
			rules = c.texts("rules")
		}
		if _, err := c.rules(rules); err != nil {
			return err
		}
		return s.SetPage(func(page *workspace.Page) error { page.SetRules(rules); return nil })
	})
	if err != nil {
		return nil, err
	}
	if rules == nil {
		rules = []string{}
	}
	return object("success", true, "rulesCount", len(rules), "rulesHash", workspace.RulesHash(rules), "rules", rules), nil
}

func spaceArchive(c *call) (protocol.Object, error) {
	var dir string
	err := c.Place.Change(c.text("workspaceId"), c.now, func(s *workspace.Store) (err error) {
		dir, err = s.Archive()
		return err
	})
	if err != nil {
		return nil, err
	}
	if _, err := c.Place.Unbind(c.now, func(b workspace.Binding) bool { return b.Workspace == c.text("workspaceId") }); err != nil {
		return nil, fmt.Errorf("unbinding sessions: %w", err)
	}
	return object("success", true, "archivePath", dir), nil
}

func spaceRestore(c *call) (protocol.Object, error) {
	var dir string
	err := c.Place.Change(c.text("workspaceId"), c.now, func(s *workspace.Store) (err error) {
		dir, err = s.Restore()
		return err
	})
	if err != nil {
		return nil, err
	}
	return object("success", true, "path", dir), nil
}
