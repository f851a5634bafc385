// Package libhost is the host of the command line: the base directories are those that
// adrg/xdg finds. What it does is what the specification says, by other people's hands;
// the tests hold it equal to what package host computes itself, and that stays what an
// event runs: docs/performance.md has what the library would cost it.
//
// Where this program promises something else than the library, it stands:
//
//   - macOS has the directories of every Unix, and Windows its own, where no XDG
//     variable says otherwise.
//   - A variable that holds no absolute path counts as not set, as XDG asks; the
//     library reads ~ and $HOME in it.
//   - Without HOME, or with one that is not absolute, the account's home counts;
//     the library takes the root directory.
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
