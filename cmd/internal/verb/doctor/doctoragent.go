package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/cmd/internal/dispatch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/fidelity"
	"github.com/agents-hooks/agents-hooks/cmd/internal/requirements"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A found entry is where one of ours stands.
type foundEntry struct {
	site protocol.Site
	protocol.Registered
}

// examine checks one agent. An agent that is not here and has no entry of ours
// is one line, and none unless somebody asked for it.
func (d *doctor) examine(a *protocol.Dialect, asked bool) {
	here := setup.PresenceOf(d.Shell, a)
	entries, broken := d.entries(a)
	if !here.Found() && len(entries) == 0 && !broken {
		if asked {
			d.add("present", checkOff, "", "not on this machine: no program %s on the PATH, no folder of its own", strings.Join(a.Programs, ", "))
		}
		return
	}
	d.present(a, here)
	d.mcp(a, protocol.UserScope)
	d.mcp(a, protocol.ProjectScope)
	if len(entries) == 0 {
		if by := d.read(a); !broken && len(by) > 0 {
			d.add("entry", checkOK, "", "no entry of its own: it runs that of %s in %s%s", by[0].D.Name, d.Short(by[0].File), setup.OnlyIf(a))
			d.twice(a)
			d.capable(a)
			return
		}
		if !broken {
			d.add("entry", checkOff, "agents-hooks install "+a.ID, "no entry of ours: no hook runs in this agent")
		}
		return
	}
	working := d.registered(a, entries)
	d.programs(a, entries)
	d.wiring(a, entries)
	d.twice(a)
	d.directories(entries)
	if working {
		d.alive(a, entries)
	}
	d.limits(a, entries)
	d.capable(a)
	if d.probe {
		d.fireAll(a, entries)
	}
}

func (d *doctor) present(a *protocol.Dialect, here setup.Presence) {
	version := setup.InstalledVersion(here.Program)
	if d.probe && here.Program != "" {
		version = setup.OrElse(setup.AskVersion(d.Shell, here.Program), version)
	}
	switch {
	case !here.Found():
		d.add("present", checkWarn, "", "an entry of ours, but no program %s on the PATH and no folder of its own", strings.Join(a.Programs, ", "))
	case here.Program == "":
		d.add("present", checkWarn, "", "%s is there, but no program %s on the PATH", d.Short(here.Folder), strings.Join(a.Programs, ", "))
	case version == "":
		d.add("present", checkOK, "", "%s; proven on %s", d.Short(here.Program), setup.OrElse(a.Observed, "no version yet"))
	default:
		d.add("present", checkOK, "", "%s, version %s; proven on %s", d.Short(here.Program), version, setup.OrElse(a.Observed, "no version yet"))
	}
}

// entries are ours in all of an agent's configurations. broken says that one of
// them cannot be read.
func (d *doctor) entries(a *protocol.Dialect) (entries []foundEntry, broken bool) {
	for _, site := range d.sites(a) {
		found, err := install.Inspect(a, site)
		if err != nil {
			d.add("config", checkError, "repair the file; nothing of ours was written to it", "%v", err)
			broken = true
			continue
		}
		for _, e := range found.Entries {
			entries = append(entries, foundEntry{site, e})
		}
		for _, n := range found.Notes {
			d.add("config", checkError, "", "%s", n)
		}
	}
	return entries, broken
}

