// Package libhost is the host of the command line: it takes the base directories from
// adrg/xdg. Its tests check that the result equals what package host computes, which is
// what an event uses, since the library would cost it time (docs/performance.md).
//
// Where this program promises something else than the library, its own rule applies:
//
//   - macOS has the directories of every Unix, and Windows its own, unless an XDG variable
//     says otherwise.
//   - A variable without an absolute path counts as not set, as XDG requires; the library
//     expands ~ and $HOME in it.
//   - Without HOME, or with one that is not absolute, the account's home is used; the library
//     uses the root directory.
package libhost

import (
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

// FromProcess reads the process. It is called once, by main.
func FromProcess() host.Host {
	h := host.FromProcess()
	return h.Below(base(h))
}

// base are the base directories of this process, as the library read them when it
// was initialised or reloaded.
func base(h host.Host) host.Base {
	b := h.Base()
	unix := h.GOOS != "darwin" && h.GOOS != "ios" && h.GOOS != "windows" && filepath.Clean(xdg.Home) == h.Home
	for _, dir := range []struct {
		name  string
		to    *string
		found string
	}{
		{"XDG_CONFIG_HOME", &b.Config, xdg.ConfigHome},
		{"XDG_STATE_HOME", &b.State, xdg.StateHome},
		{"XDG_CACHE_HOME", &b.Cache, xdg.CacheHome},
		{"XDG_DATA_HOME", &b.Data, xdg.DataHome},
	} {
		if v := h.Getenv(dir.name); filepath.IsAbs(v) || v == "" && unix {
			*dir.to = dir.found
		}
	}
	list := filepath.SplitList(h.Getenv("XDG_CONFIG_DIRS"))
	relative := slices.ContainsFunc(list, func(d string) bool { return !filepath.IsAbs(d) })
	if !relative && (len(list) > 0 || unix) {
		b.System = xdg.ConfigDirs
	}
	return b
}
