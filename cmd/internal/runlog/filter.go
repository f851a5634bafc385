package runlog

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A Filter selects lines of the run log. An empty member selects all.
type Filter struct {
	Session string // the beginning of its id
	Hook    string // of a line: one of its hooks, run or started, or one in a warning
	Agent   string
	Events  []string // names in the format, or in agents
	Project []string // one of some folders, or the last elements of their paths
	Tool    string   // by the portable or the agent's own name, ignoring case

	Became // any of those that are set

	Since, Until time.Time // the first moment that counts, and the first after it that does not
}

// Became is the result of an event.
type Became struct {
	Blocked bool
	Asked   bool
	Allowed bool // a hook gave the permission
	Changed bool // a hook changed the input
	Failed  bool // a hook failed
	Late    bool // one of them because it took too long
	Warned  bool // there was a warning
}

// Picks reports whether the filter selects a line.
func (f Filter) Picks(l *runner.LogLine) bool {
	switch {
	case Probe(l) && !f.Warned && f.Session == "":
		return false
	case !strings.HasPrefix(l.Session, f.Session), f.Agent != "" && f.Agent != l.Agent:
		return false
	case len(f.Events) > 0 && !slices.Contains(f.Events, l.Event) && !slices.Contains(f.Events, l.NativeEvent):
		return false
	case f.Tool != "" && !strings.EqualFold(f.Tool, l.Tool) && !strings.EqualFold(f.Tool, l.NativeTool):
		return false
	case f.any() && !f.of(l):
		return false
	case !f.Since.IsZero() && l.Time.Before(f.Since), !f.Until.IsZero() && !l.Time.Before(f.Until):
		return false
	case len(f.Project) > 0 && !slices.ContainsFunc(f.Project, func(words string) bool { return inProject(l.Project, words) }):
		return false
	}
	return f.Hook == "" || slices.Contains(l.Async, f.Hook) ||
		slices.ContainsFunc(l.Hooks, func(h runner.LogHook) bool { return h.Name == f.Hook }) ||
		slices.ContainsFunc(l.Warnings, func(w runner.Warning) bool { return w.Hook == f.Hook })
}

func (b Became) any() bool { return b != Became{} }

// of reports whether a line has one of these results.
func (b Became) of(l *runner.LogLine) bool {
	if b.Blocked && l.Decision == protocol.Block.String() || b.Asked && l.Decision == protocol.Ask.String() ||
		b.Allowed && len(l.Allowed) > 0 || b.Warned && len(l.Warnings) > 0 {
		return true
	}
	return slices.ContainsFunc(l.Hooks, func(h runner.LogHook) bool {
		return b.Failed && Broken(h.Result) || b.Late && h.Result == runner.TimedOut || b.Changed && h.Changed
	})
}

// Broken reports whether a hook with this ending failed.
func Broken(v runner.Verdict) bool {
	switch v {
	case runner.Failed, runner.TimedOut, runner.NotStarted, runner.BadOutput:
		return true
	}
	return false
}

// Probe reports whether a line is of an entry that doctor --probe started: no agent called, and
// two dozen of them would push away what happened.
func Probe(l *runner.LogLine) bool {
	return len(l.Hooks) == 0 && slices.ContainsFunc(l.Warnings, func(w runner.Warning) bool { return w.Kind == "probe" })
}

// inProject reports whether words mean a folder: by its path, or by the path's last
// elements. A path is clean and absolute.
func inProject(dir, words string) bool {
	if filepath.IsAbs(words) || dir == "" {
		return dir == words
	}
	return dir == words || strings.HasSuffix(filepath.ToSlash(dir), "/"+filepath.ToSlash(words))
}

// needles are lists of texts: every selected line contains one from each list.
// Searching for them is cheaper than parsing a line.
func (f Filter) needles() (all [][][]byte) {
	// A text is quoted at its end or its beginning, where it is complete.
	ends := func(s string) []byte { return protocol.Quote(s)[1:] }
	begins := func(s string) []byte { q := protocol.Quote(s); return q[:len(q)-1] }
	for _, s := range []string{f.Hook, f.Agent} {
		if s != "" {
			all = append(all, [][]byte{protocol.Quote(s)})
		}
	}
	if f.Session != "" {
		all = append(all, [][]byte{begins(f.Session)})
	}
	var events, projects [][]byte
	for _, name := range f.Events {
		events = append(events, protocol.Quote(name))
	}
	for _, words := range f.Project {
		projects = append(projects, ends(path.Base(filepath.ToSlash(words))))
	}
	for _, any := range [][][]byte{events, projects} {
		if any != nil {
			all = append(all, any)
		}
	}
	if f.Became == (Became{Blocked: true}) {
		all = append(all, [][]byte{[]byte(`"decision": "block"`)})
	}
	return all
}

// holdsAll reports whether a text contains one from each list.
func holdsAll(text []byte, needles [][][]byte) bool {
	for _, any := range needles {
		if !slices.ContainsFunc(any, func(n []byte) bool { return bytes.Contains(text, n) }) {
			return false
		}
	}
	return true
}

// holds reports whether a day may have lines that f selects.
func (f Filter) holds(day time.Time) bool {
	return (f.Until.IsZero() || day.Before(f.Until)) && (f.Since.IsZero() || f.Since.Before(day.AddDate(0, 0, 1)))
}
