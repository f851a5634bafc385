package plan

import (
	"strconv"

	"github.com/agents-hooks/agents-hooks/protocol"
)

func parseJSON(b []byte) (*Plan, error) {
	if err := protocol.ValidValue(b); err != nil {
		return nil, wrong("", "fix the JSON", "%v", err)
	}
	p := &Plan{}
	nodes := protocol.Raw(b)
	at := ""
	if b[0] == '{' {
		o := protocol.ObjectOf(protocol.Raw(b))
		p.Name, p.Goal = o.Text("name"), o.Text("goal")
		p.Rules = append(p.Rules, protocol.TextsOf(o.Get("rules"))...)
		for _, name := range []string{"nodes", "tasks", "children", "items"} {
			if o.Has(name) {
				nodes, at = o.Get(name), name
				break
			}
		}
		if at == "" {
			return nil, wrong("", `want {"nodes": [{"title": "…"}, …]}`, "there are no nodes in it")
		}
	}
	var err error
	p.Items, err = items(nodes, at)
	return p, err
}

func items(raw protocol.Raw, at string) (list []*Item, err error) {
	if len(raw) == 0 || raw[0] != '[' {
		return nil, wrong(at, "want a list of nodes", "it is not a list")
	}
	for n, e := range protocol.ElementsOf(raw) {
		place := at + "[" + strconv.Itoa(n) + "]"
		i, err := item(e, place)
		if err != nil {
			return nil, err
		}
		list = append(list, i)
	}
	return list, nil
}

func item(raw protocol.Raw, place string) (*Item, error) {
	if raw[0] == '"' {
		i := &Item{Place: place}
		i.title(protocol.TextOf(raw))
		return i, nil
	}
	o := protocol.ObjectOf(raw)
	if o == nil {
		return nil, wrong(place, `want {"title": "…"} or a text`, "it is neither an object nor a text")
	}
	i := &Item{Place: place, Planning: o.Text("type") == "planning"}
	for _, m := range o {
		if err := i.member(m, place); err != nil {
			return nil, err
		}
	}
	if i.Title == "" {
		return nil, wrong(place, "give it a title", "it has no title")
	}
	return i, nil
}

func (i *Item) member(m protocol.Member, place string) (err error) {
	at := place + "." + m.Name
	switch m.Name {
	case "title", "name", "subject":
		i.Title = protocol.TextOf(m.Value)
	case "requirement", "description", "details":
		if text := protocol.TextOf(m.Value); i.Requirement == "" {
			i.Requirement = text
		} else {
			i.Requirement += "\n\n" + text
		}
	case "key", "id":
		i.Key = scalar(m.Value)
	case "after", "dependencies", "dependsOn", "blockedBy":
		i.After = append(i.After, scalars(m.Value)...)
	case "priority":
		i.Priority = level(scalar(m.Value))
	case "acceptance", "acceptanceCriteria":
		err = i.criteria(m.Value, at)
	case "done":
		if string(m.Value) == "true" {
			i.Status = Done
		}
	case "status":
		i.Status = state(protocol.TextOf(m.Value))
	case "conclusion":
		i.Conclusion = protocol.TextOf(m.Value)
	case "type":
		if t := protocol.TextOf(m.Value); t != "planning" && t != "execution" {
			err = wrong(at, "planning or execution, or leave it out", "type %q", t)
		}
	case "children", "subtasks", "nodes", "tasks":
		i.Children, err = items(m.Value, at)
	}
	return err
}

func (i *Item) criteria(raw protocol.Raw, at string) error {
	if text := protocol.TextOf(raw); text != "" {
		i.accept(text)
		return nil
	}
	for n, e := range protocol.ElementsOf(raw) {
		o := protocol.ObjectOf(e)
		switch {
		case e[0] == '"':
			i.accept(protocol.TextOf(e))
		case o.Text("when") != "" && o.Text("then") != "":
			i.Acceptance = append(i.Acceptance, Criterion{o.Text("when"), o.Text("then")})
		default:
			return wrong(at+"["+strconv.Itoa(n)+"]", `want {"when": "…", "then": "…"}`, "it is not a criterion")
		}
	}
	return nil
}

// scalar is a text or a number as a text.
func scalar(raw protocol.Raw) string {
	if len(raw) > 0 && (raw[0] >= '0' && raw[0] <= '9' || raw[0] == '-') {
		return string(raw)
	}
	return protocol.TextOf(raw)
}

func scalars(raw protocol.Raw) (out []string) {
	if text := protocol.TextOf(raw); text != "" {
		return list(text)
	}
	for _, e := range protocol.ElementsOf(raw) {
		if s := scalar(e); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// state is a state of another program in our words.
func state(s string) string {
	switch fold(s) {
	case "done", "completed", "complete", "closed", "resolved", "finished":
		return Done
	case "in progress", "in-progress", "in_progress", "active", "doing", "hooked", "implementing":
		return Active
	case "cancelled", "canceled", "dropped", "wontfix", "won't do", "won't fix", "deleted", "tombstone", "archived":
		return Dropped
	}
	return ""
}
