package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/build"
	"github.com/agents-hooks/agents-hooks/cmd/internal/dispatch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
	"github.com/agents-hooks/agents-hooks/runner"
)

// An entry is one event that our entry registers, and in which configuration.
type entry struct {
	site protocol.Site
	protocol.Registered
}

// again is the command that writes an entry anew.
func again(a *protocol.Dialect, site protocol.Site) string {
	return fmt.Sprintf("agents-hooks install %s --%s", a.ID, site.Scope)
}

// entriesOf are our entries in all of an agent's configurations, and the problems with those.
// broken says that one of them cannot be read.
func entriesOf(p place, a *protocol.Dialect) (entries []entry, list []check, broken bool) {
	for _, site := range sites(p, a) {
		found, err := install.Inspect(a, site)
		if err != nil {
			list = append(list, row("config", checkError, "repair the file; nothing of ours was written to it", "%v", err))
			broken = true
			continue
		}
		for _, e := range found.Entries {
			entries = append(entries, entry{site, e})
		}
		for _, n := range found.Notes {
			list = append(list, row("config", checkError, "", "%s", n))
		}
	}
	return entries, list, broken
}

// registered says how many events each configuration registers, and what keeps the agent from
// running them, such as a missing approval.
func registered(p place, a *protocol.Dialect, entries []entry) (list []check, working bool) {
	for _, site := range sites(p, a) {
		var here []entry
		for _, e := range entries {
			if e.site.Scope == site.Scope {
				here = append(here, e)
			}
		}
		if len(here) == 0 {
			continue
		}
		made, works := standing(p.Host, a, site, here)
		list, working = append(list, made...), working || works
	}
	return list, working
}

// standing does the same for one configuration that has entries.
func standing(h host.Host, a *protocol.Dialect, site protocol.Site, entries []entry) (list []check, works bool) {
	var events, files []string
	untrusted, problems := 0, map[string][]string{}
	for _, e := range entries {
		if !slices.Contains(files, e.File) {
			files = append(files, e.File)
		}
		if !slices.Contains(events, e.Event) {
			events = append(events, e.Event)
		}
		if !e.Trusted {
			untrusted++
		} else if e.Problem != "" {
			problems[e.Problem] = append(problems[e.Problem], e.Event)
		}
	}
	where := h.Short(files[0])
	switch {
	case a.Config.Shape == protocol.Wrappers:
		where = h.Short(a.Config.File(site))
	case len(files) > 1:
		where = fmt.Sprintf("%s and %d more", where, len(files)-1)
	}
	if untrusted > 0 {
		return rows("approval", checkError, again(a, site), "%d of %d entries in %s are not approved by the agent: it skips them without a word", untrusted, len(entries), where), false
	}
	for _, text := range slices.Sorted(maps.Keys(problems)) {
		list = append(list, row("entry", checkError, again(a, site), "%s: %s (%s)", where, text, strings.Join(problems[text], ", ")))
	}
	if len(list) > 0 {
		return list, false
	}
	list = rows("entry", checkOK, "", "%s in %s", text.Count(len(events), "event"), where)
	if lacking := lacking(a, events); len(lacking) > 0 {
		list = append(list, row("events", checkWarn, again(a, site), "the entry is of an older version: it lacks %s, and hooks of that do not run", strings.Join(lacking, ", ")))
	}
	if passing := lettingPass(h, a, site, entries); len(passing) > 0 {
		list = append(list, row("open", checkWarn, again(a, site), "a hook blocks where it fails; where the dispatcher itself does, %s lets the event pass (%s)", a.Name, strings.Join(passing, ", ")))
	}
	return list, true
}

// lettingPass are the events that pass if the dispatcher fails, although a hook would block if
// it failed, and the agent could be told to block.
func lettingPass(h host.Host, a *protocol.Dialect, site protocol.Site, entries []entry) (events []string) {
	if a.Config.Closed == "" {
		return nil
	}
	closed := setup.ClosedEvents(a, site.Scope, hookset.Set(h, cmp.Or(site.Project, h.WorkDir)))
	for _, e := range entries {
		if !e.Closed && slices.Contains(closed, e.Event) {
			events = append(events, e.Event)
		}
	}
	return events
}

