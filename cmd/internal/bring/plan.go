package bring

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Options say what is imported, and where to.
type Options struct {
	From  string         // an agent, a file or a folder; "" for everything found
	Layer protocol.Scope // "" for the layer of each source
}

// A Row is the result for one entry. Its JSON form is stable.
type Row struct {
	Source      string   `json:"source"`
	Line        int      `json:"line"` // 0: it is the whole file
	LastLine    int      `json:"last_line"`
	Agent       string   `json:"agent"` // "" if it belongs to none
	Plugin      string   `json:"plugin"`
	Event       string   `json:"event"`
	Matcher     string   `json:"matcher"`
	Command     string   `json:"command"`
	Result      Result   `json:"result"`
	Name        string   `json:"name"` // the hook's, "" if there is none
	Folder      string   `json:"folder"`
	State       State    `json:"state"`
	Differences []string `json:"differences"`
	Reason      string   `json:"reason"`
	Twice       []string `json:"twice"`     // agents that run both the original and the hook
	Disguised   string   `json:"disguised"` // how its command may pass for another one

	agent *protocol.Dialect
	scope protocol.Scope
}

// A Result says whether an entry was imported.
type Result string

const (
	Brought    Result = "brought"
	Different  Result = "brought-with-difference"
	NotBrought Result = "not-brought"
)

// A State is what happens to the folder.
type State string

const (
	None    State = ""
	New     State = "new"
	Same    State = "unchanged" // it exists already
	Changed State = "changed"   // the entry has changed, so the folder is updated
	Edited  State = "edited"    // the entry has changed, but the folder was edited: it is left alone
)

// A Plan is what import will do.
type Plan struct {
	Rows     []Row
	Gone     []Gone
	Problems []Problem
	Notes    []string // other things worth knowing
	Looked   []string // the files that were found

	made    []*existing // folders of hooks that were imported earlier
	jobs    []job
	finder  *finder
	folders []folder // the hooks folders that may exist
}

// A folder of hooks, and the root that it is opened in.
type folder struct {
	dir string
	in  *beneath.Root
}

// Gone is a folder whose entry is no longer where it was imported from.
type Gone struct {
	Name   string `json:"name"`
	Folder string `json:"folder"`
	From   string `json:"from"`
}

// A job is a folder to be written.
type job struct {
	dir   string
	hook  *Hook
	in    *beneath.Root
	fresh bool

	strange bool // written by somebody else
	row     int  // the row of its first entry
}

// Jobs is the number of folders to be written.
func (p *Plan) Jobs() int { return len(p.jobs) }

// InProject reports whether any of them belongs to the project.
func (p *Plan) InProject() bool {
	return slices.ContainsFunc(p.jobs, func(j job) bool { return j.hook.layer == protocol.ProjectScope })
}

// A Stranger is a hook that would become the user's own, though it comes from settings that are not
// the user's.
type Stranger struct {
	Row  // of its first entry
	Hook *Hook
}

// Strangers are those of a plan.
func (p *Plan) Strangers() (list []Stranger) {
	for _, j := range p.jobs {
		if j.hook.layer == protocol.UserScope && j.strange {
			list = append(list, Stranger{p.Rows[j.row], j.hook})
		}
	}
	return list
}

// Make decides what to do. It changes nothing, and runs nothing.
func Make(h host.Host, o Options) (*Plan, error) {
	f := &finder{h: h, began: h.Now(), asides: map[string]string{}}
	f.set = sync.OnceValue(func() *discovery.Set { return hookset.All(h, h.WorkDir) })
	if h.WorkDir != "" {
		if f.project = setup.Project(h); f.project == h.Home {
			f.project = ""
		}
	}
	if f.project != "" {
		f.in = beneath.At(f.project)
	}
	sources, err := f.named(o.From)
	if err != nil {
		return nil, err
	}
	for i := range sources {
		sources[i].Strange = sources[i].Strange || !f.own(sources[i])
	}
	p := &Plan{finder: f}
	var hooks []*planned
	for _, s := range sources {
		p.Looked = append(p.Looked, s.Path)
		entries := f.entries(s)
		if len(p.Rows)+len(entries) > maxRows {
			f.wrong(s, &fileError{msg: fmt.Sprintf("with its entries there are more than %d: they are passed over, and so is what comes after it", maxRows)})
			break
		}
		for _, e := range entries {
			p.Rows = append(p.Rows, f.row(e))
			r := &p.Rows[len(p.Rows)-1]
			if s.Plugin != nil {
				if r.Name = f.source(s.Plugin); r.Name != "" {
					r.Result, r.Reason = NotBrought, "its plugin is a source of hooks, where it lies: "+r.Name
					continue
				}
			}
			h, why := f.translate(e)
			if why != "" {
				r.Result, r.Reason = NotBrought, string(why)
				continue
			}
			if s.Private && o.Layer == "" {
				h.differs("it was yours alone, and .agents/hooks is the whole project's: keep the folder out of git (.git/info/exclude) if it shall stay so")
			}
			h.layer = cmp.Or(o.Layer, s.Scope)
			hooks = merged(hooks, &planned{Hook: &h, rows: []int{len(p.Rows) - 1}})
		}
	}
	f.settle(p, hooks, sources)
	f.twice(p)
	p.Problems, p.Notes = f.problems, f.notes
	return p, nil
}

