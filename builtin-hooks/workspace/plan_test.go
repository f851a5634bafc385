package workspace_test

import (
	"errors"
	"fmt"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/plan"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"strings"
	"testing"
)

// drawn is a plan as lines: indentation, title, state, what it waits for, what is
// wanted of it, what came of it.
func drawn(items []*plan.Item, indent string) (out string) {
	for _, i := range items {
		line := indent + i.Title
		if len(i.Children) > 0 || i.Planning {
			line += "/"
		}
		if i.Status != "" {
			line += " [" + i.Status + "]"
		}
		if i.Priority != "" {
			line += " !" + i.Priority
		}
		for _, w := range i.Waits {
			line += " <" + w.Title
		}
		for _, a := range i.Acceptance {
			line += " {" + a.When + "=>" + a.Then + "}"
		}
		if need := strings.ReplaceAll(i.Requirement, "\n", "|"); need != "" {
			line += " :" + need
		}
		if i.Conclusion != "" {
			line += " =" + i.Conclusion
		}
		out += line + "\n" + drawn(i.Children, indent+"  ")
	}
	return out
}

// BW-CMD-09: plans as people and models write them.
func TestPlansAreParsed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"headings, requirement, order": {"# Auth\n\nGoal here.\n\n## 1. Keys\n- [ ] 1.1 Make keys\n  An RSA pair.\n  - accept: no vault => an error\n- [x] 1.2 Choose (after: 1.1)\n  - priority: high\n### Deep\n* [ ] rotate\n## Tokens\n- [ ] Verify\n  - after: Make keys, 1.2\n",
			"Keys/\n  Make keys {no vault=>an error} :An RSA pair.\n  Choose [done] !high <Make keys\n  Deep/\n    rotate\nTokens/\n  Verify <Make keys <Choose\n"},
		"nested items":              {"- [ ] a\n  - [ ] b\n    - [ ] c\n  - [x] d\n- [ ] e\n", "a/\n  b/\n    c\n  d [done]\ne\n"},
		"tabs and CRLF":             {"- [ ] a\r\n\t- [ ] b\r\n", "a/\n  b\n"},
		"Chinese":                   {"# 认证\n用 JWT。\n## 密钥\n- [ ] 生成密钥\n  一对密钥\n  - 验收：保险库坏了 → 报错\n- [ ] 轮换（依赖：生成密钥）\n  - 优先级：高\n", "密钥/\n  生成密钥 {保险库坏了=>报错} :一对密钥\n  轮换 !high <生成密钥\n"},
		"numbered lists":            {"## Do\n1. first\n2. second (after: first)\n", "Do/\n  first\n  second <first\n"},
		"boxes of numbered lists":   {"## Do\n1. [x] first\n2) [ ] second\n", "Do/\n  first [done]\n  second\n"},
		"numbers are names":         {"## Do\n1. first\n2. second (after: 1)\n", "Do/\n  first\n  second <first\n"},
		"items without boxes":       {"## Do\n- first\n- second\n## Notes\n- no task\n", "Do/\n  first\n  second\n"},
		"remarks beside boxes":      {"## Format\n- [P]: in parallel\n\n## Do\n- [ ] a\n\n## Order\n- a is first\n", "Do/\n  a\n"},
		"code is no task":           {"- [ ] a\n  ```\n  - [ ] no task\n  ```\n", "a :```|- [ ] no task|```\n"},
		"keys of a spec":            {"## Phase 1\n- [ ] T001 [P] Make it\n- [ ] T002 Test it (depends on: T001)\n", "Phase 1/\n  [P] Make it\n  Test it <[P] Make it\n"},
		"front matter":              {"---\ntitle: x\n---\n- [ ] a\n", "a\n"},
		"underlined headings":       {"\ufeffThe plan\n========\n\nWhat for.\n\nPart one\n--------\n- [ ] a\n\nnot one\n\n---\n- [ ] b\n", "Part one/ :not one||---\n  a\n  b\n"},
		"a list below the first":    {"# TODO\n- a\n\n## Later\n- b\n", "a\nLater/\n  b\n"},
		"reasons are no tasks":      {"# Move\n\nWhy we do it.\n\n- speed\n\n## Do\n- a\n", "Do/\n  a\n"},
		"one heading, no boxes":     {"TODO\n====\n\n* a\n* b (after: a)\n", "a\nb <a\n"},
		"comments":                  {"- [ ] a <!-- who? -->\n<!-- later:\n- [ ] no task\n-->\n- [ ] b\n", "a\nb\n"},
		"dropped and begun":         {"- [-] a\n- [/] b\n", "a [dropped]\nb [active]\n"},
		"JSON":                      {`{"name": "n", "nodes": [{"title": "a", "key": "k", "acceptance": [{"when": "w", "then": "t"}]}, {"title": "p", "children": ["b", {"title": "c", "after": ["k"], "priority": "low", "done": true}]}]}`, "a {w=>t}\np/\n  b\n  c [done] !low <a\n"},
		"a JSON list of texts":      {`["a", "b"]`, "a\nb\n"},
		"planning without parts":    {`[{"title": "a", "type": "planning"}]`, "a/\n"},
		"a list that begins oddly":  {"[ ] is no item\n- [ ] a\n", "a\n"},
		"a tab below blanks":        {"- [ ] a\n  - [ ] b\n\t- [ ] c\n", "a/\n  b/\n    c\n"},
		"blanks behind a rule":      {"Part\n---- \n- [ ] a\n", "Part/\n  a\n"},
		"a remark below an item":    {"- [ ] a\n  - see b\n", "a :- see b\n"},
		"an empty line in an item":  {"- [ ] a\n\n  more\n\n  - [ ] b\n", "a/ :more\n  b\n"},
		"text ends an item":         {"- [ ] a\nwhat follows\n  - [ ] b\n", "a\nb\n"},
		"words before the one list": {"# TODO\n\nWhat for.\n\n- a\n- b\n", "a\nb\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := plan.Parse([]byte(c.text), nil)
			must.Do(t, err)
			if have := drawn(p.Items, ""); have != c.want {
				t.Errorf("\n%swant\n%s", have, c.want)
			}
		})
	}
	p, err := plan.Parse([]byte("# Name\n\n## Why\nIt is slow.\n\n## A\n- [ ] a\n"), nil)
	if err != nil || p.Goal != "It is slow." {
		t.Errorf("a goal below its own heading: %+v %v", p, err)
	}
	p, err = plan.Parse([]byte("# Name\n\nThe goal.\n\n## Rules\n- one\n- two\n\n## A\n- [ ] a\n"), nil)
	if err != nil || p.Name != "Name" || p.Goal != "The goal." || fmt.Sprint(p.Rules) != "[one two]" {
		t.Errorf("%+v %v", p, err)
	}
	p, err = plan.Parse([]byte("# Name\n\n## Risks\nIt may rain.\n## A\n- [ ] a\n### Notes\nRead b.\n## Later\n"), nil)
	if err != nil || p.Notes != "Risks:\nIt may rain." || drawn(p.Items, "") != "A/ :Notes:|Read b.\n  a\n" {
		t.Errorf("what stands over nothing to do: %q %q %v", p.Notes, drawn(p.Items, ""), err)
	}
}

