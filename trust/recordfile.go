package trust

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// parse reads a record.
func parse(b []byte) (approvals, error) {
	states, err := statesOf(b)
	if err != nil {
		return nil, err
	}
	all := approvals{}
	for project, list := range states {
		all[project] = map[string][]approval{}
		for _, s := range list {
			all[project][s.id] = append(all[project][s.id], s.approval(project))
		}
	}
	return all, nil
}

// statesOf are the states in a record by their projects, those of each in the order of
// their items, read strictly and in one pass: what is not understood is not trusted.
func statesOf(b []byte) (map[string][]state, error) {
	// A state takes about so much: memory that is not needed is not touched.
	r := reading{list: make([]state, 0, 1+len(b)/(2*hashLen)), next: state{plain: true}}
	if err := protocol.Walk(b, r.part); err != nil {
		return nil, err
	}
	if r.version != schema {
		return nil, fmt.Errorf("schema %q, want %s", r.version, schema)
	}
	return r.projects, r.bad
}

// A reading is a record as far as it was read: what is inside comes first.
type reading struct {
	version  string
	projects map[string][]state
	bad      error // of them

	all     map[string][]state // of the member that is read now, like the following
	odd     error
	list    []state
	project int // where its states begin in the list
	item    int
	next    state
}

// part takes one member or element of the record.
func (r *reading) part(depth int, name []byte, value protocol.Raw) {
	switch depth {
	case 1:
		switch string(name) {
		case "schema":
			r.version = string(value)
		case "projects":
			r.projects, r.bad = r.all, r.odd
		}
		r.all, r.odd = nil, nil
	case 2:
		r.add(string(name), r.list[r.project:len(r.list):len(r.list)])
		r.project = len(r.list)
	case 3:
		for id := sharing(name); r.item < len(r.list); r.item++ {
			r.list[r.item].id = id
		}
	case 4:
		r.next.text = value
		r.list = append(r.list, r.next)
		r.next = state{plain: true}
	case 5:
		switch string(name) {
		case "hash":
			r.next.sound = isHash(value)
		case "place", "replaced":
			r.next.plain = false
		case "as":
			r.next.as = plainText(value)
		}
	}
}

// add adds the states of a project.
func (r *reading) add(project string, list []state) {
	byID := func(a, b state) int { return strings.Compare(a.id, b.id) }
	if !slices.IsSortedFunc(list, byID) {
		order.By(list, byID)
	}
	for _, s := range list {
		if !s.sound && r.odd == nil {
			r.odd = fmt.Errorf("%q of %q: %q is not a hash", s.id, project, protocol.ObjectOf(s.text).Text("hash"))
		}
	}
	if r.all == nil {
		r.all = map[string][]state{}
	}
	r.all[project] = list
}

// plainText is a string's text, not copied where none of it is escaped.
func plainText(value protocol.Raw) string {
	if len(value) < 2 || value[0] != '"' || bytes.IndexByte(value, '\\') >= 0 {
		return protocol.TextOf(value)
	}
	return sharing(value[1 : len(value)-1])
}

// sharing is a string of the bytes themselves: nobody writes to a record that was read, and
// two copies for each approval took a fifth of reading it.
func sharing(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// isHash reports whether a value is a hash, spelt as we do.
func isHash(value protocol.Raw) bool {
	return len(value) == len(`""`)+hashLen && value[0] == '"' && bytes.IndexByte(value, '\\') < 0
}

func (a approvals) format() []byte {
	b := []byte("{\"schema\": " + schema + ", \"projects\": {")
	for i, project := range slices.Sorted(maps.Keys(a)) {
		b = append(separated(b, i, "\n  "), protocol.Quote(project)...)
		b = append(b, ": {"...)
		for j, item := range slices.Sorted(maps.Keys(a[project])) {
			b = append(separated(b, j, "\n    "), protocol.Quote(item)...)
			b = append(b, ": ["...)
			for k, s := range a[project][item] {
				var o protocol.Object
				o.SetText("hash", s.hash)
				o.SetText("time", s.time)
				if s.place != project {
					o.SetText("place", s.place)
				}
				o.PutText("replaced", s.replaced)
				o.PutText("as", s.as)
				b = append(separated(b, k, "\n      "), o.Raw()...)
			}
			b = append(b, ']')
		}
		b = append(b, '}')
	}
	return append(b, "}}\n"...)
}

// separated begins the i-th element of a list.
func separated(b []byte, i int, indent string) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return append(b, indent...)
}

// used are the states that an approval is of which was not replaced: a replaced one needs
// no copy.
func (a approvals) used() map[string]bool {
	all := map[string]bool{}
	for _, items := range a {
		for _, states := range items {
			for _, s := range states {
				if s.replaced == "" {
					all[s.hash] = true
				}
			}
		}
	}
	return all
}