// A planned hook, with the rows of its entries.
type planned struct {
	*Hook
	rows []int
}

// row describes an entry.
func (f *finder) row(e Entry) Row {
	r := Row{Source: e.Path, Line: e.First, LastLine: e.Last, Event: e.Event, Matcher: e.Matcher, Command: e.line(), Disguised: shell.DisguisedLine("its command", e.line()),
		Differences: []string{}, Twice: []string{}, agent: e.Agent, scope: e.Scope}
	if e.Agent != nil {
		r.Agent = e.Agent.ID
	}
	if e.Plugin != nil {
		r.Plugin = e.Plugin.Name
	}
	return r
}

// merged adds a hook to a list, or merges it into one that runs the same at the same event, whose
// matcher then finds what either finds.
func merged(list []*planned, h *planned) []*planned {
	for _, have := range list {
		a, b := have.Hook, h.Hook
		if have.layer != h.layer || !a.runsAs(b) || !a.joins(b) {
			continue
		}
		a.Matcher.Tool = either(a, b.Matcher.Tool)
		a.Timeout = max(a.Timeout, b.Timeout)
		a.Entries = append(a.Entries, b.Entries...)
		for _, d := range b.Differences {
			a.differs("%s", d)
		}
		have.rows = append(have.rows, h.rows...)
		return list
	}
	return append(list, h)
}

// runsAs reports whether two hooks do the same at the same event, apart from matcher.tool.
func (h *Hook) runsAs(other *Hook) bool {
	a, b := h.Matcher, other.Matcher
	a.Tool, b.Tool = "", ""
	return h.Speaks == other.Speaks && h.Trigger == other.Trigger && h.Aside == other.Aside && h.Command == other.Command && slices.Equal(h.Argv, other.Argv) &&
		h.Async == other.Async && h.LoopLimit == other.LoopLimit && h.closed() == other.closed() && a == b
}

// joins reports whether one matcher can find what two find. It cannot if the agent compares the
// matcher of an event without a tool as a single word.
func (h *Hook) joins(other *Hook) bool {
	lists := h.Speaks == nil || h.Speaks.Custom.Lists
	return lists || h.Trigger.IsTool() || h.Matcher.Tool == other.Matcher.Tool
}

// closed reports whether a failure of the hook blocks in the agent it comes from: Cursor calls
// that failClosed, Claude Code onFailure.
func (h *Hook) closed() bool {
	fields := h.Entries[0].fields
	return fields.is("failClosed") || fields.str("onFailure") == "block"
}

// hooksDir is the hooks folder of a layer, and the root that it is opened in.
func (f *finder) hooksDir(layer protocol.Scope) (string, *beneath.Root) {
	if layer == protocol.ProjectScope {
		return filepath.Join(f.project, ".agents", "hooks"), f.in
	}
	return filepath.Join(f.h.Config, "hooks"), nil
}

// An existing folder that import has made.
type existing struct {
	name, dir, text   string
	from, event, seal string
	command           string
	claimed           bool
}

