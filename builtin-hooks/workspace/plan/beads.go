package plan

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

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
		kind := cmp.Or(d.Text("type"), d.Text("dep_type"))
		switch kind {
		case "parent-child":
			parent[i.Key] = on
		case "blocks", "":
			i.After = append(i.After, on)
		}
	}
	return i
}
