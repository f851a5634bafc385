package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// dirFlag is the --dir of commands that look at hooks as an event in another
// folder would.
func dirFlag() cli.Flag {
	return &cli.StringFlag{Name: "dir", Aliases: []string{"C"}, Usage: "look from `DIR`, not from here"}
}

// lookFrom is the folder that a command looks at hooks from.
func (t *tool) lookFrom(c *cli.Context) (string, error) {
	if !c.IsSet("dir") {
		return t.host.WorkDir, nil
	}
	dir, err := t.abs(c.String("dir"))
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", usagef("%s: --dir: %v", c.Command.Name, err)
	}
	if !info.IsDir() {
		return "", usagef("%s: --dir: %s is no folder", c.Command.Name, dir)
	}
	return dir, nil
}

// set is every hook that counts in a folder, without the built-in ones that
// nobody has asked for.
func (t *tool) set(workDir string) *discovery.Set {
	return withoutIdle(t.all(workDir))
}

// withoutIdle leaves out the built-in hooks that nobody has enabled, and their
// layer if none is left.
func withoutIdle(set *discovery.Set) *discovery.Set {
	set.Hooks = slices.DeleteFunc(set.Hooks, idleBuiltin)
	if !slices.ContainsFunc(set.Hooks, func(h *discovery.Hook) bool { return h.Layer == discovery.BuiltinLayer }) {
		set.Layers = slices.DeleteFunc(set.Layers, func(l discovery.Layer) bool { return l.Name == discovery.BuiltinLayer })
	}
	return set
}

// all is every hook, those included.
func (t *tool) all(workDir string) *discovery.Set {
	return t.load(t.host.Sources(), workDir, true)
}

// load is every hook that counts in a folder by some sources, the built-in ones
// among them; mayEnable says that the environment may switch those on.
func (t *tool) load(src discovery.Sources, workDir string, mayEnable bool) *discovery.Set {
	var set *discovery.Set
	world := builtin.World(t.host, t.host.State, func(behaviour, _ string) map[string]any { return set.Settings.Builtin[behaviour] })
	set = discovery.Load(builtin.Sources(src, t.host, world, mayEnable), workDir)
	return set
}

// abs is a path from the command line as an absolute one. The shell has not
// replaced a ~ inside of --dir=~/x, and Windows' never does.
func (t *tool) abs(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~"); ok && t.host.Home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(t.host.Home, rest), nil
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	if t.host.WorkDir == "" {
		return "", fmt.Errorf("%q is relative, and the working directory is gone", path)
	}
	return filepath.Join(t.host.WorkDir, path), nil
}

// shown is a path as a person can type it after a command here: short, and
// quoted if it has to be.
func (t *tool) shown(path string) string {
	if rel, err := filepath.Rel(t.host.WorkDir, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	} else if s := t.short(path); s != path {
		// A ~ in quotes is no home directory.
		if !strings.ContainsAny(s[1:], " \t'\"\\$&;|<>()*?[]#`!") {
			return s
		}
	}
	if strings.ContainsAny(path, " \t'\"\\$&;|<>()*?[]#~`!") && t.host.GOOS != "windows" {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// hookAt reads the hook in a folder, whatever layer it may be of.
func (t *tool) hookAt(dir string) *discovery.Hook {
	return discovery.ReadFolder(dir, t.layerOf(dir), t.host.GOOS)
}

// layerOf is the layer that a hook's folder counts in by its place.
func (t *tool) layerOf(dir string) discovery.LayerName {
	hooks := filepath.Dir(dir)
	for _, system := range t.host.System {
		if hooks == filepath.Join(system, "hooks") {
			return discovery.SystemLayer
		}
	}
	if filepath.Base(hooks) == "hooks" && filepath.Base(filepath.Dir(hooks)) == ".agents" {
		return discovery.ProjectLayer
	}
	return discovery.UserLayer
}

// hookFile is the HOOK.md of a folder, "" if it has none.
func hookFile(dir string) string {
	for _, name := range []string{"HOOK.md", "hook.md"} {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	return ""
}

// hooksIn reads the hooks that a path of the command line stands for.
func (t *tool) hooksIn(word string) ([]*discovery.Hook, error) {
	path, err := t.abs(word)
	if err != nil {
		return nil, err
	}
	folders, err := hookFolders(path)
	if err != nil {
		return nil, err
	}
	var hooks []*discovery.Hook
	for _, dir := range folders {
		hooks = append(hooks, t.hookAt(dir))
	}
	return hooks, nil
}

// hookFolders are the folders of hooks that a path stands for: a hook, or its
// HOOK.md; a folder of hooks; a project.
func hookFolders(path string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir() && strings.EqualFold(filepath.Base(path), "HOOK.md"):
		return []string{filepath.Dir(path)}, nil
	case !info.IsDir():
		return nil, fmt.Errorf("%s is no folder and no HOOK.md", path)
	case hookFile(path) != "":
		return []string{path}, nil
	}
	if below := filepath.Join(path, ".agents", "hooks"); isFolder(below) {
		path = below
	}
	list, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, e := range list {
		sub := filepath.Join(path, e.Name())
		if !strings.HasPrefix(e.Name(), ".") && isFolder(sub) && hookFile(sub) != "" {
			folders = append(folders, sub)
		}
	}
	return folders, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
