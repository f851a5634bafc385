package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/index"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/memories"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A voice is how a built-in hook is heard: what it does at an event of its kind.
type voice struct {
	what string       // "context"
	by   protocol.Can // any of these carries it
}

// voiceOf is how a hook speaks; ok is false for one that works in silence.
func voiceOf(h *discovery.Hook) (voice, bool) {
	switch h.Trigger {
	case protocol.PreAgentTurnStop, protocol.PostSubagent:
		return voice{"a follow-up", protocol.CanContinue}, !h.Async
	case protocol.PreContextCompact:
		return voice{"a request", protocol.CanContext | protocol.CanMessage}, !h.Async
	case protocol.PostSession, protocol.PostAgentTurn, protocol.PostAgentTurnStop:
		return voice{}, false
	}
	return voice{"context", protocol.CanContext}, !h.Async
}

// channels tells for each behaviour that is on which of its hooks this agent
// hears, and which reminders cannot fire. has is what an answer to each
// event can carry, of those that the agent has.
func (d *doctor) channels(a *protocol.Dialect, has map[protocol.EventType]protocol.Can) {
	late := has[protocol.PreAgentTurn].Has(protocol.CanContext) || has[protocol.PostToolCall].Has(protocol.CanContext)
	for _, b := range builtinhooks.Behaviours() {
		var heard, deaf, missing []string
		for _, h := range hookset.BehaviourHooks(d.set, b.Name) {
			if h.Status != discovery.Ready {
				continue
			}
			can, there := has[h.Trigger]
			v, speaks := voiceOf(h)
			switch {
			case !there:
				missing = append(missing, string(h.Trigger))
			case !speaks:
			case can&v.by == 0 && (v.what == "a follow-up" || !late):
				deaf = append(deaf, fmt.Sprintf("%s is not heard: %s carries no %s", h.Name, h.Trigger, strings.TrimPrefix(v.what, "a ")))
			case can&v.by == 0:
				heard = append(heard, fmt.Sprintf("%s (late, with the next prompt or tool call)", h.Trigger))
			default:
				heard = append(heard, string(h.Trigger))
			}
		}
		slices.Sort(heard)
		heard = slices.Compact(heard)
		if len(heard)+len(deaf)+len(missing) == 0 {
			continue
		}
		text := fmt.Sprintf("%s is heard at %s", b.Name, setup.OrElse(strings.Join(heard, ", "), "no event"))
		if len(missing) > 0 {
			// That is how the agent is, and nothing to mend.
			slices.Sort(missing)
			text += "; there is no " + strings.Join(slices.Compact(missing), ", ") + " here"
		}
		if len(deaf) > 0 || len(heard) == 0 {
			d.add("channels", checkWarn, "", "%s", strings.Join(append([]string{text}, deaf...), "; "))
			continue
		}
		d.add("channels", checkOK, "", "%s", text)
	}
}

// guide tells of guides that say something else than this program would write.
func (d *doctor) guide(a *protocol.Dialect) {
	for _, site := range d.sites(a) {
		skills := a.Skills.Dir(site)
		if skills == "" {
			continue
		}
		for _, b := range builtinhooks.Behaviours() {
			path := setup.GuideFile(skills, b.Name)
			text, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			ours, untouched := builtinhooks.IsGuide(text)
			on := slices.ContainsFunc(hookset.BehaviourHooks(d.set, b.Name), func(h *discovery.Hook) bool { return h.Status != discovery.Disabled })
			again := fmt.Sprintf("agents-hooks install %s --%s --guides", a.ID, site.Scope)
			switch now := builtinhooks.Guide(&b, d.Host.Getenv, d.set.Settings.Builtin[b.Name]); {
			case !ours:
			case !on:
				d.add("guide", checkWarn, "agents-hooks enable "+b.Name+", or "+again, "%s tells of %s, which is off", d.Short(path), b.Name)
			case !untouched:
				d.add("guide", checkOK, "", "%s was edited", d.Short(path))
			case !setup.Same(text, now):
				d.add("guide", checkWarn, again, "%s is of another version, or in another language", d.Short(path))
			default:
				d.add("guide", checkOK, "", "%s", d.Short(path))
			}
		}
	}
}

// memory looks at the folders of memory, if it is on, and at what is derived from
// them. It changes nothing.
func (d *doctor) memory(s memories.Shelf) {
	if !slices.ContainsFunc(hookset.BehaviourHooks(d.set, "memory"), func(h *discovery.Hook) bool { return h.Status == discovery.Ready }) {
		return
	}
	shelves := s.Shelves(false)
	if len(shelves) == 0 {
		d.add("memory", checkOff, "", "memory is on, and nothing is remembered here yet")
	}
	for _, at := range shelves {
		d.open(at.Dir)
		k := s.Keeper
		k.Dir = at.Dir
		lines, damaged, err := k.Damage()
		switch {
		case err != nil:
			d.add("memory", checkError, "", "%s: %v", d.Short(at.Dir), err)
		case len(damaged) > 0:
			d.add("memory", checkWarn, "agents-hooks memory doctor", "%s: %d of %d lines cannot be read", d.Short(at.Dir), len(damaged), lines)
		default:
			d.add("memory", checkOK, "", "%s: %d lines", d.Short(at.Dir), lines)
		}
		d.index(at)
	}
}

// index looks at the index of a folder, and the snapshot for quick searches.
func (d *doctor) index(at find.Shelf) {
	path, _ := at.Derived(index.FileName)
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		d.add("index", checkOff, "", "no index yet: the first search, or the end of a session, makes it")
		return
	} else if err == nil && info.Size() > 0 {
		if err := index.Check(path); err != nil {
			d.add("index", checkWarn, "agents-hooks memory rebuild-index", "%s: %v", d.Short(path), err)
			return
		}
	}
	snap, _ := at.Derived(find.SnapshotFile)
	s, err := find.Open(snap)
	if err != nil {
		d.add("index", checkWarn, "agents-hooks memory rebuild-index", "the index is whole; a recall has to start a process, as there is no snapshot")
		return
	}
	defer s.Close()
	n, _ := s.Count()
	d.add("index", checkOK, "", "whole; %d entries are ready for recalls", n)
}

// open warns of a folder that others may look into: what is remembered of a
// project is its person's.
func (d *doctor) open(dir string) {
	info, err := os.Stat(dir)
	if err != nil || d.Host.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return
	}
	if setup.Within(dir, d.set.Root) && d.set.Root != "" {
		return // shared as the project is
	}
	d.add("private", checkWarn, "chmod 700 "+d.Short(dir), "%s can be read by others (%o)", d.Short(dir), info.Mode().Perm())
}

// private looks at the folders that are nobody else's.
func (d *doctor) private() {
	for _, dir := range []string{d.Host.State, d.Host.Data, filepath.Join(d.Host.State, "sessions")} {
		if dir != "" && !(setup.Within(dir, d.set.Root) && d.set.Root != "") {
			d.open(dir)
		}
	}
}
