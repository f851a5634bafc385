package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Names of files and folders; see the package's documentation.
const (
	indexFile    = "index.json"
	bindingsFile = "session-bindings.json"

	ConfigFile  = "workspace.json"
	GraphFile   = "graph.json"
	PageFile    = "Workspace.md"
	InfoFile    = "Info.md"
	LogFile     = "Log.md"
	ProblemFile = "Problem.md"
	NodesDir    = "nodes"
	MemosDir    = "memos"
	MemoFile    = "Content.md"
	Archive     = "archive"
)

// Version is that of the format.
const Version = "5.0"

// lockWait is how long a file may be held by another process.
const lockWait = 2 * time.Second

// States of a workspace.
const (
	Active   = "active"
	Archived = "archived"
	Errored  = "error"
)

// An Entry is a workspace in the index.
type Entry struct {
	ID, Name, DirName, ProjectRoot, Status string
	CreatedAt, UpdatedAt                   string
}

func entryOf(raw protocol.Raw) Entry {
	o := protocol.ObjectOf(raw)
	e := Entry{
		ID: o.Text("id"), Name: o.Text("name"), DirName: o.Text("dirName"), ProjectRoot: o.Text("projectRoot"),
		Status: o.Text("status"), CreatedAt: o.Text("createdAt"), UpdatedAt: o.Text("updatedAt"),
	}
	e.DirName = cmp.Or(e.DirName, e.ID)
	e.Status = cmp.Or(e.Status, Active)
	return e
}

// ErrNewer is that the index is of a later version of the format than this
// package knows.
var ErrNewer = errors.New("written by a newer version")

// Index lists all workspaces. That there is no index is no error.
func (p Place) Index() ([]Entry, error) {
	if p.Home == "" {
		return nil, nil
	}
	b, err := statefile.Read(p.indexPath())
	if err != nil || b == nil {
		return nil, err
	}
	o, err := parseIndex(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrIndex, p.indexPath(), err)
	}
	var out []Entry
	for _, raw := range protocol.ElementsOf(o.Get("workspaces")) {
		if e := entryOf(raw); e.ID != "" {
			out = append(out, e)
		}
	}
	return out, nil
}

func (p Place) indexPath() string { return filepath.Join(p.Home, indexFile) }

func parseIndex(b []byte) (protocol.Object, error) {
	o, err := protocol.ParseObject(b)
	if err != nil {
		return nil, err
	}
	if list := o.Get("workspaces"); list != nil && list[0] != '[' {
		return nil, errors.New("workspaces is not a list")
	}
	if newer(o.Text("version")) {
		return nil, fmt.Errorf("%w: version %q, want at most %s", ErrNewer, o.Text("version"), Version)
	}
	return o, nil
}

// newer reports whether a version is later than ours.
func newer(version string) bool {
	major, minor, _ := strings.Cut(version, ".")
	a, err := strconv.Atoi(major)
	if err != nil {
		return false
	}
	b, _ := strconv.Atoi(minor)
	return a > 5 || a == 5 && b > 0
}

// Entry is the workspace of an id; ok is false if the index has none.
func (p Place) Entry(id string) (e Entry, ok bool, err error) {
	list, err := p.Index()
	for _, e := range list {
		if e.ID == id {
			return e, true, nil
		}
	}
	return Entry{}, false, err
}

// At lists the active workspaces whose project contains a directory, also one of a
// linked worktree. They are what may be suggested; they bind nothing (BW-SES-01,
// BW-TEL-01).
func (p Place) At(dir string) []Entry {
	list, _ := p.Index()
	t, apart := linkedTree(dir)
	var out []Entry
	for _, e := range list {
		if e.Status == Active && e.ProjectRoot != "" && (within(dir, e.ProjectRoot) || apart && t.contains(dir, e.ProjectRoot)) {
			out = append(out, e)
		}
	}
	for _, s := range p.Arrived(dir) {
		out = slices.DeleteFunc(out, func(e Entry) bool { return e.ID == s.ID })
		out = append(out, s.Entry)
	}
	return out
}

func within(dir, root string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && filepath.IsLocal(rel)
}

// UpdateIndex changes the list of workspaces under its lock. change gets one
// object a workspace, as it stands in the file, and returns the new list.
//
// An index of a newer version is left alone: that is an error. One that cannot be read
// is kept aside under a name of its own, and what of it is whole goes on. kept is that
// name.
func (p Place) UpdateIndex(now time.Time, change func([]protocol.Object) []protocol.Object) (kept string, err error) {
	if p.Home == "" {
		return "", errors.New("there is no data directory: set HOME or XDG_DATA_HOME")
	}
	err = statefile.UpdateDurable(p.indexPath(), lockWait, func(old []byte) ([]byte, error) { return p.changeIndex(old, now, &kept, change) })
	return kept, err
}

// changeIndex is the new content of the index.
func (p Place) changeIndex(old []byte, now time.Time, kept *string, change func([]protocol.Object) []protocol.Object) ([]byte, error) {
	doc := protocol.Object{{Name: "version", Value: protocol.Quote(Version)}, {Name: "workspaces", Value: protocol.Raw("[]")}}
	if old != nil {
		o, perr := parseIndex(old)
		switch {
		case errors.Is(perr, ErrNewer):
			return nil, fmt.Errorf("%w: %s: %w", ErrIndex, p.indexPath(), perr)
		case perr != nil:
			if *kept, perr = statefile.Keep(p.indexPath(), now, old); perr != nil {
				return nil, perr
			}
			doc.Set("workspaces", protocol.ListOf(whole(old, isEntry), protocol.Object.Raw))
		default:
			doc = o
		}
	}
	var list []protocol.Object
	for _, raw := range protocol.ElementsOf(doc.Get("workspaces")) {
		list = append(list, protocol.ObjectOf(raw))
	}
	doc.Set("workspaces", protocol.ListOf(change(list), protocol.Object.Raw))
	return pretty(doc), nil
}

// isEntry reports whether an object is one of the list of workspaces.
func isEntry(o protocol.Object) bool {
	return strings.HasPrefix(o.Text("id"), "ws-") && o.Text("projectRoot") != ""
}
