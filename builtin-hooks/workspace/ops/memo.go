package ops

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func memoTools() []operation {
	memo := op.Arg{Name: "memoId", Required: true, Model: op.Text{English: "id of the memo", Chinese: "备忘 ID"}}
	title := op.Arg{Name: "title", Required: true, Model: op.Text{English: "title, one line", Chinese: "备忘标题（单行）"}}
	summary := op.Arg{Name: "summary", Required: true, Model: op.Text{English: "one sentence for lists", Chinese: "摘要（用于列表）"}}
	content := op.Arg{Name: "content", Required: true, Model: op.Text{English: "the text, as Markdown", Chinese: "完整内容（Markdown）"}}
	tags := op.Arg{Name: "tags", Kind: op.Texts, Model: op.Text{English: "words to find it by", Chinese: "标签"}}
	return []operation{
		{op.Op{Name: "memo_create", Command: "memo create", People: op.Text{English: "keep a draft", Chinese: "保存草稿"}, Words: []string{"title"},
			Model: op.Text{English: "Keeps a draft, an idea or a finding beside the tree. node_reference ties it to a node.", Chinese: "创建备忘：独立于节点树的草稿，可用 node_reference 关联到节点。"},
			Args:  []op.Arg{argWorkspace(), title, summary, content, tags}}, memoCreate},
		{op.Op{Name: "memo_list", Command: "memo list", People: op.Text{English: "list them", Chinese: "列出备忘"}, ReadOnly: true, Idempotent: true,
			Model: op.Text{English: "Lists the memos, without their texts.", Chinese: "列出备忘（不含正文）。"},
			Args:  []op.Arg{argWorkspace(), {Name: "tags", Kind: op.Texts, Model: op.Text{English: "only those with one of these tags", Chinese: "仅含任一标签的备忘"}}}}, memoList},
		{op.Op{Name: "memo_get", Command: "memo get", People: op.Text{English: "show one", Chinese: "查看备忘"}, ReadOnly: true, Idempotent: true, Words: []string{"memoId"},
			Model: op.Text{English: "A memo with its text.", Chinese: "获取备忘完整内容。"}, Args: []op.Arg{argWorkspace(), memo}}, memoGet},
		{op.Op{Name: "memo_update", Command: "memo update", People: op.Text{English: "change one", Chinese: "修改备忘"}, Idempotent: true, Words: []string{"memoId"},
			Model: op.Text{English: "Changes a memo; what is left out stays.", Chinese: "更新备忘，未提供的字段不变。"},
			Args:  []op.Arg{argWorkspace(), memo, optional(title, "", ""), optional(summary, "", ""), optional(content, "", ""), tags}}, memoUpdate},
		{op.Op{Name: "memo_delete", Command: "memo delete", People: op.Text{English: "delete one", Chinese: "删除备忘"}, Destructive: true, Words: []string{"memoId"},
			Model: op.Text{English: "Deletes a memo, and the references to it.", Chinese: "删除备忘及对它的引用。"}, Args: []op.Arg{argWorkspace(), memo}}, memoDelete},
	}
}

// contentPath is the file of a memo, "" if its folder's name is not to be trusted.
func contentPath(s *workspace.Store, m protocol.Object) string {
	name := m.Text("dirName")
	if name == "" || !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
		return ""
	}
	return filepath.Join(s.Dir, workspace.MemosDir, name, workspace.MemoFile)
}

func (c *call) memo(s *workspace.Store) (protocol.Object, string, error) {
	id := target(c.text("memoId"))
	m := s.Graph.Doc().Sub("memos").Sub(id)
	path := contentPath(s, m)
	if m == nil || path == "" {
		return nil, "", refusal("MEMO_NOT_FOUND", c.sayf("no such memo: %q", "备忘 %q 不存在", id), c.say("memo_list shows the ids", "用 memo_list 查看 id"))
	}
	return m, path, nil
}

func setMemo(s *workspace.Store, id string, m protocol.Object) {
	all := s.Graph.Doc().Sub("memos")
	if m == nil {
		all.Delete(id)
	} else {
		all.Set(id, m.Raw())
	}
	if all == nil {
		all = protocol.Object{}
	}
	s.Graph.Doc().Set("memos", all.Raw())
}

