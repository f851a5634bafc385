package host

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// switches are variables of this program that stand for no setting of a behaviour
// and count in spec form alone.
var switches = [...]string{"AGENTS_HOOKS_DISABLE", "AGENTS_HOOKS_DISABLED_HOOKS", "AGENTS_HOOKS_TRUST"}

// agentForm are the variables that count in agent form; spec/SETTINGS.md shows
// those of them that stand for a setting. Nothing else is read there, so a new
// reader is closed until it stands here, or is what one agent tells beside its
// payload (Tells of its dialect). What names a place, an address or a key,
// switches something off or weakens a guard must not: the repository may have
// set it.
var agentForm = [...]string{
	// numbers and words that tune
	"AGENTS_HOOKS_DEBUG", "AGENTS_HOOKS_LANGUAGE", "MEMORY_LOAD_DAYS_FULL", "MEMORY_LOAD_DAYS_MAX", "MEMORY_FACTS_LIMIT", "MEMORY_EMBEDDING_MODEL",
	"LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ",
	// what a process needs
	"PATH", "SystemRoot", "SystemDrive",
	// given by a dispatcher to its hooks, and proven there
	"AGENTS_HOOKS_TICKET",
}

// steering are variables that have a program run code, or take switches, of somebody
// else's choice; steeringFamilies how more of them begin.
var steering = [...]string{
	"ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "GLOBIGNORE", "CDPATH", "IFS", "POSIXLY_CORRECT", "FPATH", "ZDOTDIR",
	"GREP_OPTIONS", "AWKPATH", "AWKLIBPATH", "LESSOPEN", "LESSCLOSE", "CURL_HOME", "WGETRC", "NETRC", "MAKEFILES", "MAKEFLAGS", "GNUMAKEFLAGS",
	"PERL5OPT", "PERL5DB", "RUBYOPT", "BUNDLE_GEMFILE", "PHPRC", "PHP_INI_SCAN_DIR", "PSModulePath", "PSMODULEPATH",
	"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "DOTNET_STARTUP_HOOKS", "DOTNET_ADDITIONAL_DEPS",
	"GOFLAGS", "GOENV", "GOTOOLDIR", "RUSTC_WRAPPER", "GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH", "HOSTALIASES",
}

var steeringFamilies = [...]string{"LD_", "DYLD_", "BASH_", "PYTHON", "NODE_", "NPM_CONFIG_", "DENO_", "BUN_", "LUA_", "JULIA_", "OPENSSL_", "CORECLR_", "COR_", "COMPLUS_", "R_PROFILE"}

// harmless are those of the families that steer nothing, or list folders, which are
// looked at one by one.
var harmless = [...]string{"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "PYTHONPATH", "NODE_PATH", "NODE_ENV", "NODE_EXTRA_CA_CERTS"}

// Confine makes the environment of this process that of the host, for what
// libraries read there: proxies, certificates, switches of the Go runtime.
func (h Host) Confine() {
	os.Clearenv()
	for _, kv := range h.Env {
		name, value, _ := strings.Cut(kv, "=")
		_ = os.Setenv(name, value)
	}
}

// homeOf is the home directory that a configuration directory of ours lies in,
// where it is the usual one.
func homeOf(config string) string {
	home, ok := strings.CutSuffix(config, filepath.FromSlash("/.config/agents"))
	if !ok {
		return ""
	}
	return home
}

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
			for _, goes := range []string{"api_key", "embedding_url", "team_url"} {
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
