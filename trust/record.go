package trust

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	schema  = "1"
	hashLen = 2 * sha256.Size // as text
)

// A Record is the record of approvals as it was read.
type Record struct {
	raw  []byte // the file
	all  map[string][]state
	kept copies
	home map[string]string // of projects, as far as they were asked for
	list map[string]*folders
}

// A state is one of an item that was approved, as the record tells it: of a great many,
// an event asks about a few, and those are read when they are asked about.
type state struct {
	id    string // of the item
	as    string // [Item.As]
	text  protocol.Raw
	plain bool // it stands where it was given, and no later one took its place
	sound bool // it has a hash
}

// folders are those of a project's hooks that were approved.
type folders struct {
	all   []string // in order
	named []named  // by name
}

// A named folder was approved under a name.
type named struct{ name, folder string }

// approvals is all that the record holds: project → item → states, the newest first.
// Those of a worktree stand under the project in the repository's main one.
type approvals map[string]map[string][]approval

// An approval is one state of an item that its user agreed to.
type approval struct {
	hash     string
	time     string // RFC 3339
	place    string // the project that it was given in, one of the repository's worktrees
	replaced string // when a later one took its place there, "" while it stands
	as       string // Item.As
}

// stands reports whether an approval counts in a project: it was given there, or in
// a worktree that is there still.
func (s approval) stands(project string) bool {
	if s.replaced != "" {
		return false
	}
	if s.place == project {
		return true
	}
	info, err := os.Lstat(s.place)
	return err == nil && info.IsDir()
}

// of are the approvals of an item of a project.
func (r *Record) of(project, id string) (states []approval) {
	home := r.homeOf(project)
	list := r.all[home]
	i, _ := slices.BinarySearchFunc(list, id, func(s state, id string) int { return strings.Compare(s.id, id) })
	for ; i < len(list) && list[i].id == id; i++ {
		states = append(states, list[i].approval(home))
	}
	return states
}

// approval reads a state; home is where it is recorded.
func (s state) approval(home string) approval {
	o := protocol.ObjectOf(s.text)
	return approval{hash: o.Text("hash"), time: o.Text("time"), place: cmp.Or(o.Text("place"), home), replaced: o.Text("replaced"), as: s.as}
}

// homeOf is where the approvals of a project stand, found out once.
func (r *Record) homeOf(project string) string {
	if len(r.all) == 0 {
		return project
	}
	home, known := r.home[project]
	if !known {
		home = Home(project)
		if r.home == nil {
			r.home = map[string]string{}
		}
		r.home[project] = home
	}
	return home
}

func (r *Record) approves(project, id, hash string) bool {
	return slices.ContainsFunc(r.of(project, id), func(s approval) bool { return s.hash == hash && s.stands(project) })
}

func recordPath(state string) string { return filepath.Join(state, "trust.json") }

// Read reads the record in a state directory. The error is an [*Unreadable]; the
// record is never nil, and after an error it approves nothing.
func Read(state string) (*Record, error) { return (&Record{}).Again(state) }

// Again is [Read] for a caller that has read it before: unchanged bytes are not parsed
// again. Their meaning for a project is computed again.
func (r *Record) Again(state string) (*Record, error) {
	b, err := statefile.Read(recordPath(state))
	now := &Record{raw: b, kept: copiesIn(state)}
	switch {
	case err != nil || b == nil:
	case r.raw != nil && bytes.Equal(b, r.raw):
		now.all = r.all
	default:
		now.all, err = statesOf(b)
	}
	if err != nil {
		return &Record{}, &Unreadable{recordPath(state), safefile.Reason(err)}
	}
	return now, nil
}

// An Unreadable is a record that cannot be read, completely or in part: then nothing is
// trusted.
type Unreadable struct{ File, Reason string }

// Message and Fix are the two halves of the error, for callers that show them
// separately.
func (e *Unreadable) Message() string {
	return "the record of approvals cannot be read, so no project hook is trusted: " + e.Reason
}

// Fix is what to do about it.
func (e *Unreadable) Fix() string {
	return "approve again with `agents-hooks trust`; the old file is kept aside then"
}

func (e *Unreadable) Error() string { return e.File + ": " + e.Message() + "; " + e.Fix() }

// Knows reports whether any state of an item was ever approved. It reads nothing, so an
// item that nobody approved need not be hashed.
func (r *Record) Knows(project, id string) bool { return len(r.of(project, id)) > 0 }

