package discovery

import (
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Sources say where hooks are looked for. They come from the command line's
// edge; nothing here reads the environment.
type Sources struct {
	Builtins []*Hook  // enabled or not: Load decides by settings
	System   []string // system directories (…/agents), the first one wins
	User     string   // user directory (…/agents): hooks/ and hooks.toml lie in it
	Home     string   // never a project
	State    string   // state directory: trust store, index

	NoProject   bool     // leave the project layer out
	TrustAlways bool     // run project hooks without asking (CI, install --trust always)
	Off         bool     // AGENTS_HOOKS_DISABLE
	OffNames    []string // AGENTS_HOOKS_DISABLED_HOOKS
	Debug       bool     // AGENTS_HOOKS_DEBUG
	GOOS        string   // which entries count
}

// A Layer is one place that hooks were looked for in.
type Layer struct {
	Name LayerName
	Dir  string // the hooks folder
}

// A Set is what discovery found: all of it, or what concerns one event.
type Set struct {
	Layers   []Layer
	Project  string // project root that holds .agents/hooks (or .agents/hooks.toml), "" if none
	Root     string // repository root, else the project, else work_dir
	Settings Settings
	Hooks    []*Hook   // in running order; those that do not run come last
	Problems []Problem // of settings files, trust store and folders, not of a hook
}

// Load reads every hook completely: for list, validate, explain and doctor.
func Load(src Sources, workDir string) *Set { panic("discovery: not written yet") }

// LoadEvent reads no more than one event needs (DESIGN 3, progressive
// disclosure): hooks of other triggers are left out, unless they are broken in
// a way that they might have served this event.
func LoadEvent(src Sources, t protocol.EventType, workDir string) *Set {
	panic("discovery: not written yet")
}

// Ready returns the hooks that may run for an event type, in running order.
// Matchers are not asked: they see the input of their turn.
func (s *Set) Ready(t protocol.EventType) []*Hook { panic("discovery: not written yet") }

// A Budget bounds the time that all matchers of one event may take together.
// The zero value is a full budget.
type Budget struct{}

// A Match is the answer of a hook's matcher to one event.
type Match struct {
	OK      bool
	Gate    string   // "tool" or "pattern": what said no
	Tried   []string // the strings that the failing (or last) expression was tried on
	Warning string   // ran out of time or of the input cap: counts as a match
}

// Match asks the matcher of h about a tool event as it stands now. A hook
// without a matcher matches everything, and on other events matchers are
// ignored. tried asks for Match.Tried, which costs.
func (h *Hook) Match(ev *protocol.Event, b *Budget, tried bool) Match {
	panic("discovery: not written yet")
}

// A Matcher is the matcher block of a HOOK.md.
type Matcher struct {
	Tool    string
	Pattern string
}
