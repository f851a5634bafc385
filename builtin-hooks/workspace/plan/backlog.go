package plan

import (
	"sort"
	"strconv"
	"strings"
)

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
