package host

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// switches are variables of this program that stand for no setting of a behaviour
// and count in spec form alone.
var switches = [...]string{"AGENTS_HOOKS_DISABLE", "AGENTS_HOOKS_DISABLED_HOOKS", "AGENTS_HOOKS_TRUST"}

// Unread are the variables that somebody set for this program and that do not
// count in agent form, in order: its switches, those that stand for a setting or
// switch a behaviour, and those of a directory that is not the one
// in use. inUse is a setting of a behaviour as the files have it: a variable that
// says the same is none that anybody misses.
func (h Host) Unread(inUse func(behaviour, key string) any) []string {
	if !h.dropped {
		return nil
	}
	open := New(h.Given, h.GOOS, h.WorkDir, h.Self, h.Now)
	said := map[string]bool{}
	for _, name := range switches {
		if value := open.Getenv(name); value != "" && value != h.Getenv(name) {
			said[name] = true
		}
	}
	for _, dir := range []struct{ name, said, used string }{
		{"XDG_CONFIG_HOME", open.Config, h.Config}, {"XDG_STATE_HOME", open.State, h.State},
		{"XDG_CACHE_HOME", open.Cache, h.Cache}, {"XDG_DATA_HOME", open.Data, h.Data},
	} {
		if filepath.IsAbs(open.Getenv(dir.name)) && dir.said != dir.used {
			said[dir.name] = true
		}
	}
	// Desktops set this one; it is missed only where the entry does not say it.
	if filepath.IsAbs(open.Getenv("XDG_CONFIG_DIRS")) && h.systemUnsaid && !slices.Equal(open.System, h.System) {
		said["XDG_CONFIG_DIRS"] = true
	}
	for _, b := range h.Behaviours() {
		for name := range open.vars {
			// Missed by what goes out, which has a key or an address, and by no other way.
			key := outward(name)
			if key == "" || open.vars[name] == "" || inUse(b.Name, key) != nil {
				continue
			}
			for _, goes := range []string{"api_key", "embedding_url"} {
				if s, ok := inUse(b.Name, goes).(string); ok && s != "" {
					said[name] = true
				}
			}
		}
		if name := "AGENTS_HOOKS_" + strings.ToUpper(b.Name); open.Getenv(name) != "" {
			said[name] = true
		}
		for _, name := range b.OffEnv {
			if open.True(name) && !CountsForAgent(name) {
				said[name] = true
			}
		}
		for _, s := range b.Settings() {
			value := open.Getenv(s.Env)
			if s.Env == "" || value == "" || CountsForAgent(s.Env) {
				continue
			}
			if have, ok := inUse(b.Name, s.Key).(string); ok && have == value {
				delete(said, s.Env)
				continue
			}
			said[s.Env] = true
		}
	}
	return slices.Sorted(maps.Keys(said))
}
