package host

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/dirs"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A Host is what the process was given.
type Host struct {
	Env     []string // of our own code and the commands that it starts
	Given   []string // as the process got it; see [Host.HookEnv]
	Home    string
	WorkDir string   // working directory, "" if it is gone
	Config  string   // …/agents of the user, with hooks/ and hooks.toml
	State   string   // …/agents-hooks
	Cache   string   // …/agents-hooks
	Data    string   // …/agents-hooks
	System  []string // …/agents of each system directory, the first one wins
	Self    string   // absolute path of this executable
	GOOS    string
	// AgentForm says that it is closed, see [Host.Closed].
	AgentForm bool
	Now       func() time.Time
	// Behaviours lists the hooks that are built in.
	Behaviours func() builtinhooks.List

	vars         map[string]string
	systemUnsaid bool // according to the entry
	dropped      bool // a variable that was probably meant for us
	otherHome    string
}

// A Base is the XDG base directories, for all programs.
type Base = dirs.Base

// FromProcess reads the process. It is called once, by main.
func FromProcess() Host {
	wd, err := os.Getwd()
	if err != nil {
		wd = ""
	}
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return New(os.Environ(), runtime.GOOS, wd, self, time.Now)
}

// New makes a Host from an environment. On Windows the case of variable names does
// not matter.
func New(env []string, goos, workDir, self string, now func() time.Time) Host {
	h := Host{Env: env, Given: env, GOOS: goos, WorkDir: workDir, Self: self, Now: now, Behaviours: builtinhooks.Behaviours, vars: make(map[string]string, len(env))}
	for _, kv := range env {
		if name, value, ok := strings.Cut(kv, "="); ok && name != "" {
			h.vars[h.fold(name)] = value
		}
	}
	h.Home = h.environs().FindHome()
	return h.Below(h.Base())
}

// Base are the base directories according to the environment.
func (h Host) Base() Base { return h.environs().Base() }

// Below is the Host with its own directories below given base directories.
func (h Host) Below(b Base) Host {
	own := h.environs().Below(b)
	h.Config, h.State, h.Cache, h.Data, h.System = own.Config, own.State, own.Cache, own.Data, own.System
	return h
}

// AccountHome is the account's home directory according to the system.
func (Host) AccountHome() string { return dirs.Account() }

func (h Host) environs() dirs.Environment {
	return dirs.Environment{Getenv: h.Getenv, GOOS: h.GOOS, Home: h.Home}
}

