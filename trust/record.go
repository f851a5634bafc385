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

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	schema  = "1"
	hashLen = 2 * sha256.Size // as text
)

// A Record is what was approved, as it stood when it was read.
type Record struct {
	raw  []byte // the file
	all  approvals
	kept copies
	home map[string]string // of projects, as far as they were asked for
	list map[string]folders
}

// folders are those of a project's hooks that were approved, by the name that they
// were approved under; under "" all of them.
type folders map[string][]string

// approvals is what the record holds: project → item → states, the newest first.
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
func (r *Record) of(project, id string) []approval { return r.all[r.homeOf(project)][id] }

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

// Again is [Read] for whoever read it before: the same bytes say the same, and are not
// parsed once more. What they mean for a project is found out anew.
func (r *Record) Again(state string) (*Record, error) {
	b, err := statefile.Read(recordPath(state))
	now := &Record{raw: b, kept: copiesIn(state)}
	switch {
	case err != nil || b == nil:
	case r.raw != nil && bytes.Equal(b, r.raw):
		now.all = r.all
	default:
		now.all, err = parse(b)
	}
	if err != nil {
		return &Record{}, &Unreadable{recordPath(state), safefile.Reason(err)}
	}
	return now, nil
}

// An Unreadable is a record that cannot be read, whole or in part: nothing is
// trusted then.
type Unreadable struct{ File, Reason string }

// Message and Fix are the two halves of the error for whoever shows them apart.
func (e *Unreadable) Message() string {
	return "the record of approvals cannot be read, so no project hook is trusted: " + e.Reason
}

// Fix is what to do about it.
func (e *Unreadable) Fix() string {
	return "approve again with `agents-hooks trust`; the old file is kept aside then"
}

func (e *Unreadable) Error() string { return e.File + ": " + e.Message() + "; " + e.Fix() }

// Knows reports whether any state of an item was ever approved. It reads
// nothing: what nobody approved need not be hashed.
func (r *Record) Knows(project, id string) bool { return len(r.of(project, id)) > 0 }

// Folders are the folders of a project's hooks that were approved under a name, or
// under any. Whether they are still as they were is not asked.
func (r *Record) Folders(project, name string) []string {
	list, known := r.list[project]
	if !known {
		list = r.folders(project)
		if r.list == nil {
			r.list = map[string]folders{}
		}
		r.list[project] = list
	}
	return list[name]
}

// Gone are the folders of a project's hooks that were approved and are absent, none
// for all of them, where no other one of that name is there: what was moved and
// approved anew is not gone.
func (r *Record) Gone(project string, absent []string) (gone []string) {
	if all := r.Folders(project, ""); len(absent) == 0 {
		absent = all
	}
	for name, list := range r.list[project] {
		if name != "" && !slices.ContainsFunc(list, func(folder string) bool { return !slices.Contains(absent, folder) }) {
			gone = append(gone, list...)
		}
	}
	slices.Sort(gone)
	return slices.Compact(gone)
}

func (r *Record) folders(project string) folders {
	items := r.all[r.homeOf(project)]
	list := make(folders, len(items)+1)
	for _, id := range slices.Sorted(maps.Keys(items)) {
		folder, ok := strings.CutPrefix(id, HookID(""))
		if !ok {
			continue
		}
		for _, s := range items[id] {
			if !s.stands(project) {
				continue
			}
			for _, name := range [...]string{"", cmp.Or(s.as, folder)} {
				if of := list[name]; len(of) == 0 || of[len(of)-1] != folder {
					list[name] = append(of, folder)
				}
			}
		}
	}
	return list
}

// Approves reports whether a thing of a project was approved as it is at this
// moment. It must lie in the project, and its links in it. What could not be read
// before the context ends is not approved.
func (r *Record) Approves(ctx context.Context, project string, t Thing) bool {
	_, _, ok := r.look(ctx, project, t, Start{})
	return ok
}

// Admit is Approves for what is about to run, of which a file began as start says:
// dir holds the approved bytes, whatever becomes of the thing itself from now on.
// An error is why there is no such folder.
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

// ApprovesSettings reports whether these are approved bytes of a project's
// hooks.toml: what is hashed is what its reader reads.
func (r *Record) ApprovesSettings(project string, content []byte) bool {
	return r.approves(project, SettingsID, treeHash([]treeFile{settingsTree(content)}))
}

// parse reads a record, strictly: what is not understood is not
// trusted.
func parse(b []byte) (approvals, error) {
	o, err := protocol.ParseObject(b)
	if err != nil {
		return nil, err
	}
	if v := string(o.Get("schema")); v != schema {
		return nil, fmt.Errorf("schema %q, want %s", v, schema)
	}
	all := approvals{}
	protocol.Each(o.Get("projects"), func(name, value protocol.Raw) {
		project, items := protocol.TextOf(name), map[string][]approval{}
		protocol.Each(value, func(name, states protocol.Raw) {
			item := protocol.TextOf(name)
			protocol.Each(states, func(_, state protocol.Raw) {
				a := approval{place: project}
				if a.read(state); len(a.hash) != hashLen && err == nil {
					err = fmt.Errorf("%q of %q: %q is no hash", item, project, a.hash)
				}
				items[item] = append(items[item], a)
			})
		})
		all[project] = items
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

func (a *approval) read(state protocol.Raw) {
	protocol.Each(state, func(name, value protocol.Raw) {
		text := protocol.TextOf(value)
		switch string(name) {
		case `"hash"`:
			a.hash = text
		case `"time"`:
			a.time = text
		case `"place"`:
			a.place = cmp.Or(text, a.place)
		case `"replaced"`:
			a.replaced = text
		case `"as"`:
			a.as = text
		}
	})
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
