// Package dirs derives the user's directories of this program from an environment:
// package host uses it for a process, package hooks for the program that imports it.
// The documentation is in package host.
package dirs

import (
	"path/filepath"
	"slices"
)

// An Environment is what tells where they are.
type Environment struct {
	Getenv func(name string) string
	GOOS   string
	Home   string // of the person, see [Environment.FindHome]
}

// A Base is where the XDG base directories are, for all programs.
type Base struct {
	Config, State, Cache, Data string
	System                     []string // of configuration, the first one wins
}

// Own are this program's directories below some base directories: hooks and settings
// of the person and of the system are in folders that it shares with others.
type Own struct {
	Config, State, Cache, Data string
	System                     []string
}

// FindHome is the home directory: what the environment says, else the account's.
func (e Environment) FindHome() string {
	name := "HOME"
	if e.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if v := e.Getenv(name); filepath.IsAbs(v) {
		return filepath.Clean(v)
	}
	return Account()
}

// Base are the base directories.
func (e Environment) Base() Base {
	return Base{
		Config: e.base("XDG_CONFIG_HOME", "AppData", ".config", "AppData/Roaming"),
		State:  e.base("XDG_STATE_HOME", "LocalAppData", ".local/state", "AppData/Local"),
		Cache:  e.base("XDG_CACHE_HOME", "LocalAppData", ".cache", "AppData/Local"),
		Data:   e.base("XDG_DATA_HOME", "LocalAppData", ".local/share", "AppData/Local"),
		System: e.system(),
	}
}

// Below are the own directories below those.
func (e Environment) Below(b Base) Own {
	own := Own{
		Config: under(b.Config, "agents"),
		State:  under(b.State, "agents-hooks"),
		Cache:  under(b.Cache, "agents-hooks", e.apart("XDG_CACHE_HOME", "cache")),
		Data:   under(b.Data, "agents-hooks", e.apart("XDG_DATA_HOME", "data")),
	}
	for _, dir := range b.System {
		own.System = append(own.System, filepath.Join(dir, "agents"))
	}
	return own
}

// under is a folder below a base directory, "" where there is none: a relative
// path would lead into the repository that the agent works in.
func under(base string, names ...string) string {
	if base == "" {
		return ""
	}
	return filepath.Join(append([]string{base}, names...)...)
}

// apart is the folder that keeps the cache and the data apart from the state:
// on Windows all three have one base directory, unless a variable says otherwise.
func (e Environment) apart(xdg, folder string) string {
	if e.GOOS != "windows" || filepath.IsAbs(e.Getenv(xdg)) {
		return ""
	}
	return folder
}

// base is one base directory: the XDG variable if it is absolute, else on Windows
// the system's own variable, else a place below the home directory.
func (e Environment) base(xdg, windows, unixDefault, windowsDefault string) string {
	if v := e.Getenv(xdg); filepath.IsAbs(v) {
		return v
	}
	if e.GOOS != "windows" {
		return under(e.Home, filepath.FromSlash(unixDefault))
	}
	if v := e.Getenv(windows); filepath.IsAbs(v) {
		return v
	}
	return under(e.Home, filepath.FromSlash(windowsDefault))
}

func (e Environment) system() []string {
	var list []string
	for _, d := range filepath.SplitList(e.Getenv("XDG_CONFIG_DIRS")) {
		if filepath.IsAbs(d) && !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	if list != nil {
		return list
	}
	if e.GOOS == "windows" {
		if d := e.Getenv("ProgramData"); filepath.IsAbs(d) {
			return []string{d}
		}
		return nil
	}
	return []string{"/etc/xdg"}
}