func memoCreate(c *call) (protocol.Object, error) {
	title := strings.TrimSpace(c.text("title"))
	if err := c.line("title", title); err != nil {
		return nil, err
	}
	var answer protocol.Object
	err := c.change(func(s *workspace.Store) error {
		id := s.Fresh("memo", c.Random)
		m := object("id", id, "dirName", workspace.DirName(title, id), "title", title, "summary", c.text("summary"), "tags", c.texts("tags"),
			"contentLength", length(c.text("content")), "createdAt", stamp(c.now), "updatedAt", stamp(c.now))
		path := contentPath(s, m)
		if path == "" {
			return c.refuse("INVALID_TITLE", "title %q cannot be a folder's name", "标题 %q 不能用作目录名", title)
		}
		if err := s.SetText(path, c.text("content")); err != nil {
			return err
		}
		setMemo(s, id, m)
		answer = object("memoId", id, "path", path, "hint", c.sayf("node_reference ties it to a node: memo://%s", "可用 node_reference 关联到节点：memo://%s", id))
		return s.SaveGraph()
	})
	return answer, err
}

// length counts as the original does.
func length(s string) int { return len(utf16.Encode([]rune(s))) }

func memoList(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	want := c.texts("tags")
	list, all := []protocol.Object{}, map[string]bool{}
	for _, e := range s.Graph.Doc().Sub("memos") {
		m := protocol.ObjectOf(e.Value)
		tags := tagsOf(m)
		for _, t := range tags {
			all[t] = true
		}
		if len(want) == 0 || slices.ContainsFunc(tags, func(t string) bool { return slices.Contains(want, t) }) {
			list = append(list, m)
		}
	}
	return object("memos", list, "allTags", append([]string{}, slices.Sorted(maps.Keys(all))...)), nil
}

func tagsOf(m protocol.Object) []string { return protocol.TextsOf(m.Get("tags")) }

func memoGet(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	m, path, err := c.memo(s)
	if err != nil {
		return nil, err
	}
	text, err := s.Text(path)
	if err != nil {
		return nil, err
	}
	m.SetText("content", text)
	return object("memo", m), nil
}

func memoUpdate(c *call) (protocol.Object, error) {
	if !slices.ContainsFunc([]string{"title", "summary", "content", "tags"}, c.has) {
		return nil, c.invalid("nothing to change: want title, summary, content or tags", "没有要更新的字段：title、summary、content 或 tags")
	}
	if err := c.line("title", c.text("title")); err != nil {
		return nil, err
	}
	err := c.change(func(s *workspace.Store) error {
		m, path, err := c.memo(s)
		if err != nil {
			return err
		}
		for _, name := range []string{"title", "summary"} {
			if c.has(name) {
				m.SetText(name, c.text(name))
			}
		}
		if c.has("tags") {
			m.Set("tags", value(c.texts("tags")))
		}
		if c.has("content") {
			m.Set("contentLength", value(length(c.text("content"))))
			if err := s.SetText(path, c.text("content")); err != nil {
				return err
			}
		}
		m.SetText("updatedAt", stamp(c.now))
		setMemo(s, m.Text("id"), m)
		return s.SaveGraph()
	})
	return object("success", true, "updatedAt", stamp(c.now)), err
}

func memoDelete(c *call) (protocol.Object, error) {
	return object("success", true), c.change(func(s *workspace.Store) error {
		m, path, err := c.memo(s)
		if err != nil {
			return err
		}
		id := m.Text("id")
		setMemo(s, id, nil)
		for _, n := range s.Graph.Nodes() {
			refs := n.References()
			left := slices.DeleteFunc(slices.Clone(refs), func(r string) bool { return target(r) == id })
			if len(left) < len(refs) {
				n.Set("references", value(append([]string{}, left...)))
			}
		}
		if err := s.SaveGraph(); err != nil {
			return err
		}
		if err := s.In.RemoveAll(filepath.Dir(path)); err != nil {
			return err
		}
		return c.forget(s, []string{id})
	})
}