// BW-CMD-07: what is wrong with a plan is said with its place, and what would do.
func TestPlansThatAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "there is no task in it",
		"just words":                             "there is no task in it",
		"- [ ] a\n- [ ] b (after: nobody)":       `line 2: "b" waits for "nobody", which is not a task here`,
		"- [ ] a (after: b)\n- [ ] b (after: a)": "tasks wait for each other: a → b → a",
		"- [ ] a (after: c, b)\n- [ ] b (after: a)\n- [ ] c": "tasks wait for each other: a → b → a",
		"- [ ] a\n  - after: a\n":                            "tasks wait for each other: a → a",
		"## P\n- [ ] a (after: P)\n":                         "tasks wait for each other",
		"- [ ] a\n- [ ] a\n- [ ] b (after: a)":               "there are 2 of that name",
		"- [ ] a\n  - priority: soon":                        `line 2: priority "soon"`,
		`{"nodes": [{"title": ""}]}`:                         "nodes[0]: it has no title",
		`{"nodes": 5}`:                                       "nodes: it is not a list",
		`{"nodes": [{"title": "a", "type": "x"}]}`:           `nodes[0].type: type "x"`,
		`{"nodes": [{"title": "a", "acceptance": [5]}]}`:     "nodes[0].acceptance[0]: it is not a criterion",
		`{"a": 1}`:    "there are no nodes in it",
		`{"nodes": [`: "",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			_, err := plan.Parse([]byte(text), nil)
			if e, ok := errors.AsType[*plan.Error](err); !ok || !strings.Contains(e.Error(), want) || e.Fix == "" {
				t.Errorf("%q: %v, want %q and a fix", text, err, want)
			}
		})
	}
	if p, err := plan.Parse([]byte("- [ ] a (after: elsewhere)"), func(name string) bool { return name == "elsewhere" }); err != nil || len(p.Items[0].Outside) != 1 {
		t.Errorf("what is there already may be waited for: %v", err)
	}
}

