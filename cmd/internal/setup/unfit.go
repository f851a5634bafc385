package setup

import (
	"fmt"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// Unfit says why a path cannot be a place of the user's own: it is in the current
// project, whose authors decide what is there, or it is a different place for each
// process that looks. "" if nothing is wrong with it, and for a path that is not
// absolute. Paths that tools such as direnv set for a repository look like that.
func Unfit(h host.Host, path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	path = filepath.Clean(path)
	for _, odd := range []string{"/proc", "/dev", "/sys"} {
		if h.GOOS != "windows" && Within(path, odd) {
			return "is another place for each program that looks"
		}
	}
	// HOME may be wrong: the account knows better.
	home := h.AccountHome()
	project, root := discovery.FindProject(h.WorkDir, home)
	if project == "" && !isRepository(root) || Within(RealPath(home), root) {
		return ""
	}
	if Within(path, root) || Within(nearest(path), root) {
		return "lies in the project " + h.Short(root)
	}
	return ""
}

func isRepository(dir string) bool {
	_, err := below(filepath.Join(dir, ".git"), dir).Stat(filepath.Join(dir, ".git"))
	return err == nil
}

// nearest is where a path leads, as far as it exists.
func nearest(path string) string {
	for dir, rest := path, ""; ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return path
		}
	}
}

// Steered says which of the directories in an entry somebody else can fill, and why:
// whoever does that decides which hooks run.
func Steered(h host.Host) (list []string) {
	e := h.Entry()
	said := map[string]bool{}
	for _, dir := range append([]string{e.Home, e.Config, filepath.Join(e.Config, "hooks"), e.State, e.Data, e.Cache}, e.System...) {
		if dir == "" {
			continue
		}
		if err := trust.Steered(dir); err != nil && !said[err.Error()] {
			said[err.Error()] = true
			list = append(list, err.Error())
		}
	}
	return list
}

// OwnConfig rejects an environment in which the user's configuration of an agent is
// in the project: variables such as CODEX_HOME can say that, and then install would
// write, and uninstall restore, a file of the repository's.
func OwnConfig(h host.Host, d *protocol.Dialect) error {
	file := d.Config.File(Site(h, protocol.UserScope, ""))
	if file != "" && !filepath.IsAbs(file) {
		file = filepath.Join(h.WorkDir, file) // where an agent that is started here looks
	}
	why := Unfit(h, file)
	if why == "" {
		return nil
	}
	return shell.WithHint(fmt.Errorf("the configuration of %s would be %s, which %s", d.Name, shell.Plain(h.Short(file)), why),
		"unset the variable that says so, or --project for the project's")
}

// OwnPlaces rejects an environment in which one of the directories in an entry is not
// the user's own.
func OwnPlaces(h host.Host) error {
	e := h.Entry()
	places := []struct{ what, variable, dir string }{
		{"home directory", "HOME", e.Home}, {"configuration", "XDG_CONFIG_HOME", e.Config}, {"state", "XDG_STATE_HOME", e.State},
		{"cache", "XDG_CACHE_HOME", e.Cache}, {"data", "XDG_DATA_HOME", e.Data},
	}
	for _, dir := range e.System {
		places = append(places, struct{ what, variable, dir string }{"system configuration", "XDG_CONFIG_DIRS", dir})
	}
	for _, p := range places {
		why := Unfit(h, p.dir)
		if why == "" {
			continue
		}
		if h.Getenv(p.variable) == "" {
			p.variable = "HOME"
		}
		return shell.WithHint(fmt.Errorf("the %s would be %s, which %s: an entry with it would hand your hooks to whoever writes there", p.what, shell.Plain(p.dir), why),
			"unset "+p.variable+", or cd out of the project if that place is yours")
	}
	return nil
}
