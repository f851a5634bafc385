package plan

import (
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

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
