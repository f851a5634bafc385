package plan

import (
	"bytes"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Kinds of what other programs keep, beside OpenSpec's.
const (
	Markdown   = "markdown"
	Backlog    = "backlog"
	Beads      = "beads"
	TaskMaster = "taskmaster"
	AgentTasks = compat.TasksOfAgent
)

// Kinds lists them.
func Kinds() []string { return []string{Markdown, Backlog, Beads, TaskMaster, AgentTasks} }

// A File is one that was read, by its path below where the reading began.
type File struct {
	Name string
	Text []byte
}

// Wants reports whether a file, by its path below a folder, may hold what one of the
// kinds keeps.
func Wants(name string) bool {
	base := path.Base(name)
	switch path.Ext(base) {
	case ".jsonl":
		return base == "issues.jsonl" || base == "beads.jsonl"
	case ".json":
		return base == "tasks.json" || strings.Trim(strings.TrimSuffix(base, ".json"), "0123456789") == ""
	case ".md":
		dir := path.Base(path.Dir(name))
		return dir == "tasks" || dir == "." && strings.Contains(base, "-")
	}
	return false
}

// Kind tells what files hold, "" if nobody knows.
func Kind(files []File) string {
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".jsonl") {
			return Beads
		}
	}
	for _, f := range files {
		o := protocol.ObjectOf(protocol.Raw(bytes.TrimSpace(f.Text)))
		list := protocol.ElementsOf(protocol.Raw(bytes.TrimSpace(f.Text)))
		switch {
		case o.Has("subject") || len(list) > 0 && (protocol.ObjectOf(list[0]).Has("subject") || protocol.ObjectOf(list[0]).Has("content")):
			return AgentTasks
		case len(o) > 0 && len(tagged(o)) > 0:
			return TaskMaster
		}
	}
	for _, f := range files {
		if front, _, err := frontMatter(f.Text); err == nil && front["id"] != nil && front["title"] != nil {
			return Backlog
		}
	}
	if len(files) == 1 && strings.HasSuffix(files[0].Name, ".md") {
		return Markdown
	}
	return ""
}

// Read makes a plan of what another program keeps. part is the tag of Task Master's
// list that is meant, "" for its main one.
func Read(kind string, files []File, part string) (*Plan, error) {
	var items []*Item
	var err error
	switch kind {
	case Markdown:
		if len(files) != 1 {
			return nil, wrong("", "name the file", "%d files; want one", len(files))
		}
		p, err := parseMarkdown(string(files[0].Text))
		if err != nil {
			return nil, err
		}
		return p, p.Resolve(nil)
	case Backlog:
		items, err = backlog(files)
	case Beads:
		items, err = beads(files)
	case TaskMaster:
		items, err = taskMaster(files, part)
	case AgentTasks:
		items, err = agentTasks(files)
	default:
		return nil, wrong("", "say what it is with --type: openspec, "+strings.Join(Kinds(), ", "), "its kind is not recognised")
	}
	if err != nil {
		return nil, err
	}
	p := &Plan{Items: items}
	p.known()
	return p, p.Resolve(nil)
}

// known removes dependencies on what is not there: tasks that were archived or deleted,
// which nobody can wait for.
func (p *Plan) known() {
	keys := map[string]bool{}
	for _, i := range p.All() {
		keys[fold(i.Key)] = true
	}
	for _, i := range p.All() {
		i.After = slices.DeleteFunc(i.After, func(k string) bool { return !keys[fold(k)] || fold(k) == fold(i.Key) })
	}
}

// hang builds a tree of items that name their parents.
func hang(all []*Item, parent map[string]string) (top []*Item) {
	by := map[string]*Item{}
	for _, i := range all {
		by[i.Key] = i
	}
	above := func(i *Item) *Item {
		up := by[parent[i.Key]]
		for seen, at := map[*Item]bool{i: true}, up; at != nil; at = by[parent[at.Key]] {
			if seen[at] {
				return nil // a circle of parents
			}
			seen[at] = true
		}
		return up
	}
	for _, i := range all {
		if up := above(i); up != nil {
			up.Children = append(up.Children, i)
			i.After = slices.DeleteFunc(i.After, func(k string) bool { return k == up.Key })
		} else {
			top = append(top, i)
		}
	}
	return top
}

func join(texts ...string) string {
	var out []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n\n")
}

// frontMatter splits a page into the values of its front matter and its text.
func frontMatter(b []byte) (front map[string]any, body string, err error) {
	text := strings.ReplaceAll(strings.TrimPrefix(string(b), "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, text, nil
	}
	head, body, ok := strings.Cut(rest, "\n---")
	if !ok {
		return nil, text, nil
	}
	return front, strings.TrimLeft(body, "-\n"), yaml.Unmarshal([]byte(head), &front)
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return ""
}

func texts(v any) (out []string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if s := text(e); s != "" {
				out = append(out, s)
			}
		}
	case string:
		out = list(v)
	}
	return out
}

