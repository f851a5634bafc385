package discovery

import (
	"context"
	"iter"
	"path/filepath"
	"slices"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Sources say where to look for hooks. The caller provides them; nothing here reads the
// environment.
type Sources struct {
	// Builtins returns the built-in hooks, with their layer, whether enabled or not:
	// Load decides by settings. For one event it is called only if a file mentions
	// them, or if BuiltinsByEnv says that the environment may enable one. nil: there
	// are none.
	Builtins      func() []*Hook
	BuiltinsByEnv bool
	// BuiltinSwitch decides whether a built-in behaviour is on, given what the settings
	// files say: by the environment, or by a marker in the project. by names what
	// overrode the files. nil: the files decide.
	BuiltinSwitch func(behaviour, project, root string, on bool) (is bool, by string)
	// Behaviours are the names and keys of [builtin.NAME].
	Behaviours Behaviours
	System     []string // system directories (…/agents), the first one wins
	User       string   // user directory (…/agents), with hooks/ and hooks.toml
	Home       string   // never a project
	State      string   // state directory: trust.json, trust/

	// Tongues are the protocols that hooks may use besides the format's own; nil: none.
	Tongues func() []*protocol.Tongue

	Memo  *Memo  // for a process that reads them for many events; nil: no cache
	Index *Index // for a process that reads them for one event; nil: no cache

	NoProject   bool     // leave the project layer out
	TrustAlways bool     // run project hooks without asking (CI, install --trust always)
	AnyOwner    bool     // even if somebody else may change them (AGENTS_HOOKS_TRUST, for one call)
	Tools       []string // names of the tool that the event calls, see [ToolNames]; nil: hooks for all tools count
	Off         bool     // AGENTS_HOOKS_DISABLE
	OffNames    []string // AGENTS_HOOKS_DISABLED_HOOKS
	Debug       bool     // AGENTS_HOOKS_DEBUG
	GOOS        string   // decides which entries are valid
	Agent       string   // the one that asks: packs may be for some only; "": unknown

	// Kept are the roots where the session was before, the one where it began first.
	Kept []Root

	// Ctx limits reading a project; nil: no limit.
	Ctx context.Context
}

func (s Sources) ctx() context.Context {
	if s.Ctx == nil {
		return context.Background()
	}
	return s.Ctx
}

// A Layer is one place that was searched for hooks.
type Layer struct {
	Name LayerName
	Dir  string // the hooks folder
}

// A Set is what discovery found: all of it, or what concerns one event.
type Set struct {
	// Layers are the places that were searched for hooks; after LoadEvent, those that
	// exist.
	Layers   []Layer
	Project  string // project root with .agents/hooks (or .agents/hooks.toml), "" if none
	Root     string // repository root, else the project, else work_dir
	Settings Settings
	Hooks    []*Hook   // in running order; those that do not run come last
	Problems []Problem // with settings files, trust store, folders and overrides, not with a hook
	// Found is the number of hooks in all layers, including those of other events and
	// those that do not run.
	Found int

	loader *loader // for later questions
}

// LoadSettings reads the settings that apply in a folder, and no hooks: for commands of
// built-in behaviours. The set can vouch for what is approved.
func LoadSettings(src Sources, workDir string) *Set {
	l := newLoader(src, "")
	l.begin(workDir)
	l.ownSettings()
	return l.set
}

// Load reads every hook completely: for list, validate, explain and doctor.
func Load(src Sources, workDir string) *Set { return load(src, "", workDir) }

// LoadEvent reads only what one event needs: it leaves out hooks of other triggers,
// unless they are broken and might have served this event, and, of approved and
// personal ones, those for tools other than [Sources.Tools]. The checks for a hook that
// is about to run (is it trusted, does it compile, is there an entry) are made when
// [Hook.Match] matches, and change its status then.
//
// Until [Set.Open] the set has only the user's hooks.
func LoadEvent(src Sources, t protocol.EventType, workDir string) *Set { return load(src, t, workDir) }

// Open adds the project's hooks, and the built-in ones. However large or slow the
// project is, it cannot delay or skip the user's hooks, which ran before; if one of
// them blocked, Open is not called.
func (s *Set) Open() {
	if l := s.loader; l != nil && !l.opened {
		l.open()
	}
}

// KeepIndex writes what the event had to read into [Sources.Index], for the next one.
// It is called after the answer is written.
func (s *Set) KeepIndex() {
	if l := s.loader; l != nil && l.src.Index != nil {
		l.src.Index.save(l.catalogs)
		l.catalogs = nil
	}
}

// Due yields the hooks of an event, each when its turn comes: those that may run, whose
// matchers see the current input, and those that are broken and might have served it.
// The user's hooks come first; then the set is opened, unless order = "priority" mixes
// them with the project's.
func (s *Set) Due(t protocol.EventType) iter.Seq[*Hook] {
	return func(yield func(*Hook) bool) {
		for _, h := range s.turns(t, true) {
			if !yield(h) {
				return
			}
		}
		s.Open()
		for _, h := range s.turns(t, false) {
			if !yield(h) {
				return
			}
		}
	}
}

// Has reports whether a hook of another event exists and is not currently disabled.
func (s *Set) Has(t protocol.EventType, name, workDir string) bool {
	if s.loader != nil {
		src := s.loader.src
		src.Tools = nil
		s = load(src, t, workDir)
		s.Open()
	}
	return slices.ContainsFunc(s.Hooks, func(h *Hook) bool { return h.Name == name && h.Status != Disabled && h.Status != Foreign })
}

// turns are the hooks of an event that come before the project's folder is opened, or
// those after it. A broken hook that is held comes first, as it would if it worked.
func (s *Set) turns(t protocol.EventType, early bool) (held []*Hook) {
	var ready, broken []*Hook
	for _, h := range s.Hooks {
		switch {
		case s.early(h) != early || h.Trigger != t && (h.Trigger != "" || h.Status != Broken):
		case h.Status == Ready:
			ready = append(ready, h)
		case h.Status == Broken && h.Held != nil:
			held = append(held, h)
		case h.Status == Broken:
			broken = append(broken, h)
		}
	}
	return append(append(held, ready...), broken...)
}

// early reports whether no project hook can come before h.
func (s *Set) early(h *Hook) bool {
	l := s.loader
	if l == nil || h.late || !h.Layer.persons() {
		return false
	}
	return h.Held != nil || s.Settings.Order == OrderLayer && !(l.always && len(l.projects) > 0)
}

// Waits reports whether a hook may run for an event type.
func (s *Set) Waits(t protocol.EventType) bool {
	if len(s.Ready(t)) == 0 {
		s.Open()
	}
	return len(s.Ready(t)) > 0
}

// Exists reports whether there is any hooks folder.
func (s *Set) Exists() bool {
	if len(s.Layers) == 0 {
		s.Open()
	}
	return len(s.Layers) > 0
}

// Ready returns the hooks that may run for an event type, in running order, as far as
// the set is open.
func (s *Set) Ready(t protocol.EventType) []*Hook { return s.with(Ready, t) }

// HoldsUnseen is the first hook that an unreadable event must not bypass, and why: a
// lock holds it, or its failure blocks. Its matcher is ignored, since there is nothing
// to match.
func (s *Set) HoldsUnseen(t protocol.EventType) (h *Hook, why string) {
	for h := range s.Due(t) {
		h.ask(&h.vouch)
		blocks, _ := h.FailureBlocks(t, s.Settings.OnError)
		switch {
		case h.Async || h.Status != Ready && h.Status != Broken:
		case h.Held != nil && !h.Held.Allow:
			return h, "is locked by " + h.Held.At
		case h.Status == Ready && blocks != "":
			return h, "blocks where it fails (" + blocks + ")"
		}
	}
	return nil, ""
}

// Broken returns the broken hooks that might have served an event type: those with that
// trigger, and those whose trigger cannot be read.
func (s *Set) Broken(t protocol.EventType) []*Hook { return s.with(Broken, t) }

// Untrusted returns the project's hooks that would serve an event type if they were
// approved, including those whose trigger cannot be read, and sets Refused on each.
func (s *Set) Untrusted(t protocol.EventType) []*Hook {
	list := s.with(Untrusted, t)
	if s.loader != nil && len(list) > 0 {
		s.loader.askRefused(list)
	}
	return list
}

func (s *Set) with(status Status, t protocol.EventType) []*Hook {
	var out []*Hook
	for _, h := range s.Hooks {
		if h.Status == status && (h.Trigger == t || h.Trigger == "" && status != Ready) {
			out = append(out, h)
		}
	}
	return out
}

// FindProject finds the project of a working directory. project is the nearest of the
// directory and its ancestors with .agents/hooks or .agents/hooks.toml, not above the
// root of the repository and neither the user's home directory nor above it; "" if
// there is none. root is the repository's root, else the project, else the directory
// itself. Links are resolved, and a missing directory is replaced by its nearest
// existing ancestor.
func FindProject(workDir, home string) (project, root string) {
	projects, root := (&ground{home: home}).climb(workDir, "")
	if len(projects) > 0 {
		project = projects[0]
	}
	return project, root
}

// Projects are the project of a working directory and its enclosing projects, up to the
// root of the repository: the hooks of all of them apply.
func Projects(workDir, home string) []string {
	projects, _ := (&ground{home: home}).climb(workDir, "")
	return projects
}

// A ground is the folders around a working directory. The links of each are resolved
// once.
type ground struct {
	home string
	real map[string]string

	above []string // the projects above the one that is root, if that is in no repository
	root  string
}

// climb goes up from a working directory to the root of its repository, or to top if it
// lies in that.
func (g *ground) climb(workDir, top string) (projects []string, root string) {
	dir := g.realDir(workDir)
	if dir == "" {
		return nil, workDir
	}
	start := dir
	for {
		is, home := g.project(dir)
		if home {
			break
		}
		if is {
			projects = append(projects, dir)
		}
		if root == "" && beneath.Exists(filepath.Join(dir, ".git")) {
			root = dir
		}
		parent := filepath.Dir(dir)
		if dir == top || root != "" && top == "" || parent == dir {
			break
		}
		dir = parent
	}
	switch {
	case root != "":
	case len(projects) > 0:
		root = projects[0]
		if top == "" {
			g.root, g.above, projects = root, projects[1:], projects[:1:1] // a place more would be one of above
		}
	default:
		root = start
	}
	return projects, root
}

// A Root is where a session was: the root of a repository, and the nearest project in
// it, "" if there was none.
type Root struct{ Dir, Project string }

// project reports whether a folder is a project with hooks, or the user's home, where
// the search ends. Nothing above the home is a project.
func (g *ground) project(dir string) (is, home bool) {
	agents := beneath.Exists(filepath.Join(dir, ".agents"))
	if !agents && filepath.Base(dir) != filepath.Base(g.home) {
		return false, false // nothing would be taken from it: saves the calls
	}
	if g.isHome(dir) {
		return false, true
	}
	return agents && holdsHooks(dir) && !safefile.Inside(g.realDir(g.home), dir), false
}

// within is the outermost of some roots that contain a working directory, "" if none
// does.
func (g *ground) within(kept []Root, workDir string) (top string) {
	if len(kept) == 0 {
		return ""
	}
	at := g.realDir(workDir)
	for _, k := range kept {
		if safefile.Inside(at, k.Dir) && (top == "" || len(k.Dir) < len(top)) {
			top = k.Dir
		}
	}
	return top
}

// withKept are the projects of a working directory and those where the session began:
// an agent that goes elsewhere does not leave the guards behind.
func (l *loader) withKept(near []string) []string {
	if len(l.src.Kept) == 0 || l.src.Kept[0].Project == "" {
		return near
	}
	first := l.src.Kept[0]
	began, _ := l.ground.climb(first.Project, first.Dir)
	if !slices.Contains(began, first.Project) {
		l.problem(Problem{File: first.Project, Severity: Error, Message: "is where this session began, and its hooks are not there any more: they do not run",
			Fix: "look at where they are now, and approve them there with `agents-hooks trust`"})
		return near
	}
	for _, dir := range began {
		if !slices.Contains(near, dir) {
			near = append(near, dir)
		}
	}
	return near
}

// tellLeft reports what was approved in places that are no longer projects: the
// repository itself, and those of its projects where the session was before. A session
// that began in one was told already.
func (l *loader) tellLeft() {
	if l.src.NoProject {
		return
	}
	began := len(l.src.Kept) > 0 && l.src.Kept[0].Project == l.set.Root
	if l.set.Project == "" && !began && !l.event.IsTool() { // a look into the record that most events are spared
		l.tellGone(l.set.Root)
	}
	for i, k := range l.src.Kept {
		if i > 0 && k.Project != l.set.Root && safefile.Inside(l.set.Root, k.Dir) {
			if is, _ := l.ground.project(k.Project); !is {
				l.tellGone(k.Project)
			}
		}
	}
}

// around are the projects above the root of a repository of which the user approved
// hooks: a repository inside one, real or made to look like one, does not escape its
// guards. Other projects up there are not asked about.
func (l *loader) around(root string, near []string) (dirs []string) {
	if l.ground.root == root { // they were met on the way: the system goes through a deep path anew each time
		for _, dir := range l.ground.above {
			if !slices.Contains(near, dir) && len(l.record().Folders(dir, "")) > 0 {
				dirs = append(dirs, dir)
			}
		}
		return dirs
	}
	for dir := filepath.Dir(root); filepath.IsAbs(dir) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		is, home := l.ground.project(dir)
		if home {
			break
		}
		if is && !slices.Contains(near, dir) && len(l.record().Folders(dir, "")) > 0 {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Roots returns where the session was, for recording. changed means that this event is
// in a new place that has hooks.
func (s *Set) Roots() (list []Root, changed bool) {
	kept := s.loader.src.Kept
	if s.Project == "" || s.loader.isKept || len(kept) >= maxKept {
		return kept, false
	}
	return append(kept[:len(kept):len(kept)], Root{s.Root, s.Project}), true
}

const maxKept = 16

func holdsHooks(dir string) bool {
	return beneath.IsFolder(hooksFolder(dir)) || beneath.Exists(settingsPath(dir))
}

func hooksFolder(project string) string { return filepath.Join(project, ".agents", "hooks") }

func settingsPath(project string) string { return filepath.Join(project, ".agents", "hooks.toml") }