// Folders returns the folders of a project's hooks that were approved under a name, or
// under any. It does not check whether they are unchanged.
func (r *Record) Folders(project, name string) (list []string) {
	f := r.foldersOf(project)
	if name == "" {
		return f.all
	}
	i, _ := slices.BinarySearchFunc(f.named, name, func(n named, name string) int { return strings.Compare(n.name, name) })
	for ; i < len(f.named) && f.named[i].name == name; i++ {
		list = append(list, f.named[i].folder)
	}
	return list
}

func (r *Record) foldersOf(project string) *folders {
	f, known := r.list[project]
	if !known {
		f = r.folders(project)
		if r.list == nil {
			r.list = map[string]*folders{}
		}
		r.list[project] = f
	}
	return f
}

// Gone returns the folders of a project's hooks that were approved and no longer exist
// (an empty absent means all), unless another approved one has the same name, since a hook that
// was moved and approved again is not gone.
func (r *Record) Gone(project string, absent []string) (gone []string) {
	f := r.foldersOf(project)
	if len(absent) == 0 {
		absent = f.all
	}
	for _, n := range f.named {
		if !slices.ContainsFunc(r.Folders(project, n.name), func(folder string) bool { return !slices.Contains(absent, folder) }) {
			gone = append(gone, n.folder)
		}
	}
	slices.Sort(gone)
	return slices.Compact(gone)
}

func (r *Record) folders(project string) *folders {
	home := r.homeOf(project)
	list := r.all[home]
	f := &folders{all: make([]string, 0, len(list)), named: make([]named, 0, len(list))}
	for _, s := range list {
		folder, ok := strings.CutPrefix(s.id, HookID(""))
		if !ok || !(s.plain && home == project) && !s.approval(home).stands(project) {
			continue
		}
		if n := len(f.all); n == 0 || f.all[n-1] != folder {
			f.all = append(f.all, folder)
		}
		under := named{cmp.Or(s.as, folder), folder}
		if n := len(f.named); n == 0 || f.named[n-1] != under {
			f.named = append(f.named, under)
		}
	}
	byName := func(a, b named) int { return strings.Compare(a.name, b.name) }
	if !slices.IsSortedFunc(f.named, byName) {
		order.By(f.named, byName)
	}
	f.named = slices.Compact(f.named)
	return f
}

// Approves reports whether the current state of a thing in a project is approved. It
// must be in the project, and its links in it. If the context ends before it is read,
// it is not approved.
func (r *Record) Approves(ctx context.Context, project string, t Thing) bool {
	_, _, ok := r.look(ctx, project, t, Start{})
	return ok
}

// Admit is Approves for something that is about to run, one of whose files began as
// start says: dir has the approved bytes, whatever happens to the thing itself from now
// on. An error says why there is no such folder.
func (r *Record) Admit(ctx context.Context, project string, t Thing, start Start) (dir string, ok bool, err error) {
	files, hash, ok := r.look(ctx, project, t, start)
	if !ok {
		return "", false, nil
	}
	dir, err = r.kept.ensure(ctx, project, t, hash, files)
	if errors.Is(err, errChanged) {
		return "", false, nil
	}
	return dir, true, err
}

func (r *Record) look(ctx context.Context, project string, t Thing, start Start) (files []treeFile, hash string, ok bool) {
	if !r.Knows(project, t.ID) {
		return nil, "", false
	}
	files, err := t.read(ctx, project, treeWalk{start: start})
	if err != nil {
		return nil, "", false
	}
	hash = treeHash(files)
	return files, hash, r.approves(project, t.ID, hash)
}

// ApprovesSettings reports whether these are approved bytes of a project's hooks.toml:
// the caller hashes what it parses.
func (r *Record) ApprovesSettings(project string, content []byte) bool {
	return r.approves(project, SettingsID, treeHash([]treeFile{settingsTree(content)}))
}

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
		for id := string(name); r.item < len(r.list); r.item++ {
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
			r.next.as = protocol.TextOf(value)
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
			r.odd = fmt.Errorf("%q of %q: %q is no hash", s.id, project, protocol.ObjectOf(s.text).Text("hash"))
		}
	}
	if r.all == nil {
		r.all = map[string][]state{}
	}
	r.all[project] = list
}

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
				if s.replaced != "" {
					o.SetText("replaced", s.replaced)
				}
				if s.as != "" {
					o.SetText("as", s.as)
				}
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

// uses reports whether an approval that stands is of a state: what was replaced
// needs no copy.
func (a approvals) uses(hash string) bool {
	for _, items := range a {
		for _, states := range items {
			if slices.ContainsFunc(states, func(s approval) bool { return s.hash == hash && s.replaced == "" }) {
				return true
			}
		}
	}
	return false
}
