package discovery

import (
	"context"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A loader fills one Set.
type loader struct {
	src   Sources
	event protocol.EventType // "" for all
	set   *Set
	files []*settingsFile // strongest first: the user's, then the system's
	buf   []byte

	ground   ground     // around the event
	projects []*project // whose hooks count, the nearest first
	isKept   bool       // the root that they lie in

	pinsAsked, pinsThere bool      // whether the person has a lock
	pins                 *userLock // once it was read

	switched   map[verdict]switched // what BuiltinSwitch said
	always     bool                 // project hooks need no approval
	approved   *trust.Record        // once it was asked
	nos        trust.Nos            // what was refused, if nosRead
	nosRead    bool
	hooks      []*Hook // found, to be merged
	spare      []Hook  // see newHook
	foreign    []*Hook
	bystanders []bystander

	ownRead bool             // the projects' hooks.toml were
	opened  bool             // the projects' folders were, see [Set.Open]
	waiting []rival          // of the person, undecided until the projects' folders are open
	winners map[string]*Hook // of each name that the person has hooks of
	read    map[string]*Hook // by path: what overrides hooks of the person, read before the rest

	until   context.Context // ends the reading of the project's folder; nil: nothing does
	grace   context.Context // ends the reading of what was approved, once the event's time is over
	wasLate bool
	owing   bool     // what is read now was approved: it is never too late
	lacking []string // folders of approved hooks that are not there, of the project that is read now
	nests   int      // folders that were looked into for hooks that lie too deep

	wished   wish       // of the folder that is read now
	text     front      // of the hook that is read now
	reads    readings   // what was read before of it; nil: nothing
	keeps    bool       // whether what is read of it is worth keeping
	known    int        // of how many hooks of it something was
	ahead    *ahead     // looks at the files of it; nil: nothing does
	catalogs []*catalog // of the folders that were read
}

// readings are what was read of HOOK.md files before: by this process, or by another.
type readings interface {
	front(d *beneath.Folder, folder string, w *wish, f *front) (r reading, known bool)
	keep(d *beneath.Folder, folder string, stamp beneath.Stamp, f *front, size int, b brief)
}

// A reading is how a HOOK.md was found.
type reading struct {
	file string  // its name; "": there is none
	size int     // how much of it was read
	pass passing // it is passed
	kept bool    // and remembered by who knows it
}

// A project is one of those whose hooks count.
type project struct {
	dir string
	own *settingsFile // its hooks.toml, if that is trusted
	in  *beneath.Root // what its hooks are opened in
}

// A bystander is a hook of another event: it counts only if its name stands over
// a hook of this one.
type bystander struct {
	name, folder string
	layer        LayerName
	place        int
	idle         bool // of this event, but for another tool
	builtin      *Hook
}

// A start is what was read of the HOOK.md of a project's hook: what is approved of
// it is compared with that.
type start struct {
	file  string
	size  int
	block string // the front matter, all of it that anybody looks at
}

func (s start) of() trust.Start {
	return trust.Start{Path: s.file, Size: s.size, Same: func(begin []byte) bool {
		block, _ := CutFront(begin)
		return string(block) == s.block
	}}
}