// registered tells how many events each file registers, and what keeps the agent
// from running them: absent, present, present but not approved.
func (d *doctor) registered(a *protocol.Dialect, entries []foundEntry) (working bool) {
	for _, site := range d.sites(a) {
		var events, files []string
		entered, untrusted := 0, 0
		problems := map[string][]string{}
		for _, e := range entries {
			if e.site.Scope != site.Scope {
				continue
			}
			entered++
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
		if len(events) == 0 {
			continue
		}
		again := fmt.Sprintf("agents-hooks install %s --%s", a.ID, site.Scope)
		where := d.where(a, site, files)
		switch {
		case untrusted > 0:
			d.add("approval", checkError, again, "%d of %d entries in %s are not approved by the agent: it skips them without a word", untrusted, entered, where)
		case len(problems) > 0:
			for _, text := range sortedKeys(problems) {
				d.add("entry", checkError, again, "%s: %s (%s)", where, text, strings.Join(problems[text], ", "))
			}
		default:
			working = true
			d.add("entry", checkOK, "", "%d events in %s", len(events), where)
		}
	}
	return working
}

// where says in which files entries stand.
func (d *doctor) where(a *protocol.Dialect, site protocol.Site, files []string) string {
	switch {
	case a.Config.Shape == protocol.Wrappers:
		return d.Short(a.Config.File(site))
	case len(files) > 1:
		return fmt.Sprintf("%s and %d more", d.Short(files[0]), len(files)-1)
	}
	return d.Short(files[0])
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// programs checks what the entries start: is it there, can it be started, is it
// this program.
func (d *doctor) programs(a *protocol.Dialect, entries []foundEntry) {
	seen := map[string]bool{}
	for _, e := range entries {
		if info, err := os.Stat(e.File); a.Config.Shape == protocol.Wrappers && err == nil && !setup.IsProgram(info, d.Host.GOOS) {
			d.add("binary", checkError, "chmod +x "+d.Short(e.File), "%s is not executable, so the agent does not run it", d.Short(e.File))
		}
		if len(e.Argv) == 0 || seen[e.Argv[0]] {
			continue
		}
		path := e.Argv[0]
		seen[path] = true
		again := fmt.Sprintf("agents-hooks install %s --%s", a.ID, e.site.Scope)
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			d.add("binary", checkError, again, "the entry starts %s, which is gone (%s:%d)", d.Short(path), d.Short(e.File), e.Line)
			continue
		case err != nil:
			d.add("binary", checkError, again, "the entry starts %s: %v", d.Short(path), err)
			continue
		case !setup.IsProgram(info, d.Host.GOOS):
			d.add("binary", checkError, again, "the entry starts %s, which cannot be started", d.Short(path))
			continue
		}
		if setup.Passing(d.Shell, setup.RealPath(path)) {
			d.add("binary", checkError, setup.InstallHint, "the entry starts %s, which lies in Go's build cache and will be gone", d.Short(path))
			continue
		}
		if self, err := os.Stat(d.Host.Self); err == nil && os.SameFile(self, info) {
			continue
		}
		if theirs, err := setup.BuildOf(path); err != nil {
			d.add("binary", checkWarn, again, "the entry starts %s, which is no program of ours that can be read: %v", d.Short(path), err)
		} else if theirs != setup.OwnBuild() {
			d.add("version", checkWarn, again, "the entry starts %s, version %s; this is another build, %s", d.Short(path), theirs, setup.OwnBuild())
		}
	}
}

// wiring checks that every event that a hook serves is registered: those of a
// lean install go stale when a hook is added.
func (d *doctor) wiring(a *protocol.Dialect, entries []foundEntry) {
	have := map[string]bool{}
	for _, e := range entries {
		have[e.Event] = true
	}
	var missing []string
	for _, name := range setup.ServedEvents(a, d.set.Hooks) {
		if !have[name] {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		d.add("lean", checkError, "agents-hooks install "+a.ID, "a hook serves %s, which is not registered", strings.Join(missing, ", "))
	}
}

// directories tells of entries that read hooks, or write the log, elsewhere than
// this command looks.
func (d *doctor) directories(entries []foundEntry) {
	e := entries[0].Registered
	fix := "set XDG_CONFIG_HOME and XDG_STATE_HOME as they were at the install, or install again"
	if dir := setup.ConfigOf(e, d.Host.Config); dir != d.Host.Config {
		d.add("directories", checkWarn, fix, "the entry reads the user's hooks from %s, this command from %s", d.Short(dir), d.Short(d.Host.Config))
	}
	if dir := setup.StateOf(e, d.Host.State); dir != d.Host.State {
		d.add("directories", checkWarn, fix, "the entry keeps its state in %s, this command in %s", d.Short(dir), d.Short(d.Host.State))
	}
	if setup.FlagOf(e, "--trust=") == "always" {
		d.add("directories", checkWarn, "agents-hooks install again, without --trust", "the entry runs hooks of any project unasked")
	}
}

// alive tells when the agent called last.
func (d *doctor) alive(a *protocol.Dialect, entries []foundEntry) {
	lines, err := runner.ReadLog(setup.StateOf(entries[0].Registered, d.Host.State), runner.LogFilter{Agent: a.ID})
	if err != nil {
		d.add("alive", checkWarn, "", "the run log cannot be read: %v", err)
		return
	}
	for _, l := range slices.Backward(lines) {
		if strings.HasPrefix(l.Session, dispatch.ProbePrefix) {
			continue
		}
		d.add("alive", checkOK, "", "called last %s (%s)", d.ago(l.Time), l.Event)
		return
	}
	fix := "start the agent once, or agents-hooks doctor --probe"
	if d.probe {
		fix = ""
	}
	if len(d.set.Hooks) == 0 {
		d.add("alive", checkOff, fix, "no call recorded: events are recorded once a hook exists")
		return
	}
	d.add("alive", checkWarn, fix, "has not called in the last 14 days, or never")
}

// ago is a time as a person says it.
func (d *doctor) ago(at time.Time) string {
	switch since := d.Host.Now().Sub(at); {
	case since < 2*time.Minute:
		return fmt.Sprintf("%d s ago", max(0, int(since.Seconds())))
	case since < 2*time.Hour:
		return fmt.Sprintf("%d min ago", int(since.Minutes()))
	case since < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(since.Hours()))
	}
	return at.Local().Format(time.DateTime)
}

// limits tells of hooks that ask for more time than the agent gives them: the
// entry's own limit, or the one that the agent clamps it to.
func (d *doctor) limits(a *protocol.Dialect, entries []foundEntry) {
	for _, n := range a.Natives {
		limit := n.Limit
		for _, e := range entries {
			if e.Event == n.Name && e.Timeout > 0 && e.Timeout < limit {
				limit = e.Timeout
			}
		}
		if limit <= 0 || n.Manual {
			continue
		}
		limit = time.Duration(float64(limit) * dispatch.Share)
		var names []string
		for _, h := range d.set.Hooks {
			if h.Status == discovery.Ready && !h.Async && slices.Contains(n.Events(), h.Trigger) && h.Timeout > limit {
				names = append(names, fmt.Sprintf("%s (%s)", h.Name, h.Timeout))
			}
		}
		if len(names) > 0 {
			d.add("limit", checkWarn, "a shorter timeout, or async: true", "%s has %s at most here, and asks for more: %s", n.Name, limit, strings.Join(names, ", "))
		}
	}
}

// capable tells what hooks here want and this agent cannot do: events that it
// does not have, and answers that had to be dropped (R11).
func (d *doctor) capable(a *protocol.Dialect) {
	has := map[protocol.EventType]protocol.Can{}
	found := map[protocol.EventType]bool{}
	for _, n := range a.Natives {
		for i, e := range n.Events() {
			found[e] = true
			if i == 0 || i >= len(n.Feeds) {
				has[e] |= n.Can
			}
		}
	}
	never, wants := map[string][]string{}, map[string][]string{}
	for _, h := range d.set.Hooks {
		if h.Status != discovery.Ready {
			continue
		}
		switch {
		case !found[h.Trigger] && h.Layer == discovery.BuiltinLayer:
			continue // told with the channels
		case !found[h.Trigger]:
			never[string(h.Trigger)] = append(never[string(h.Trigger)], h.Name)
			continue
		case h.OnError == discovery.OnErrorBlock && h.Trigger.Prevents() && !has[h.Trigger].Has(protocol.CanBlock):
			d.add("can", checkWarn, "", "%s wants its failure to block, and this agent cannot be blocked at %s", h.Name, h.Trigger)
		}
		if h.Layer != discovery.BuiltinLayer { // those look at context.can themselves
			for _, p := range requirements.Unmet(a, h) {
				wants[p.Message] = append(wants[p.Message], h.Name)
			}
		}
	}
	for _, e := range sortedKeys(never) {
		d.add("can", checkWarn, "", "this agent has no %s: there %s never runs", e, strings.Join(never[e], ", "))
	}
	for _, text := range sortedKeys(wants) {
		d.add("can", checkWarn, "agents-hooks validate --agent "+a.ID, "%s (%s)", text, strings.Join(wants[text], ", "))
	}
	here := map[protocol.EventType]protocol.Can{}
	for e := range found {
		here[e] = has[e]
	}
	d.channels(a, here)
	d.guide(a)
	d.prompts(a)
	d.dropped(a)
}

// prompts says how well the agent can be given the prompts of skills that are
// there.
func (d *doctor) prompts(a *protocol.Dialect) {
	shelf := d.shelf()
	if !shelf.On {
		return
	}
	used := map[skills.Timing]bool{}
	for _, s := range shelf.Skills {
		for _, h := range s.Hooks {
			used[h.Timing] = used[h.Timing] || s.Status == discovery.Ready
		}
	}
	status := checkOK
	var parts []string
	for _, f := range fidelity.FidelityOf(a) {
		if !used[f.Timing] {
			continue
		}
		if f.Fidelity == "none" {
			status = checkWarn
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)", f.Timing, f.Fidelity, f.Detail))
	}
	if len(parts) > 0 {
		d.add("skills", status, "", "prompts of skills: %s", strings.Join(parts, "; "))
	}
}

// dropped counts in the run log what the agent could not be told.
func (d *doctor) dropped(a *protocol.Dialect) {
	lines, err := runner.ReadLog(d.Host.State, runner.LogFilter{Agent: a.ID})
	if err != nil {
		return
	}
	count := map[string]int{}
	for _, l := range lines {
		for _, w := range l.Warnings {
			if w.Kind == "unsupported" {
				count[w.Text]++
			}
		}
	}
	for _, text := range sortedKeys(count) {
		d.add("can", checkWarn, "[hooks] on_unsupported in "+d.Short(filepath.Join(d.Host.Config, "hooks.toml"))+" rules it", "%s (%d times in the last 14 days)", text, count[text])
	}
}

// fireAll fires each entry, one after another.
func (d *doctor) fireAll(a *protocol.Dialect, entries []foundEntry) {
	var slowest time.Duration
	well := 0
	for _, e := range entries {
		p := setup.Fire(d.Shell, a, e.site, e.Registered)
		if p.Err != nil {
			d.add("probe", checkError, fmt.Sprintf("agents-hooks install %s --%s", a.ID, e.site.Scope), "%s: %v", e.Event, p.Err)
			continue
		}
		well++
		slowest = max(slowest, p.Took)
	}
	if well > 0 {
		d.add("probe", checkOK, "", "%d entries answered, the slowest in %s", well, eventlog.Spent(slowest))
	}
}