func (h *Host) fold(name string) string {
	if h.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// Getenv is a variable of the environment, "" if it is not set.
func (h Host) Getenv(name string) string { return h.vars[h.fold(name)] }

// GivenEnv is a variable as the process got it, whether or not it counts.
func (h Host) GivenEnv(name string) string {
	for _, kv := range slices.Backward(h.Given) {
		if n, value, ok := strings.Cut(kv, "="); ok && h.fold(n) == h.fold(name) {
			return value
		}
	}
	return ""
}

// True reports whether a switch in the environment is on: anything but "", 0,
// false, no and off.
func (h Host) True(name string) bool {
	switch strings.ToLower(h.Getenv(name)) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

// Sources is where hooks are searched for, without the built-in ones.
func (h Host) Sources() discovery.Sources {
	var index *discovery.Index
	if h.Cache != "" && h.Self != "" {
		index = &discovery.Index{Dir: filepath.Join(h.Cache, "hooks"), Program: h.Self}
	}
	return discovery.Sources{
		Index:       index,
		System:      h.System,
		User:        h.Config,
		Home:        h.Home,
		State:       h.State,
		TrustAlways: h.Getenv("AGENTS_HOOKS_TRUST") == "always",
		AnyOwner:    h.GivenEnv("AGENTS_HOOKS_TRUST") == "always" && !h.AgentForm,
		Off:         h.True("AGENTS_HOOKS_DISABLE"),
		OffNames:    splitNames(h.Getenv("AGENTS_HOOKS_DISABLED_HOOKS")),
		Debug:       h.True("AGENTS_HOOKS_DEBUG"),
		GOOS:        h.GOOS,
		Tongues:     agents.Tongues,
	}
}

func splitNames(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// An Entry is what the entry in an agent's configuration says about directories and
// trust: "" and nil if it does not. A new entry says all of it; one from an older
// install may lack some.
type Entry struct {
	Home, Config, State, Cache, Data string
	System                           []string // nil: not said; empty: none
	TrustAlways                      bool
}

// Entry is this host as an entry describes it.
func (h Host) Entry() Entry {
	system := h.System
	if system == nil {
		system = []string{}
	}
	return Entry{h.Home, h.Config, h.State, h.Cache, h.Data, system, h.Getenv("AGENTS_HOOKS_TRUST") == "always"}
}

// Args are the flags of an entry. A missing value has none.
func (e Entry) Args() []string {
	var args []string
	for _, f := range e.dirs() {
		if *f.dir != "" {
			args = append(args, "--"+f.name+"="+*f.dir)
		}
	}
	if e.System != nil {
		args = append(args, "--system="+strings.Join(e.System, string(filepath.ListSeparator)))
	}
	if e.TrustAlways {
		args = append(args, "--trust=always")
	}
	return args
}

// Set takes the value of a flag of [Entry.Args]. known is false for any other name;
// ok is false for an invalid value.
func (e *Entry) Set(name, value string) (known, ok bool) {
	switch name {
	case "trust":
		e.TrustAlways = e.TrustAlways || value == "always"
		return true, value == "always"
	case "system":
		return true, e.addSystem(value)
	}
	for _, f := range e.dirs() {
		if f.name == name {
			if !filepath.IsAbs(value) {
				return true, false
			}
			*f.dir = filepath.Clean(value)
			return true, true
		}
	}
	return false, false
}

func (e *Entry) addSystem(list string) bool {
	dirs := filepath.SplitList(list)
	if slices.ContainsFunc(dirs, func(d string) bool { return !filepath.IsAbs(d) }) {
		return false
	}
	if e.System == nil {
		e.System = []string{}
	}
	for _, d := range dirs {
		e.System = append(e.System, filepath.Clean(d))
	}
	return true
}

type dirFlag struct {
	name string
	dir  *string
}

func (e *Entry) dirs() []dirFlag {
	return []dirFlag{{"home", &e.Home}, {"config", &e.Config}, {"state", &e.State}, {"cache", &e.Cache}, {"data", &e.Data}}
}

// At is the host with the directories in an entry; others stay.
func (h Host) At(e Entry) Host {
	h.Home, h.Config, h.State = cmp.Or(e.Home, h.Home), cmp.Or(e.Config, h.Config), cmp.Or(e.State, h.State)
	h.Cache, h.Data = cmp.Or(e.Cache, h.Cache), cmp.Or(e.Data, h.Data)
	if e.System != nil {
		h.System = e.System
	}
	if e.TrustAlways {
		vars := map[string]string{}
		maps.Copy(vars, h.vars)
		vars["AGENTS_HOOKS_TRUST"] = "always"
		h.vars = vars
	}
	return h
}

// Closed is the host in agent form: a repository can set the environment of an agent,
// so directories come from the entry, and only variables that [CountsForAgent] allows
// are kept. If an entry of an older form says no home, it is the one that contains
// --config, else the account's.
//
// Env is then what our own code and the commands that it starts see; [Host.HookEnv]
// is what hooks get.
func (h Host) Closed(e Entry) Host {
	given := h.vars
	c := Host{Given: h.Given, WorkDir: h.WorkDir, Self: h.Self, GOOS: h.GOOS, Now: h.Now, Behaviours: h.Behaviours, vars: map[string]string{}, AgentForm: true, systemUnsaid: e.System == nil}
	machine := c.machine()
	for name, value := range given {
		if CountsForAgent(name) {
			if own, is := machine[name]; is {
				value = own
			}
			c.vars[name] = value
		} else if value != "" && meantForUs(name) {
			c.dropped = true
		}
	}
	if tz := c.vars["TZ"]; strings.HasPrefix(strings.TrimPrefix(tz, ":"), "/") {
		// It names a file that Go's clock would open; Go reads it from the process.
		delete(c.vars, "TZ")
		_ = os.Unsetenv("TZ")
	}
	if _, ok := given["GODEBUG"]; ok {
		_ = os.Unsetenv("GODEBUG") // tells the runtime
	}
	c.Home = e.Home
	if c.Home == "" {
		c.Home = homeOf(e.Config)
	}
	if c.Home == "" {
		c.Home = c.AccountHome()
		if said := h.environs().FindHome(); said != c.Home {
			c.otherHome = said
		}
	}
	c = c.Below(c.Base())
	if e.System == nil && c.GOOS == "windows" {
		c.System = nil
		if dir := systemDir(); dir != "" {
			c.System = []string{filepath.Join(dir, "agents")}
		}
	}
	c = c.At(e)
	c.Env = c.environment()
	return c
}

// environment is that of our own code in agent form: the variables that count, and
// the directories in the form in which our commands find them.
func (h Host) environment() []string {
	vars := map[string]string{}
	maps.Copy(vars, h.vars)
	home := "HOME"
	if h.GOOS == "windows" {
		home = "USERPROFILE"
		above(vars, "LocalAppData", h.Cache, "agents-hooks", "cache")
	}
	vars[home] = h.Home
	above(vars, "XDG_CONFIG_HOME", h.Config, "agents")
	above(vars, "XDG_STATE_HOME", h.State, "agents-hooks")
	above(vars, "XDG_CACHE_HOME", h.Cache, "agents-hooks")
	above(vars, "XDG_DATA_HOME", h.Data, "agents-hooks")
	var system []string
	for _, dir := range h.System {
		if base, ok := strings.CutSuffix(dir, string(filepath.Separator)+"agents"); ok {
			system = append(system, base)
		}
	}
	if system != nil {
		vars["XDG_CONFIG_DIRS"] = strings.Join(system, string(filepath.ListSeparator))
	}
	if path, ok := vars["PATH"]; ok {
		vars["PATH"] = AbsolutePath(path)
	}
	var env []string
	for name, value := range vars {
		if value != "" {
			env = append(env, name+"="+value)
		}
	}
	slices.Sort(env)
	return env
}

// HookEnv is the environment of hooks: in spec form it is unchanged. In agent form a
// repository may have set it, and a guard judges nothing if BASH_ENV names a script
// of the clone. So variables that steer a program ([steers]) are removed, home and
// base directories are the entry's, and the location of Windows is the system's.
// Variables that list folders are left to the runner, which knows the repository.
func (h Host) HookEnv() []string {
	if !h.AgentForm {
		return h.Given
	}
	env := make([]string, 0, len(h.Given)+1)
	given, machine := map[string]bool{"HOME": true, "USERPROFILE": true}, h.machine()
	for _, kv := range h.Given {
		name, _, _ := strings.Cut(kv, "=")
		if own, is := machine[h.fold(name)]; is {
			env = append(env, name+"="+own)
		} else if name = h.fold(name); isPlace(name) {
			given[name] = true
		} else if !steers(name) {
			env = append(env, kv)
		}
	}
	for _, kv := range h.Env {
		if name, _, _ := strings.Cut(kv, "="); isPlace(name) && given[name] {
			env = append(env, kv)
		}
	}
	return env
}

// machine are the variables whose values come from the system itself.
func (h Host) machine() map[string]string {
	if h.GOOS != "windows" {
		return nil
	}
	return machineEnv()
}

func isPlace(name string) bool {
	switch name {
	case "HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS":
		return true
	}
	return false
}

// steers reports whether a variable makes a shell, an interpreter, the loader, git or
// another program that guards consist of run code, or accept options, of somebody
// else's choice.
func steers(name string) bool {
	switch {
	case slices.Contains(steering[:], name):
		return true
	case slices.Contains(harmless[:], name):
		return false
	}
	return slices.ContainsFunc(steeringFamilies[:], func(prefix string) bool {
		return len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix)
	}) || strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "GIT_AUTHOR_") && !strings.HasPrefix(name, "GIT_COMMITTER_")
}

// above sets a variable to the base directory that contains one of ours.
func above(vars map[string]string, name, dir string, below ...string) {
	if base, ok := strings.CutSuffix(dir, string(filepath.Separator)+filepath.Join(below...)); ok {
		vars[name] = base
	}
}

// AbsolutePath is a PATH without relative and empty elements: which programs those
// mean depends on the repository in which the agent works.
func AbsolutePath(path string) string {
	dirs := slices.DeleteFunc(filepath.SplitList(path), func(d string) bool { return !filepath.IsAbs(d) })
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// CountsForAgent reports whether a variable is read in agent form.
func CountsForAgent(name string) bool {
	return slices.ContainsFunc(agentForm[:], func(n string) bool {
		return len(n) == len(name) && (n == name || strings.ToUpper(n) == name) // as Windows folds them
	})
}

// Dropped reports whether a variable does not count although it may have been meant
// for this program; [Host.Unread] says which ones were.
func (h Host) Dropped() bool { return h.dropped }

// OtherHome is the home of the environment, if nothing in the entry says one and the
// account has another: then its hooks are not looked for.
func (h Host) OtherHome() string { return h.otherHome }

// meantForUs reports whether a variable may be meant for this program, by its name.
func meantForUs(name string) bool {
	return strings.HasPrefix(name, "AGENTS_HOOKS_") || strings.HasPrefix(name, "MEMORY_") || strings.HasPrefix(name, "PRISMER_") ||
		outward(name) != "" || strings.HasPrefix(name, "XDG_") && strings.HasSuffix(name, "_HOME") || name == "XDG_CONFIG_DIRS" || strings.Contains(name, "_DISABLE_")
}

// outward is the setting of a behaviour that replaces a variable about network access
// for all programs, "" for other variables.
func outward(variable string) (key string) {
	switch variable {
	case "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy":
		return "proxy"
	case "SSL_CERT_FILE":
		return "ca_file"
	}
	return ""
}