// backlog reads the tasks of Backlog.md: a file each, with front matter.
func backlog(files []File) ([]*Item, error) {
	var all []*Item
	parent := map[string]string{}
	for _, f := range files {
		front, body, err := frontMatter(f.Text)
		switch {
		case err != nil:
			return nil, wrong(f.Name, "fix its front matter", "%v", err)
		case text(front["title"]) == "" && front["id"] != nil:
			return nil, wrong(f.Name, "give the task a title", "a task has no title")
		case text(front["title"]) == "":
			continue // a page of another kind
		}
		i := &Item{Key: strings.ToLower(text(front["id"])), Title: text(front["title"]), Priority: level(text(front["priority"])), Status: state(text(front["status"])), Place: f.Name}
		for _, d := range texts(front["dependencies"]) {
			i.After = append(i.After, strings.ToLower(d))
		}
		for _, name := range []string{"parent_task_id", "parentTaskId", "parent"} {
			if up := strings.ToLower(text(front[name])); up != "" {
				parent[i.Key] = up
			}
		}
		if at := strings.LastIndex(i.Key, "."); at > 0 && parent[i.Key] == "" {
			parent[i.Key] = i.Key[:at] // task-4.1 is part of task-4
		}
		i.sections(body)
		all = append(all, i)
	}
	sort.SliceStable(all, func(a, b int) bool { return natural(all[a].Key, all[b].Key) })
	return hang(all, parent), nil
}

// sections takes description, plan and acceptance criteria out of a page.
func (i *Item) sections(body string) {
	section := ""
	parts := map[string]string{}
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\n")
		if depth, title := heading(line); depth == 2 {
			section = strings.ToLower(title)
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(line), "<!--") {
			continue
		}
		if strings.HasPrefix(section, "acceptance") || strings.HasPrefix(section, "definition of done") {
			if _, text, ok := bullet(strings.TrimSpace(line)); ok {
				if rest, ok := strings.CutPrefix(text, "#"); ok { // #1 is its number
					text = strings.TrimSpace(strings.TrimLeft(rest, "0123456789"))
				}
				i.accept(text)
			}
			continue
		}
		name, _, _ := strings.Cut(section, " (")
		parts[name] += line + "\n"
	}
	i.Requirement = join(parts["description"], parts["implementation plan"])
	if i.Status == Done {
		i.Conclusion = strings.TrimSpace(parts["implementation notes"] + parts["final summary"])
	}
}

