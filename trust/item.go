package trust

import (
	"context"
	"crypto/sha256"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// SettingsID is the id of a project's hooks.toml in the record of approvals.
const SettingsID = "hooks.toml"

// MaxSettings is the maximum size of a hooks.toml in bytes: a larger one is refused.
const MaxSettings = 1 << 20

// SourceID is the id of a plugin in the project that is a source of hooks, by its path
// there, with slashes.
func SourceID(path string) string { return sources + path }

const sources = "sources/"

// HookID is the id of the hook in a folder of a project's hooks folder.
func HookID(folder string) string { return "hooks/" + folder }

// A Thing is something in a project that is run or honoured only after an approval: its
// hooks.toml, which is a file, or else a folder.
type Thing struct {
	ID   string // in the record: SettingsID, a HookID, or what else ("skills/NAME")
	Path string // absolute
}

// Name is the displayed name of a thing: a hook's folder.
func (t Thing) Name() string { return nameOf(t.ID) }

func nameOf(id string) string { return strings.TrimPrefix(id, "hooks/") }

// files are the files of a thing, which must lie inside the project.
func (t Thing) files(ctx context.Context, project string, keep bool) ([]treeFile, error) {
	return t.read(ctx, project, treeWalk{keep: keep})
}

func (t Thing) read(ctx context.Context, project string, w treeWalk) ([]treeFile, error) {
	real, err := safefile.Resolve(t.Path, project)
	if err != nil {
		return nil, err
	}
	if t.ID != SettingsID {
		return w.read(ctx, real)
	}
	in, err := below(ctx, project)
	if err != nil {
		return nil, err
	}
	b, err := in.Read(real, MaxSettings)
	if err != nil {
		return nil, err
	}
	f := settingsTree(b)
	if w.into != nil {
		err = w.into.write(f, b)
	}
	return []treeFile{f}, err
}

// below opens what lies below a folder, whose own links are followed.
func below(ctx context.Context, dir string) (*beneath.Root, error) {
	real, err := filepath.EvalSymlinks(dir)
	return &beneath.Root{Dir: real, Ctx: ctx}, err
}

// settingsTree is the project's hooks.toml as a tree of one file.
func settingsTree(b []byte) treeFile {
	f := treeFile{path: SettingsID, size: int64(len(b)), sum: sha256.Sum256(b)}
	if showable(b) {
		f.text = b
	}
	return f
}

// Contained returns an error if a folder leads out of its project, or a link in it out
// of the folder; this applies also to hooks that need no approval. others says why
// somebody else can change the folder, or one around it: such a hook is not the user's,
// whatever the user's settings say.
func Contained(ctx context.Context, project, dir string) (others, err error) {
	real, err := safefile.Resolve(dir, project)
	if err != nil {
		return nil, err
	}
	w := treeWalk{links: true, seen: map[string]bool{}}
	for up := filepath.Dir(real); w.others == nil && safefile.Inside(up, project); up = filepath.Dir(up) {
		w.owned(up)
	}
	err = w.run(ctx, real)
	return w.others, err
}

// Others says why somebody else can change a file of a project, or a folder that
// contains it; nil if nobody can.
func Others(project, file string) error {
	var w treeWalk
	for up := file; w.others == nil && safefile.Inside(up, project); up = filepath.Dir(up) {
		w.owned(up)
	}
	return w.others
}

// A State is what the record says about a thing of a project.
type State string

const (
	Trusted State = "trusted" // approved as it is
	New     State = "new"     // never approved
	Changed State = "changed" // approved in another state
	Gone    State = "gone"    // approved, and not there any more
	Refused State = "refused" // cannot be approved: Problem says why
)

// An Item is a thing with what the record says of it.
type Item struct {
	Thing
	State    State
	Hash     string // of the present state, "" if it is gone or refused
	Approved string // when it was last approved, RFC 3339, "" if never
	Replaced string // when the present state, which was approved once, was replaced by another
	Also     []Also // which other states of it are approved
	Problem  string // why it is refused
	// As is the hook's name if it differs from its folder's. An approval records it,
	// since it decides which of the user's hooks this one overrides.
	As string

	last string // hash of the last approval
}

// Also is another approved state of an item: on a branch, or in another worktree.
type Also struct {
	Hash  string `json:"hash"`
	Time  string `json:"time"`  // when it was approved
	Place string `json:"place"` // the project that it was approved in
}

// List returns the things of a project with their state, including those that were
// approved and no longer exist; hooks.toml first, then by ID. project is the canonical
// root. After an error, which is an [*Unreadable], the list is complete and nothing in
// it counts as approved.
func List(state, project string, things []Thing) ([]Item, error) {
	record, err := Read(state)
	var items []Item
	for _, t := range things {
		items = append(items, record.judge(project, t))
	}
	home := Home(project)
	states := record.all[home]
	for i, s := range states {
		if (i == 0 || states[i-1].id != s.id) && !slices.ContainsFunc(things, func(t Thing) bool { return t.ID == s.id }) {
			newest := s.approval(home)
			items = append(items, Item{Thing: Thing{s.id, placeOf(project, s.id)}, State: Gone, Approved: newest.time, last: newest.hash})
		}
	}
	order.By(items, func(a, b Item) int { return strings.Compare(place(a.ID), place(b.ID)) })
	return items, err
}

// placeOf is where a thing was.
func placeOf(project, id string) string {
	if path, ok := strings.CutPrefix(id, sources); ok {
		return filepath.Join(project, filepath.FromSlash(path))
	}
	return filepath.Join(project, ".agents", filepath.FromSlash(id))
}

func place(id string) string {
	if id == SettingsID {
		return ""
	}
	return id
}

// judge finds out the state of a thing.
func (r *Record) judge(project string, t Thing) Item {
	it := Item{Thing: t}
	states := r.of(project, t.ID)
	if len(states) > 0 {
		at := slices.IndexFunc(states, func(s approval) bool { return s.place == project && s.replaced == "" })
		if at < 0 {
			at = slices.IndexFunc(states, func(s approval) bool { return s.stands(project) })
		}
		last := states[max(at, 0)]
		it.Approved, it.last = last.time, last.hash
	}
	files, err := t.files(context.Background(), project, false)
	if err != nil {
		it.State, it.Problem = Refused, beneath.Why(err)
		return it
	}
	it.Hash = treeHash(files)
	for _, s := range states {
		switch {
		case s.stands(project) && s.hash != it.Hash && s.hash != it.last:
			it.Also = append(it.Also, Also{s.hash, s.time, s.place})
		case s.replaced != "" && s.hash == it.Hash:
			it.Replaced = s.replaced
		}
	}
	switch {
	case r.approves(project, t.ID, it.Hash):
		it.State, it.Replaced = Trusted, ""
	case len(states) > 0:
		it.State = Changed
	default:
		it.State = New
	}
	return it
}
