package trust

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"iter"
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

// A state is one approved state of an item, as the record has it. There may be a great
// many, and an event asks about a few, so each is read only when it is asked about.
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
	named []named  // by name, once one was asked for
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
	all := r.namedOf(project)
	i, _ := slices.BinarySearchFunc(all, name, func(n named, name string) int { return strings.Compare(n.name, name) })
	for ; i < len(all) && all[i].name == name; i++ {
		list = append(list, all[i].folder)
	}
	return list
}

func (r *Record) foldersOf(project string) *folders {
	f, known := r.list[project]
	if !known {
		f = &folders{all: make([]string, 0, len(r.all[r.homeOf(project)]))}
		for folder := range r.standing(project) {
			if n := len(f.all); n == 0 || f.all[n-1] != folder {
				f.all = append(f.all, folder)
			}
		}
		if r.list == nil {
			r.list = map[string]*folders{}
		}
		r.list[project] = f
	}
	return f
}

func (r *Record) namedOf(project string) []named {
	f := r.foldersOf(project)
	if f.named == nil {
		for folder, as := range r.standing(project) {
			f.named = append(f.named, named{cmp.Or(as, folder), folder})
		}
		order.By(f.named, func(a, b named) int {
			return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.folder, b.folder))
		})
		f.named = slices.Compact(f.named)
	}
	return f.named
}

// standing yields the folder of each approval of a hook that stands in a project, in order,
// and [Item.As].
func (r *Record) standing(project string) iter.Seq2[string, string] {
	return func(yield func(folder, as string) bool) {
		home := r.homeOf(project)
		for _, s := range r.all[home] {
			folder, ok := strings.CutPrefix(s.id, HookID(""))
			if ok && (s.plain && home == project || s.approval(home).stands(project)) && !yield(folder, s.as) {
				return
			}
		}
	}
}

// Gone returns the folders of a project's hooks that were approved and no longer exist
// (an empty absent means all), unless another approved one has the same name, since a hook that
// was moved and approved again is not gone.
func (r *Record) Gone(project string, absent []string) (gone []string) {
	f := r.foldersOf(project)
	if len(absent) == 0 {
		absent = f.all
	}
	for _, n := range r.namedOf(project) {
		if !slices.ContainsFunc(r.Folders(project, n.name), func(folder string) bool { return !slices.Contains(absent, folder) }) {
			gone = append(gone, n.folder)
		}
	}
	slices.Sort(gone)
	return slices.Compact(gone)
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
	dir, fresh, err := r.kept.ensure(ctx, project, t, hash, files)
	if fresh {
		r.kept.sweep(r.kept.folders()[hash], filepath.Base(dir))
	}
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