// settle finds the folder that each hook may already have, names the other hooks, and decides what
// to write.
func (f *finder) settle(p *Plan, hooks []*planned, sources []Source) {
	have := map[protocol.Scope][]*existing{}
	names := map[string]bool{}
	for _, h := range f.set().Hooks { // built in and of the system, too: one of the user's would stand in for them
		names[h.Name] = true
	}
	for _, layer := range []protocol.Scope{protocol.UserScope, protocol.ProjectScope} {
		if layer == protocol.UserScope || f.project != "" {
			dir, in := f.hooksDir(layer)
			p.folders = append(p.folders, folder{dir, in})
			have[layer] = f.existing(layer, names)
			p.made = append(p.made, have[layer]...)
		}
	}
	mine := map[*planned]*existing{}
	for _, same := range []func(*planned, *existing) bool{
		func(h *planned, x *existing) bool { return x.seal == h.entrySeal() },
		func(h *planned, x *existing) bool { return x.command == h.Command+strings.Join(h.Argv, "\x00") },
		func(h *planned, x *existing) bool {
			return x.name == f.nameOf(h.Hook) || strings.HasPrefix(x.name, f.nameOf(h.Hook)+"-")
		},
	} {
		for _, h := range hooks {
			for _, x := range have[h.layer] {
				e := h.Entries[0]
				if mine[h] == nil && !x.claimed && x.from == f.from(e, h.layer) && x.event == e.Event && same(h, x) {
					mine[h], x.claimed, h.Name = x, true, x.name
				}
			}
		}
	}
	var all []*Hook
	for _, h := range hooks {
		all = append(all, h.Hook)
	}
	f.christen(all, func(name string) bool { return names[name] })
	for _, h := range hooks {
		f.settleOne(p, h, mine[h])
	}
	for _, layer := range []protocol.Scope{protocol.UserScope, protocol.ProjectScope} {
		for _, x := range have[layer] {
			// --user and --project bring into the other layer what was brought into this one.
			moves := slices.ContainsFunc(hooks, func(h *planned) bool {
				return h.layer != layer && x.from == f.from(h.Entries[0], layer) && x.seal == h.entrySeal()
			})
			if !x.claimed && !moves && f.gone(x, layer, sources) {
				p.Gone = append(p.Gone, Gone{x.name, x.dir, x.from})
			}
		}
	}
}

// gone reports whether a folder's entry is no longer where it was: its file was read and does not
// contain it, or does not exist.
func (f *finder) gone(x *existing, layer protocol.Scope, sources []Source) bool {
	for _, s := range sources {
		if s.Scope == layer && f.from(Entry{Source: s}, layer) == x.from {
			return !slices.ContainsFunc(f.problems, func(p Problem) bool { return p.File == s.Path })
		}
	}
	path, in := filepath.FromSlash(x.from), (*beneath.Root)(nil)
	if rest, ok := strings.CutPrefix(x.from, "~/"); ok {
		path = filepath.Join(f.h.Home, filepath.FromSlash(rest))
	} else if !filepath.IsAbs(path) {
		path, in = filepath.Join(f.project, path), f.in
	}
	_, err := in.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func (f *finder) settleOne(p *Plan, h *planned, have *existing) {
	dir, in := f.hooksDir(h.layer)
	dir = filepath.Join(dir, h.Name)
	state := New
	switch {
	case have == nil:
	case have.seal == h.entrySeal():
		state, dir = Same, have.dir
	case untouched(have.text):
		state, dir = Changed, have.dir
	default:
		state, dir = Edited, have.dir
	}
	if h.layer == protocol.ProjectScope && h.Entries[0].Plugin != nil && !setup.Within(h.Entries[0].Plugin.Dir, f.project) {
		h.differs("its plugin lies at %s, which others who have the project may not have", f.h.Short(h.Entries[0].Plugin.Dir))
	}
	if state == New || state == Changed {
		p.jobs = append(p.jobs, job{dir: dir, hook: h.Hook, in: in, fresh: state == New,
			row: h.rows[0], strange: slices.ContainsFunc(h.Entries, func(e Entry) bool { return e.Strange })})
	}
	for _, i := range h.rows {
		r := &p.Rows[i]
		r.Result, r.Name, r.Folder, r.State = Brought, h.Name, dir, state
		if len(h.Differences) > 0 {
			r.Result, r.Differences = Different, h.Differences
		}
	}
}

// maxRows is how many entries one import has: a folder of settings may hold thousands of files.
const maxRows = 2000

// maxFolders is how many folders of a layer are examined.
const maxFolders = 2000

// existing are the folders of a layer that import has made; it adds the names of all folders to
// names.
func (f *finder) existing(layer protocol.Scope, names map[string]bool) (list []*existing) {
	dir, in := f.hooksDir(layer)
	folders, err := in.List(dir)
	if err != nil {
		return nil
	}
	for _, e := range folders[:min(len(folders), maxFolders)] {
		names[e.Name()] = true
		path := filepath.Join(dir, e.Name(), "HOOK.md")
		b, err := in.Read(path, 1<<20)
		if err != nil {
			continue
		}
		meta := discovery.Metadata(b)
		from := meta.Sub("imported")
		if from == nil {
			continue
		}
		x := &existing{name: e.Name(), dir: filepath.Dir(path), text: string(b), from: from.Text("from"), event: from.Text("event"), seal: from.Text("entry")}
		x.command = meta.Text("command") + strings.Join(protocol.TextsOf(meta.Get("command")), "\x00")
		list = append(list, x)
	}
	return list
}
