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

	ground   ground     // around the working directory
	projects []*project // whose hooks apply, the nearest first
	isKept   bool       // the root is one of Sources.Kept

	pinsAsked, pinsThere bool      // whether the user has a lock
	pins                 *userLock // once read

	switched   map[verdict]switched // answers of BuiltinSwitch
	always     bool                 // project hooks need no approval
	approved   *trust.Record        // once read
	nos        trust.Nos            // refusals, if nosRead
	nosRead    bool
	hooks      []*Hook // found, to be merged
	spare      []Hook  // see newHook
	foreign    []*Hook
	bystanders []bystander

	ownRead bool             // the projects' hooks.toml were read
	opened  bool             // the projects' folders were read, see [Set.Open]
	waiting []rival          // of the user, undecided until the projects' folders are open
	winners map[string]*Hook // by name, among the user's hooks
	read    map[string]*Hook // by path: hooks that override the user's, read before the rest

	until   context.Context // ends the reading of the project's folder; nil: no limit
	grace   context.Context // ends the reading of approved hooks after the event's time is over
	others  context.Context // ends the reading of what nobody approved; nil: no limit
	wasLate bool
	owing   bool     // the hooks now being read are approved: never too late
	lacking []string // folders of approved hooks that are missing in the project now being read
	nests   int      // folders searched for hooks that lie too deep

	wished   wish       // of the folder now being read
	text     front      // of the hook now being read
	reads    readings   // earlier readings of the folder; nil: none
	keeps    bool       // whether its readings are worth keeping
	known    int        // how many of its hooks were among the earlier readings
	ahead    *ahead     // checks its files in advance; nil: nothing does
	catalogs []*catalog // of the folders that were read
}

// readings are earlier readings of HOOK.md files, by this process or another.
type readings interface {
	front(d *beneath.Folder, folder string, w *wish, f *front) (r reading, known bool)
	keep(d *beneath.Folder, folder string, stamp beneath.Stamp, f *front, size int, b brief)
}

// A reading describes how a HOOK.md was read.
type reading struct {
	file string  // its name; "": there is none
	size int     // how much of it was read
	pass passing // why the hook is passed over
	kept bool    // and its name is already kept
}

// A project is one whose hooks apply.
type project struct {
	dir string
	own *settingsFile // its hooks.toml, if trusted
	in  *beneath.Root // the root in which its hooks are opened
}

// A bystander is a hook of another event: it matters only if a hook of this event has
// the same name.
type bystander struct {
	name, folder string
	layer        LayerName
	place        int
	idle         bool // of this event, but for another tool
	builtin      *Hook
}

// A start is what was read of the HOOK.md of a project's hook, to be compared with what
// was approved.
type start struct {
	file  string
	size  int
	block string // the front matter: all that is used
}

func (s start) of() trust.Start {
	return trust.Start{Path: s.file, Size: s.size, Same: func(begin []byte) bool {
		block, _ := CutFront(begin)
		return string(block) == s.block
	}}
}