// BW-CMD-10: what other programs keep, in their own forms.
func TestForeignPlansAreRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind  string
		files []plan.File
		part  string
		want  string
	}{
		"Backlog.md": {plan.Backlog, []plan.File{
			{Name: "tasks/task-10 - Later.md", Text: []byte("---\nid: task-10\ntitle: Later\nstatus: To Do\ndependencies: [task-2]\npriority: low\n---\n\n## Description\n\nText.\n")},
			{Name: "tasks/task-2 - Auth.md", Text: []byte("---\nid: TASK-2\ntitle: 'Auth'\nstatus: Done\nassignee: ['@a']\nlabels: []\ndependencies: []\n---\n\n## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\nLogin.\n<!-- SECTION:DESCRIPTION:END -->\n\n## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [x] #1 works\n<!-- AC:END -->\n")},
			{Name: "tasks/task-10.1 - Part.md", Text: []byte("---\nid: task-10.1\ntitle: Part\nstatus: In Progress\nparent_task_id: task-10\ndependencies:\n  - task-99\n---\n")},
			{Name: "tasks/task-11 - Of it.md", Text: []byte("---\nid: task-11\ntitle: Of it\nstatus: Done\nparent_task_id: TASK-10\n---\n\n## Implementation Notes (how)\n\nDone by hand.\n")},
			{Name: "tasks/readme.md", Text: []byte("# no task\n")},
		}, "", "Auth [done] {done=>works} :Login.\nLater/ !low <Auth :Text.\n  Part [active]\n  Of it [done] =Done by hand.\n"},
		"Backlog.md, parts by their number": {plan.Backlog, []plan.File{
			{Name: "tasks/task-4.2 - B.md", Text: []byte("---\nid: task-4.2\ntitle: B\nstatus: To Do\n---\n")},
			{Name: "tasks/task-5 - C.md", Text: []byte("---\nid: task-5\ntitle: C\nstatus: To Do\n---\n")},
			{Name: "tasks/task-4 - A.md", Text: []byte("---\nid: task-4\ntitle: A\nstatus: To Do\n---\n")},
			{Name: "tasks/task-4.1 - Moved.md", Text: []byte("---\nid: task-4.1\ntitle: Moved\nstatus: To Do\nparent_task_id: task-5\n---\n")},
		}, "", "A/\n  B\nC/\n  Moved\n"},
		"beads": {plan.Beads, []plan.File{{Name: "issues.jsonl", Text: []byte(`{"id":"bd-1","title":"Epic","status":"open","priority":1,"issue_type":"epic"}
{"id":"bd-2","title":"B","description":"d","status":"open","priority":2,"issue_type":"task","acceptance_criteria":"- it works","dependencies":[{"issue_id":"bd-2","depends_on_id":"bd-1","type":"parent-child"},{"issue_id":"bd-2","depends_on_id":"bd-1.1","type":"blocks"},{"issue_id":"bd-2","depends_on_id":"bd-9","type":"related"}]}
{"id":"bd-1.1","title":"A","status":"closed","priority":4,"close_reason":"done it"}

{"id":"bd-7","title":"gone","status":"tombstone"}
{"id":"bd-8","title":"C","status":"open"}
`)}}, "", "Epic/ !high\n  B <A {done=>it works} :d\n  A [done] !low =done it\nC\n"},
		"Task Master": {plan.TaskMaster, []plan.File{{Name: "tasks/tasks.json", Text: []byte(`{"master": {"tasks": [{"id": 1, "title": "A", "description": "d", "details": "x", "testStrategy": "run it", "status": "done", "dependencies": [], "priority": "high"}, {"id": 2, "title": "B", "status": "pending", "dependencies": [1], "subtasks": [{"id": 1, "title": "B1", "status": "pending", "dependencies": []}, {"id": 2, "title": "B2", "status": "in-progress", "dependencies": [1, "1"]}]}]}, "other": {"tasks": [{"id": 1, "title": "O"}]}}`)}}, "",
			"A [done] !high {done=>run it} :d||x\nB/ <A\n  B1\n  B2 [active] <B1\n"},
		"Task Master, a tag": {plan.TaskMaster, []plan.File{{Name: "tasks.json", Text: []byte(`{"master": {"tasks": []}, "other": {"tasks": [{"id": 1, "title": "O"}]}}`)}}, "other", "O\n"},
		"Task Master, older": {plan.TaskMaster, []plan.File{{Name: "tasks.json", Text: []byte(`{"meta": {}, "tasks": [{"id": "1", "title": "O", "dependencies": ["7"]}]}`)}}, "", "O\n"},
		"an agent's own tasks": {plan.AgentTasks, []plan.File{
			{Name: "10.json", Text: []byte(`{"id": "10", "subject": "C", "status": "pending", "blocks": [], "blockedBy": ["2"]}`)},
			{Name: "1.json", Text: []byte(`{"id": "1", "subject": "A", "description": "d", "activeForm": "Doing A", "status": "completed", "blocks": ["2"], "blockedBy": []}`)},
			{Name: "2.json", Text: []byte(`{"id": "2", "subject": "B", "status": "in_progress", "blocks": [], "blockedBy": ["77"]}`)},
		}, "", "A [done] :d\nB [active] <A\nC <B\n"},
		"an agent's list": {plan.AgentTasks, []plan.File{{Name: "x.json", Text: []byte(`[{"content": "A", "status": "completed", "activeForm": "Doing A"}, {"content": "B", "status": "pending", "activeForm": "Doing B"}]`)}}, "", "A [done]\nB\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if kind := plan.Kind(c.files); kind != c.kind {
				t.Errorf("taken for %q", kind)
			}
			p, err := plan.Read(c.kind, c.files, c.part)
			must.Do(t, err)
			if have := drawn(p.Items, ""); have != c.want {
				t.Errorf("\n%swant\n%s", have, c.want)
			}
		})
	}
	for _, c := range []struct {
		kind, text, want string
	}{
		{plan.Beads, "{\"id\":\"a\",\"title\":\"t\"}\n{oops}\n", "issues.jsonl:2"},
		{plan.TaskMaster, "{", "issues.jsonl"},
		{"", "x", "not recognised"},
	} {
		t.Run(fmt.Sprintf("%q", c.kind), func(t *testing.T) {
			if _, err := plan.Read(c.kind, []plan.File{{Name: "issues.jsonl", Text: []byte(c.text)}}, ""); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.kind, err)
			}
		})
	}
}

// BW-CMD-10: a task that cannot be read is not left out.
func TestNoTaskOfOthersIsLeftOut(t *testing.T) {
	t.Parallel()
	good := plan.File{Name: "tasks/task-1 - A.md", Text: []byte("---\nid: task-1\ntitle: A\n---\n")}
	for text, want := range map[string]string{
		"---\nid: task-2\ntitle: [unclosed\n---\n": "tasks/task-2.md: yaml",
		"---\nid: task-2\n---\ntext\n":             "tasks/task-2.md: a task has no title",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if _, err := plan.Read(plan.Backlog, []plan.File{good, {Name: "tasks/task-2.md", Text: []byte(text)}}, ""); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%q: %v, want %s", text, err, want)
			}
		})
	}
}
