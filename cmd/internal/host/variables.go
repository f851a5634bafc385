package host

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// switches are this program's variables that stand for no setting of a behaviour and
// count only in spec form.
var switches = [...]string{"AGENTS_HOOKS_DISABLE", "AGENTS_HOOKS_DISABLED_HOOKS", "AGENTS_HOOKS_TRUST"}

// agentForm are the variables that count in agent form; spec/SETTINGS.md shows those
// that stand for a setting. Nothing else is read there, so a new reader gets nothing
// until its variable is listed here, or is what an agent tells beside its payload
// (Tells of its dialect). A variable that names a place, an address or a key,
// switches something off or weakens a guard must not be listed: the repository may
// have set it.
var agentForm = [...]string{
	// numbers and words for tuning
	"AGENTS_HOOKS_DEBUG", "AGENTS_HOOKS_LANGUAGE", "MEMORY_LOAD_DAYS_FULL", "MEMORY_LOAD_DAYS_MAX", "MEMORY_FACTS_LIMIT", "MEMORY_EMBEDDING_MODEL",
	"LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ",
	// what a process needs
	"PATH", "SystemRoot", "SystemDrive",
	// given by a dispatcher to its hooks, which check it
	"AGENTS_HOOKS_TICKET",
}

// steering are variables that make a program run code, or accept options, of somebody
// else's choice; steeringFamilies are the beginnings of more such names.
var steering = [...]string{
	"ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "GLOBIGNORE", "CDPATH", "IFS", "POSIXLY_CORRECT", "FPATH", "ZDOTDIR",
	"GREP_OPTIONS", "AWKPATH", "AWKLIBPATH", "LESSOPEN", "LESSCLOSE", "CURL_HOME", "WGETRC", "NETRC", "MAKEFILES", "MAKEFLAGS", "GNUMAKEFLAGS",
	"PERL5OPT", "PERL5DB", "RUBYOPT", "BUNDLE_GEMFILE", "PHPRC", "PHP_INI_SCAN_DIR", "PSModulePath", "PSMODULEPATH",
	"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "DOTNET_STARTUP_HOOKS", "DOTNET_ADDITIONAL_DEPS",
	"GOFLAGS", "GOENV", "GOTOOLDIR", "RUSTC_WRAPPER", "GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH", "HOSTALIASES",
}

var steeringFamilies = [...]string{"LD_", "DYLD_", "BASH_", "PYTHON", "NODE_", "NPM_CONFIG_", "DENO_", "BUN_", "LUA_", "JULIA_", "OPENSSL_", "CORECLR_", "COR_", "COMPLUS_", "R_PROFILE"}

// harmless are those in the families that steer nothing, or list folders, which are
// checked individually.
var harmless = [...]string{"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "PYTHONPATH", "NODE_PATH", "NODE_ENV", "NODE_EXTRA_CA_CERTS"}

// Confine sets the environment of this process to the host's, for what libraries read
// there: proxies, certificates, options of the Go runtime.
func (h Host) Confine() {
	os.Clearenv()
	for _, kv := range h.Env {
		name, value, _ := strings.Cut(kv, "=")
		_ = os.Setenv(name, value)
	}
}

// homeOf is the home directory that contains our configuration directory, if that is
// in its usual place.
func homeOf(config string) string {
	home, ok := strings.CutSuffix(config, filepath.FromSlash("/.config/agents"))
	if !ok {
		return ""
	}
	return home
}

// Unread are the variables that were set for this program and do not count in agent
// form, sorted: its switches, those that stand for a setting or switch a behaviour,
// and those that name a directory other than the one in use. inUse is a behaviour's
// setting according to the files: a variable with the same value is not missed.
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
	// Desktops set this one; it is missed only if the entry does not say it.
	if filepath.IsAbs(open.Getenv("XDG_CONFIG_DIRS")) && h.systemUnsaid && !slices.Equal(open.System, h.System) {
		said["XDG_CONFIG_DIRS"] = true
	}
	for _, b := range h.Behaviours() {
		for name := range open.vars {
			// Only missed by what uses the network, which has a key or an address.
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
		if name := b.Variable(); open.Getenv(name) != "" {
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
