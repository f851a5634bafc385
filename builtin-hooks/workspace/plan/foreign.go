package plan

import (
	"bytes"
	"cmp"
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
			i.Title = cmp.Or(i.Title, o.Text("content"))
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
