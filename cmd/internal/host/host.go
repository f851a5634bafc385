// Package host is the edge between the process and everything else: the only
// reader of the environment, of the XDG directories and of the executable's own
// path. What it finds is a value, [Host], that is passed down; below cmd nothing
// asks the process again.
//
// Directories (DESIGN 9, RULINGS 4). Relative values of XDG variables are
// ignored, as the XDG specification asks.
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
	"strings"
	"time"

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

	vars map[string]string
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
	h := Host{Env: env, GOOS: goos, WorkDir: workDir, Self: self, Now: now, vars: make(map[string]string, len(env))}
	for _, kv := range env {
		if name, value, ok := strings.Cut(kv, "="); ok && name != "" {
			h.vars[h.fold(name)] = value
		}
	}
	h.Home = h.home()
	h.Config = h.join("XDG_CONFIG_HOME", "AppData", ".config", "AppData/Roaming", "", "agents")
	h.State = h.join("XDG_STATE_HOME", "LocalAppData", ".local/state", "AppData/Local", "", "agents-hooks")
	h.Cache = h.join("XDG_CACHE_HOME", "LocalAppData", ".cache", "AppData/Local", "cache", "agents-hooks")
	h.Data = h.join("XDG_DATA_HOME", "LocalAppData", ".local/share", "AppData/Local", "data", "agents-hooks")
	h.System = h.system()
	return h
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

// join is one directory: the XDG variable if it is absolute, else on Windows
// the system's own variable, else a place below the home directory.
func (h *Host) join(xdg, windows, unixDefault, windowsDefault, windowsSub, app string) string {
	if v := h.Getenv(xdg); filepath.IsAbs(v) {
		return filepath.Join(v, app)
	}
	if h.GOOS != "windows" {
		return filepath.Join(h.Home, filepath.FromSlash(unixDefault), app)
	}
	base := h.Getenv(windows)
	if !filepath.IsAbs(base) {
		base = filepath.Join(h.Home, filepath.FromSlash(windowsDefault))
	}
	if windowsSub == "" {
		return filepath.Join(base, app)
	}
	return filepath.Join(base, app, windowsSub)
}

func (h *Host) system() []string {
	var dirs []string
	for _, d := range filepath.SplitList(h.Getenv("XDG_CONFIG_DIRS")) {
		if filepath.IsAbs(d) {
			dirs = append(dirs, filepath.Join(d, "agents"))
		}
	}
	if dirs != nil {
		return dirs
	}
	if h.GOOS == "windows" {
		if d := h.Getenv("ProgramData"); filepath.IsAbs(d) {
			return []string{filepath.Join(d, "agents")}
		}
		return nil
	}
	return []string{"/etc/xdg/agents"}
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
	}
}

func splitNames(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