// natural orders keys as people count: task-2 before task-10.
func natural(a, b string) bool {
	x, y := strings.FieldsFunc(a, notDigit), strings.FieldsFunc(b, notDigit)
	for n := 0; n < len(x) && n < len(y); n++ {
		p, _ := strconv.Atoi(x[n])
		q, _ := strconv.Atoi(y[n])
		if p != q {
			return p < q
		}
	}
	if len(x) != len(y) {
		return len(x) < len(y)
	}
	return a < b
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

// beads reads the export of beads: an issue a line.
func beads(files []File) ([]*Item, error) {
	var all []*Item
	parent := map[string]string{}
	for _, f := range files {
		n := 0
		for line := range bytes.Lines(f.Text) {
			n++
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			place := f.Name + ":" + strconv.Itoa(n)
			o, err := protocol.ParseObject(line)
			if err != nil {
				return nil, wrong(place, "fix the line, or export it again", "%v", err)
			}
			i := issue(o, place, parent)
			if i.Key == "" || i.Title == "" || strings.EqualFold(o.Text("status"), "tombstone") || o.Text("_type") != "" && o.Text("_type") != "issue" {
				continue // memories and what was deleted are no work
			}
			all = append(all, i)
		}
	}
	return hang(all, parent), nil
}

func issue(o protocol.Object, place string, parent map[string]string) *Item {
	i := &Item{
		Key: o.Text("id"), Title: o.Text("title"), Priority: level(scalar(o.Get("priority"))), Status: state(o.Text("status")), Conclusion: o.Text("close_reason"),
		Requirement: join(o.Text("description"), o.Text("design"), o.Text("notes")), Planning: o.Text("issue_type") == "epic", Place: place,
	}
	for line := range strings.Lines(o.Text("acceptance_criteria")) {
		line = strings.TrimSpace(line)
		if _, body, ok := bullet(line); ok {
			line = body
		}
		if line != "" {
			i.accept(line)
		}
	}
	if at := strings.LastIndex(i.Key, "."); at > 0 {
		parent[i.Key] = i.Key[:at]
	}
	for _, e := range protocol.ElementsOf(o.Get("dependencies")) {
		d := protocol.ObjectOf(e)
		on := d.Text("depends_on_id")
		kind := d.Text("type")
		if kind == "" {
			kind = d.Text("dep_type")
		}
		switch kind {
		case "parent-child":
			parent[i.Key] = on
		case "blocks", "":
			i.After = append(i.After, on)
		}
	}
	return i
}

// tagged are the lists of a tasks.json by their tags: "master" of the older form.
func tagged(o protocol.Object) (lists protocol.Object) {
	if o.Has("tasks") {
		return protocol.Object{{Name: "master", Value: o.Get("tasks")}}
	}
	for _, m := range o {
		if t := protocol.ObjectOf(m.Value).Get("tasks"); t != nil {
			lists = append(lists, protocol.Member{Name: m.Name, Value: t})
		}
	}
	return lists
}

// taskMaster reads the tasks.json of Task Master.
func taskMaster(files []File, part string) ([]*Item, error) {
	for _, f := range files {
		o, err := protocol.ParseObject(f.Text)
		if err != nil {
			return nil, wrong(f.Name, "fix the JSON", "%v", err)
		}
		lists := tagged(o)
		if len(lists) == 0 {
			continue
		}
		tag := part
		if tag == "" {
			if tag = lists[0].Name; lists.Has("master") {
				tag = "master"
			}
		}
		if !lists.Has(tag) {
			var names []string
			for _, m := range lists {
				names = append(names, m.Name)
			}
			return nil, wrong(f.Name, "one of "+strings.Join(names, ", "), "no such tag: %q", tag)
		}
		var items []*Item
		for n, e := range protocol.ElementsOf(lists.Get(tag)) {
			items = append(items, masterTask(protocol.ObjectOf(e), "", f.Name+" "+tag+"["+strconv.Itoa(n)+"]"))
		}
		return items, nil
	}
	return nil, wrong("", "name the folder .taskmaster or its tasks.json", "there is no tasks.json of Task Master in it")
}

// masterTask is a task; of a subtask up is the id of its task, whose other subtasks
// it names by their numbers alone.
func masterTask(o protocol.Object, up, place string) *Item {
	key := scalar(o.Get("id"))
	if up != "" && !strings.Contains(key, ".") {
		key = up + "." + key
	}
	i := &Item{Key: key, Title: o.Text("title"), Requirement: join(o.Text("description"), o.Text("details")), Priority: level(o.Text("priority")), Status: state(o.Text("status")), Place: place}
	if s := strings.TrimSpace(o.Text("testStrategy")); s != "" {
		i.Acceptance = append(i.Acceptance, Criterion{"done", s})
	}
	for _, d := range scalars(o.Get("dependencies")) {
		if up != "" && !strings.Contains(d, ".") {
			d = up + "." + d
		}
		i.After = append(i.After, d)
	}
	for n, e := range protocol.ElementsOf(o.Get("subtasks")) {
		i.Children = append(i.Children, masterTask(protocol.ObjectOf(e), key, place+".subtasks["+strconv.Itoa(n)+"]"))
	}
	return i
}

// agentTasks reads the tasks that an agent keeps for itself: a file each, or a list of
// them.
func agentTasks(files []File) ([]*Item, error) {
	var all []*Item
	for _, f := range files {
		raw := protocol.Raw(bytes.TrimSpace(f.Text))
		if err := protocol.ValidValue(raw); err != nil {
			return nil, wrong(f.Name, "fix the JSON", "%v", err)
		}
		elements := []protocol.Raw{raw}
		if raw[0] == '[' {
			elements = protocol.ElementsOf(raw)
		} else if o := protocol.ObjectOf(raw); o.Has("tasks") {
			elements = protocol.ElementsOf(o.Get("tasks"))
		}
		for n, e := range elements {
			o := protocol.ObjectOf(e)
			i := &Item{Key: scalar(o.Get("id")), Title: o.Text("subject"), Requirement: o.Text("description"), Status: state(o.Text("status")), Priority: level(o.Text("priority")), After: scalars(o.Get("blockedBy")), Place: f.Name}
			if i.Title == "" {
				i.Title = o.Text("content")
			}
			if i.Key == "" {
				i.Key = "#" + strconv.Itoa(n)
			}
			if i.Title != "" && !strings.EqualFold(o.Text("status"), "deleted") && !o.Sub("metadata").Bool("_internal") {
				all = append(all, i)
			}
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return natural(all[a].Key, all[b].Key) })
	// "blocks" says the same from the other side.
	by := map[string]*Item{}
	for _, i := range all {
		by[i.Key] = i
	}
	for _, f := range files {
		if o := protocol.ObjectOf(protocol.Raw(bytes.TrimSpace(f.Text))); o.Has("blocks") {
			for _, id := range scalars(o.Get("blocks")) {
				if other := by[id]; other != nil && !slices.Contains(other.After, scalar(o.Get("id"))) {
					other.After = append(other.After, scalar(o.Get("id")))
				}
			}
		}
	}
	return all, nil
}
