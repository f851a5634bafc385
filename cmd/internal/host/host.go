// Package host is the edge between the process and everything else: the only
// reader of the environment, of the XDG directories and of the executable's own
// path. What it finds is a value, [Host], that is passed down; below cmd nothing
// asks the process again. The command line has its base directories from a
// library, by package libhost, which is held equal to what stands here.
//
// Directories. Relative values of XDG variables are ignored, as the XDG
// specification asks.
//
//	          Unix, macOS too                       Windows
//	config    $XDG_CONFIG_HOME, ~/.config           $XDG_CONFIG_HOME, %AppData%
//	state     $XDG_STATE_HOME,  ~/.local/state      $XDG_STATE_HOME,  %LocalAppData%
//	cache     $XDG_CACHE_HOME,  ~/.cache            $XDG_CACHE_HOME,  %LocalAppData%\cache
//	data      $XDG_DATA_HOME,   ~/.local/share      $XDG_DATA_HOME,   %LocalAppData%\data
//	system    $XDG_CONFIG_DIRS, /etc/xdg            $XDG_CONFIG_DIRS, %ProgramData%
//
// macOS follows the Unix column on purpose: HOOK.md folders live in
// ~/.config/agents/hooks there too.
package host

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// A Host is what the process was given.
type Host struct {
	Env     []string
	Home    string
	WorkDir string   // working directory, "" if it is gone
	Config  string   // …/agents of the user: hooks/ and hooks.toml lie in it
	State   string   // …/agents-hooks
	Cache   string   // …/agents-hooks
	Data    string   // …/agents-hooks
	System  []string // …/agents of each system directory, the first one wins
	Self    string   // absolute path of this executable
	GOOS    string
	Now     func() time.Time
	Cut     discovery.Cut // finds the front matter of a HOOK.md; nil: discovery's own
	// Behaviours lists the hooks that are built in.
	Behaviours func() builtinhooks.List

	vars map[string]string
}

// A Base is where the XDG base directories are, for all programs.
type Base struct {
	Config, State, Cache, Data string
	System                     []string // of configuration, the first one wins
}

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

// New makes a Host of an environment. On Windows names of variables do not
// depend on case.
func New(env []string, goos, workDir, self string, now func() time.Time) Host {
	h := Host{Env: env, GOOS: goos, WorkDir: workDir, Self: self, Now: now, Behaviours: builtinhooks.Behaviours, vars: make(map[string]string, len(env))}
	for _, kv := range env {
		if name, value, ok := strings.Cut(kv, "="); ok && name != "" {
			h.vars[h.fold(name)] = value
		}
	}
	h.Home = h.home()
	return h.Below(h.Base())
}

// Base are the base directories as the environment says.
func (h Host) Base() Base {
	return Base{
		Config: h.base("XDG_CONFIG_HOME", "AppData", ".config", "AppData/Roaming"),
		State:  h.base("XDG_STATE_HOME", "LocalAppData", ".local/state", "AppData/Local"),
		Cache:  h.base("XDG_CACHE_HOME", "LocalAppData", ".cache", "AppData/Local"),
		Data:   h.base("XDG_DATA_HOME", "LocalAppData", ".local/share", "AppData/Local"),
		System: h.system(),
	}
}

// Below is the Host with its own directories below some base directories.
func (h Host) Below(b Base) Host {
	h.Config = filepath.Join(b.Config, "agents")
	h.State = filepath.Join(b.State, "agents-hooks")
	h.Cache = filepath.Join(b.Cache, "agents-hooks", h.apart("XDG_CACHE_HOME", "cache"))
	h.Data = filepath.Join(b.Data, "agents-hooks", h.apart("XDG_DATA_HOME", "data"))
	h.System = nil
	for _, dir := range b.System {
		h.System = append(h.System, filepath.Join(dir, "agents"))
	}
	return h
}

// apart is the folder that keeps the cache and the data apart from the state:
// on Windows all three have one base directory, unless a variable says otherwise.
func (h Host) apart(xdg, folder string) string {
	if h.GOOS != "windows" || filepath.IsAbs(h.Getenv(xdg)) {
		return ""
	}
	return folder
}

func (h *Host) fold(name string) string {
	if h.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// Getenv is a variable of the environment, "" if it is not set.
func (h Host) Getenv(name string) string { return h.vars[h.fold(name)] }

func (h *Host) home() string {
	name := "HOME"
	if h.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if v := h.Getenv(name); filepath.IsAbs(v) {
		return filepath.Clean(v)
	}
	return accountHome()
}

// base is one base directory: the XDG variable if it is absolute, else on Windows
// the system's own variable, else a place below the home directory.
func (h Host) base(xdg, windows, unixDefault, windowsDefault string) string {
	if v := h.Getenv(xdg); filepath.IsAbs(v) {
		return v
	}
	if h.GOOS != "windows" {
		return filepath.Join(h.Home, filepath.FromSlash(unixDefault))
	}
	if v := h.Getenv(windows); filepath.IsAbs(v) {
		return v
	}
	return filepath.Join(h.Home, filepath.FromSlash(windowsDefault))
}

func (h Host) system() []string {
	var dirs []string
	for _, d := range filepath.SplitList(h.Getenv("XDG_CONFIG_DIRS")) {
		if filepath.IsAbs(d) && !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	if dirs != nil {
		return dirs
	}
	if h.GOOS == "windows" {
		if d := h.Getenv("ProgramData"); filepath.IsAbs(d) {
			return []string{d}
		}
		return nil
	}
	return []string{"/etc/xdg"}
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

// Sources is where hooks are looked for, without the built-in ones.
func (h Host) Sources() discovery.Sources {
	return discovery.Sources{
		System:      h.System,
		User:        h.Config,
		Home:        h.Home,
		State:       h.State,
		TrustAlways: h.Getenv("AGENTS_HOOKS_TRUST") == "always",
		Off:         h.True("AGENTS_HOOKS_DISABLE"),
		OffNames:    splitNames(h.Getenv("AGENTS_HOOKS_DISABLED_HOOKS")),
		Debug:       h.True("AGENTS_HOOKS_DEBUG"),
		GOOS:        h.GOOS,
		Cut:         h.Cut,
	}
}

func splitNames(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
