package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A report is what was found out about one agent.
type report struct {
	Agent   string `json:"agent"`
	Package string `json:"package,omitempty"`
	Pinned  string `json:"pinned,omitempty"` // the version of the table and the suite
	Newest  string `json:"newest,omitempty"` // in the registry
	Looked  string `json:"looked,omitempty"` // the version whose files were read

	New       []string `json:"new,omitempty"`
	Gone      []string `json:"gone,omitempty"`
	Different []string `json:"different,omitempty"`
	Suite     []string `json:"suite,omitempty"` // failed checks of real agents, with --suite

	// Note is what cannot be found out, or is not drift; Failed is what went wrong.
	Note   string `json:"note,omitempty"`
	Failed string `json:"failed,omitempty"`
}

// drifted reports whether there is something to do.
func (r *report) drifted() bool {
	return len(r.New)+len(r.Gone)+len(r.Different)+len(r.Suite) > 0
}

// compare adds what a program says and its table does not, and the reverse.
func (r *report) compare(was, is said) {
	all := said{}
	maps.Copy(all, was)
	maps.Copy(all, is)
	for _, of := range slices.Sorted(maps.Keys(all)) {
		r.New = append(r.New, told(of, without(is[of], was[of]))...)
		r.Gone = append(r.Gone, told(of, without(was[of], is[of]))...)
	}
}

// told is a row of a report: "payload of Stop: a, b".
func told(of string, names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{of + ": " + strings.Join(names, ", ")}
}

// without are the names not among others.
func without(names, others []string) (left []string) {
	for _, name := range names {
		if !slices.Contains(others, name) {
			left = append(left, name)
		}
	}
	return left
}

// hold compares a dialect with what the program says: events that the dialect does not
// know are counted as strange at every call, and one that the program no longer knows
// never comes.
func (r *report) hold(d *protocol.Dialect, t *table, is said) {
	if t.Empty == "" && d.Observed != t.Version {
		r.Different = append(r.Different, fmt.Sprintf("the dialect is proven on %s, and the table is of %s", d.Observed, t.Version))
	}
	if len(is[events]) == 0 {
		return
	}
	var named []string
	for _, name := range is[events] {
		named = append(named, cmp.Or(t.As[name], name))
	}
	known := slices.Clone(d.Others)
	var registered []string
	for _, n := range d.NativeEvents {
		known = append(known, n.Name, n.Key())
		if !n.Manual && !slices.Contains(t.Unsaid, n.Name) {
			registered = append(registered, n.Name)
		}
	}
	slices.Sort(registered)
	r.New = append(r.New, told("events that the dialect does not know", without(named, known))...)
	r.Gone = append(r.Gone, told("events that the dialect registers", without(registered, named))...)
}

// newer reports whether version a comes after b, by their numbers.
func newer(a, b string) bool {
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(x), len(y)) {
		if n, m := number(x[i]), number(y[i]); n != m {
			return n > m
		}
	}
	return len(x) > len(y)
}