// lacking are the format's names of the events that install would register, and the entry does
// not.
func lacking(a *protocol.Dialect, events []string) (names []string) {
	for _, n := range a.NativeEvents {
		if n.Manual || slices.Contains(events, n.Key()) || slices.Contains(events, n.Name) {
			continue
		}
		if name := string(n.MapsTo[0]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// programs checks what the entries start: whether it exists, can be started, and is this
// program.
func programs(h host.Host, a *protocol.Dialect, entries []entry) (list []check) {
	seen := map[string]bool{}
	for _, e := range entries {
		if info, err := os.Stat(e.File); a.Config.Shape == protocol.Wrappers && err == nil && !setup.IsProgram(info, h.GOOS) {
			list = append(list, row("binary", checkError, "chmod +x "+h.Short(e.File), "%s is not executable, so the agent does not run it", h.Short(e.File)))
		}
		if len(e.Argv) > 0 && !seen[e.Argv[0]] {
			seen[e.Argv[0]] = true
			list = append(list, started(h, a, e)...)
		}
	}
	return list
}

func started(h host.Host, a *protocol.Dialect, e entry) (list []check) {
	path, fix := e.Argv[0], again(a, e.site)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return rows("binary", checkError, fix, "the entry starts %s, which is gone (%s:%d)", h.Short(path), h.Short(e.File), e.Line)
	case err != nil:
		return rows("binary", checkError, fix, "the entry starts %s: %v", h.Short(path), err)
	case !setup.IsProgram(info, h.GOOS):
		return rows("binary", checkError, fix, "the entry starts %s, which cannot be started", h.Short(path))
	case keep.Passing(h, setup.RealPath(path)):
		return rows("binary", checkError, setup.InstallHint, "the entry starts %s, which lies in Go's build cache and will be gone", h.Short(path))
	}
	if !keep.Is(h, path) {
		list = rows("copy", checkWarn, fix, "the entry starts %s itself, and guards nothing once that is moved or removed; install has it name a copy that stays", h.Short(path))
	}
	if self, err := os.Stat(h.Self); err == nil && os.SameFile(self, info) {
		return list
	}
	theirs, err := build.Of(path)
	switch own := build.Own(); {
	case err != nil:
		list = append(list, row("binary", checkWarn, fix, "the entry starts %s, which is not a program of ours that can be read: %v", h.Short(path), err))
	case theirs != own:
		list = append(list, row("version", checkWarn, fix, "the entry starts %s, version %s; this is another build, %s", h.Short(path), theirs.Version(), own.Version()))
	}
	return list
}

// lean checks that each event that a hook serves is registered: the entries of a lean install
// become outdated when a hook is added.
func lean(set *discovery.Set, a *protocol.Dialect, entries []entry) []check {
	var missing []string
	for _, name := range setup.ServedEvents(a, set.Hooks) {
		if !slices.ContainsFunc(entries, func(e entry) bool { return e.Event == name }) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return rows("lean", checkError, "agents-hooks install "+a.ID, "a hook serves %s, which is not registered", strings.Join(missing, ", "))
}

// directories reports an entry that reads hooks from, or writes the log to, other directories
// than this command.
func directories(h host.Host, argv []string) (list []check) {
	fix := "set XDG_CONFIG_HOME and XDG_STATE_HOME as they were at the install, or install again"
	if dir := cmp.Or(setup.EntryFlag(argv, "config"), h.Config); dir != h.Config {
		list = append(list, row("directories", checkWarn, fix, "the entry reads the user's hooks from %s, this command from %s", h.Short(dir), h.Short(h.Config)))
	}
	if dir := stateOf(h, argv); dir != h.State {
		list = append(list, row("directories", checkWarn, fix, "the entry keeps its state in %s, this command in %s", h.Short(dir), h.Short(h.State)))
	}
	if len(argv) > 0 && setup.EntryFlag(argv, "home") == "" {
		list = append(list, row("directories", checkWarn, "agents-hooks install again", "the entry is of an older form: it does not say all directories, and those that it lacks are the usual ones below %s", h.Short(h.Home)))
	}
	if setup.EntryFlag(argv, "trust") == "always" {
		list = append(list, row("directories", checkWarn, "agents-hooks install again, without --trust", "the entry runs hooks of any project unasked"))
	}
	return list
}

// stateOf is where an entry's command keeps its state.
func stateOf(h host.Host, argv []string) string {
	return cmp.Or(setup.EntryFlag(argv, "state"), h.State)
}

// alive says when the agent last called.
func alive(p place, a *protocol.Dialect, argv []string, probe bool) []check {
	for l, err := range runlog.Backward(stateOf(p.Host, argv), runlog.Filter{Agent: a.ID}) {
		if err != nil {
			return rows("alive", checkWarn, "", "the run log cannot be read: %v", err)
		}
		if !strings.HasPrefix(l.Session, dispatch.ProbePrefix) {
			return rows("alive", checkOK, "", "called last %s (%s)", ago(p.Now(), l.Time), l.Event)
		}
	}
	fix := "start the agent once, or agents-hooks doctor --probe"
	if probe {
		fix = ""
	}
	if len(p.set.Hooks) == 0 {
		return rows("alive", checkOff, fix, "no call recorded: events are recorded once a hook exists")
	}
	return rows("alive", checkWarn, fix, "has not called in the last %d days, or never", runner.LogDays)
}

// ago is a time as people say it.
func ago(now, at time.Time) string {
	switch since := now.Sub(at); {
	case since < 2*time.Minute:
		return fmt.Sprintf("%d s ago", max(0, int(since.Seconds())))
	case since < 2*time.Hour:
		return fmt.Sprintf("%d min ago", int(since.Minutes()))
	case since < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(since.Hours()))
	}
	return at.Local().Format(time.DateTime)
}

// limits reports hooks whose time limit exceeds the agent's: the one in the entry, or the one
// that the agent itself enforces. Nobody can set that of a built-in hook.
func limits(set *discovery.Set, a *protocol.Dialect, entries []entry) (list []check) {
	for _, n := range a.NativeEvents {
		limit := n.Limit
		for _, e := range entries {
			if e.Event == n.Name && e.Timeout > 0 {
				limit = min(limit, e.Timeout)
			}
		}
		if limit <= 0 || n.Manual {
			continue
		}
		limit = time.Duration(float64(limit) * dispatch.Share)
		var names []string
		for _, h := range set.Hooks {
			if h.Status == discovery.Ready && h.Behaviour == "" && !h.Async && slices.Contains(n.Events(), h.Trigger) && h.Timeout > limit {
				names = append(names, fmt.Sprintf("%s (%s)", h.Name, h.Timeout))
			}
		}
		if len(names) > 0 {
			list = append(list, row("limit", checkWarn, "a shorter timeout, or async: true", "%s has %s at most here, and asks for more: %s", n.Name, limit, strings.Join(names, ", ")))
		}
	}
	return list
}

func fire(h host.Host, a *protocol.Dialect, entries []entry) (list []check) {
	var slowest time.Duration
	well := 0
	for _, e := range entries {
		took, err := setup.Fire(h, a, e.site, e.Registered)
		if err != nil {
			list = append(list, row("probe", checkError, again(a, e.site), "%s: %v", e.Event, err))
			continue
		}
		well++
		slowest = max(slowest, took)
	}
	if well > 0 {
		list = append(list, row("probe", checkOK, "", "%s answered, the slowest in %s", text.Count(well, "entry"), eventlog.Spent(slowest)))
	}
	return list
}
