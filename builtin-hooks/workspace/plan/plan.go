package plan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A Plan is what is to be done.
type Plan struct {
	Name, Goal string
	Rules      []string
	Notes      string // what stands below headings that are over nothing to do
	Items      []*Item
}

// An Item is one thing of it. One with children is a plan by itself.
type Item struct {
	Key         string // by which others name it, beside its title; "" if none
	Title       string
	Requirement string
	Planning    bool // although it has no children
	Priority    string
	After       []string // keys or titles; [Plan.Resolve] makes items of them
	Acceptance  []Criterion
	Status      string // "", Active, Done or Dropped
	Conclusion  string
	Children    []*Item
	Place       string // where it stands: line 12

	Waits   []*Item  // set by Resolve
	Outside []string // what it waits for that is not of this plan
}

// States of an item that was begun elsewhere.
const (
	Active  = "active"
	Done    = "done"
	Dropped = "dropped"
)

// A Criterion says what has to happen when.
type Criterion struct{ When, Then string }

// An Error is what is wrong with a plan, where, and what would do.
type Error struct{ Place, What, Fix string }

func (e *Error) Error() string {
	if e.Place == "" {
		return e.What
	}
	return e.Place + ": " + e.What
}

func wrong(place, fix, what string, args ...any) *Error {
	return &Error{place, fmt.Sprintf(what, args...), fix}
}

// Most is how many items a plan may have.
const Most = 2000

// Parse reads a plan of our own: JSON if it begins with a brace or a bracket, else
// Markdown. outside reports whether something that tasks wait for is there already;
// nil if nothing is.
func Parse(b []byte, outside func(name string) bool) (*Plan, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	var p *Plan
	var err error
	if t := bytes.TrimSpace(b); len(t) > 0 && (t[0] == '{' || t[0] == '[' && !bytes.HasPrefix(t, []byte("[ ]")) && !bytes.HasPrefix(t, []byte("[x]"))) {
		p, err = parseJSON(t)
	} else {
		p, err = parseMarkdown(string(b))
	}
	if err != nil {
		return nil, err
	}
	return p, p.Resolve(outside)
}

// All are all items, each before its children.
func (p *Plan) All() (list []*Item) {
	var add func([]*Item)
	add = func(items []*Item) {
		for _, i := range items {
			list = append(list, i)
			add(i.Children)
		}
	}
	add(p.Items)
	return list
}

// Resolve finds the items that others wait for, and refuses plans that nobody could
// work off.
func (p *Plan) Resolve(outside func(name string) bool) error {
	all := p.All()
	switch {
	case len(all) == 0:
		return wrong("", "a Markdown list of tasks (- [ ] title), or JSON with nodes; the format: agents-hooks workspace guide plan", "there is no task in it")
	case len(all) > Most:
		return wrong("", "divide it", "%d tasks; want at most %d", len(all), Most)
	}
	by := map[string][]*Item{}
	for _, i := range all {
		if strings.TrimSpace(i.Title) == "" {
			return wrong(i.Place, "give each task a title", "a task has no title")
		}
		for _, name := range slices.Compact([]string{fold(i.Key), fold(i.Title)}) {
			if name != "" {
				by[name] = append(by[name], i)
			}
		}
	}
	for _, i := range all {
		i.Waits, i.Outside = nil, nil
		for _, name := range i.After {
			found := by[fold(name)]
			switch {
			case len(found) == 0 && outside != nil && outside(name):
				i.Outside = append(i.Outside, name)
				continue
			case len(found) == 0:
				return wrong(i.Place, "name a task by its title, its number or its key", "%q waits for %q, which is not a task here", i.Title, name)
			case len(found) > 1:
				return wrong(i.Place, "give them keys, or other titles", "%q waits for %q, and there are %d of that name", i.Title, name, len(found))
			}
			if !slices.Contains(i.Waits, found[0]) {
				i.Waits = append(i.Waits, found[0])
			}
		}
	}
	return p.circles()
}

func fold(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.Trim(s, " `\"'“”「」#.")), " "))
}

// circles refuses tasks that wait for each other: directly, through what they are
// part of, or through their own parts.
func (p *Plan) circles() error {
	parent := map[*Item]*Item{}
	for _, i := range p.All() {
		for _, c := range i.Children {
			parent[c] = i
		}
	}
	const open, closed = 1, 2
	state := map[*Item]int{}
	var way []string
	var visit func(i *Item) *Error
	visit = func(i *Item) *Error {
		switch state[i] {
		case closed:
			return nil
		case open:
			return wrong(i.Place, "take one of the dependencies out", "tasks wait for each other: %s", strings.Join(append(way, i.Title), " → "))
		}
		state[i] = open
		way = append(way, i.Title)
		// A task is done when its parts are; it begins when what it and the tasks above
		// it wait for is done.
		next := slices.Clone(i.Children)
		for up := i; up != nil; up = parent[up] {
			next = append(next, up.Waits...)
		}
		for _, n := range next {
			if err := visit(n); err != nil {
				return err
			}
		}
		way = way[:len(way)-1]
		state[i] = closed
		return nil
	}
	for _, i := range p.All() {
		if err := visit(i); err != nil {
			return err
		}
	}
	return nil
}

// level is a priority in our words.
func level(s string) string {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "high", "critical", "urgent", "highest", "p0", "p1", "0", "1", "高", "紧急":
		return "high"
	case "low", "lowest", "minor", "p3", "p4", "3", "4", "低":
		return "low"
	}
	return ""
}

// list parts a list at commas.
func list(s string) (out []string) {
	for _, w := range strings.FieldsFunc(strings.Trim(strings.TrimSpace(s), "[]"), func(r rune) bool { return strings.ContainsRune(",;，、；", r) }) {
		if w = strings.TrimSpace(w); w != "" && !slices.Contains([]string{"none", "-", "无"}, strings.ToLower(w)) {
			out = append(out, w)
		}
	}
	return out
}
