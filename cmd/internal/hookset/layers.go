// Package hookset is how commands look at hooks: the set that an event in a folder
// would find, hooks and agents as words of a command line, events read from stdin
// or made up as samples, an event in the words of another agent, and the rows that
// list and explain print. It runs no hook.
package hookset

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func PortableTools() []string {
	return []string{
		protocol.Shell, protocol.ReadFile, protocol.WriteFile, protocol.EditFile,
		protocol.Search, protocol.Fetch, protocol.WebSearch, protocol.Task,
	}
}

func BehaviourHooks(set *discovery.Set, name string) []*discovery.Hook {
	var list []*discovery.Hook
	for _, h := range set.Hooks {
		if h.Layer == discovery.BuiltinLayer && strings.HasPrefix(h.Name, name+"-") {
			list = append(list, h)
		}
	}
	return list
}

// DirFlag is the --dir of commands that look at hooks as an event in another
// folder would.
func DirFlag() cli.Flag {
	return shell.Offer(&cli.StringFlag{Name: "dir", Aliases: []string{"C"}, Usage: "look from `DIR`, not from here"}, shell.Folders)
}

// LookFrom is the folder that a command looks at hooks from.
func LookFrom(sh *shell.Shell, c *cli.Context) (string, error) {
	if !c.IsSet("dir") {
		return sh.Host.WorkDir, nil
	}
	dir, err := sh.Abs(c.String("dir"))
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", shell.Usagef("%s: --dir: %v", c.Command.Name, err)
	}
	if !info.IsDir() {
		return "", shell.Usagef("%s: --dir: %s is no folder", c.Command.Name, dir)
	}
	return dir, nil
}

// Set is every hook that counts in a folder, without the built-in ones that
// nobody has asked for.
func Set(sh *shell.Shell, workDir string) *discovery.Set {
	return WithoutIdle(All(sh, workDir))
}

// WithoutIdle leaves out the built-in hooks that nobody has enabled, and their
// layer if none is left.
func WithoutIdle(set *discovery.Set) *discovery.Set {
	set.Hooks = slices.DeleteFunc(set.Hooks, idleBuiltin)
	if !slices.ContainsFunc(set.Hooks, func(h *discovery.Hook) bool { return h.Layer == discovery.BuiltinLayer }) {
		set.Layers = slices.DeleteFunc(set.Layers, func(l discovery.Layer) bool { return l.Name == discovery.BuiltinLayer })
	}
	return set
}

// All is every hook, those included.
func All(sh *shell.Shell, workDir string) *discovery.Set {
	return Load(sh, sh.Host.Sources(), workDir, true)
}

// Load is every hook that counts in a folder by some sources, the built-in ones
// among them; mayEnable says that the environment may switch those on.
func Load(sh *shell.Shell, src discovery.Sources, workDir string, mayEnable bool) *discovery.Set {
	return discovery.Load(builtin.Sources(src, sh.Host, mayEnable), workDir)
}

// HookAt reads the hook in a folder, whatever layer it may be of.
func HookAt(sh *shell.Shell, dir string) *discovery.Hook {
	return discovery.ReadFolder(sh.Host.Sources(), dir, layerOf(sh, dir))
}

// layerOf is the layer that a hook's folder counts in by its place.
func layerOf(sh *shell.Shell, dir string) discovery.LayerName {
	hooks := filepath.Dir(dir)
	for _, system := range sh.Host.System {
		if hooks == filepath.Join(system, "hooks") {
			return discovery.SystemLayer
		}
	}
	if filepath.Base(hooks) == "hooks" && filepath.Base(filepath.Dir(hooks)) == ".agents" {
		return discovery.ProjectLayer
	}
	return discovery.UserLayer
}

// HookFile is the HOOK.md of a folder, "" if it has none.
func HookFile(dir string) string {
	for _, name := range []string{"HOOK.md", "hook.md"} {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	return ""
}

// HooksIn reads the hooks that a path of the command line stands for.
func HooksIn(sh *shell.Shell, word string) ([]*discovery.Hook, error) {
	path, err := sh.Abs(word)
	if err != nil {
		return nil, err
	}
	folders, err := HookFolders(path)
	if err != nil {
		return nil, err
	}
	var hooks []*discovery.Hook
	for _, dir := range folders {
		hooks = append(hooks, HookAt(sh, dir))
	}
	return hooks, nil
}

// HookFolders are the folders of hooks that a path stands for: a hook, or its
// HOOK.md; a folder of hooks; a project.
func HookFolders(path string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir() && strings.EqualFold(filepath.Base(path), "HOOK.md"):
		return []string{filepath.Dir(path)}, nil
	case !info.IsDir():
		return nil, fmt.Errorf("%s is no folder and no HOOK.md", path)
	case HookFile(path) != "":
		return []string{path}, nil
	}
	if below := filepath.Join(path, ".agents", "hooks"); shell.IsFolder(below) {
		path = below
	}
	list, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, e := range list {
		sub := filepath.Join(path, e.Name())
		if !strings.HasPrefix(e.Name(), ".") && shell.IsFolder(sub) && HookFile(sub) != "" {
			folders = append(folders, sub)
		}
	}
	return folders, nil
}

// NoSuchEvent is the answer to a word that is no event, with the nearest one.
func NoSuchEvent(command, word string) error {
	var names []string
	for _, e := range protocol.EventTypes() {
		names = append(names, string(e))
	}
	err := shell.Usagef("%s: no such event: %q", command, word)
	if near := shell.Nearest(word, names); near != "" {
		return shell.WithHint(err, "did you mean "+near+"?", "agents-hooks spec lists the 13 events")
	}
	return shell.WithHint(err, "the events are "+strings.Join(names, ", "))
}

// HookNamed is the hook of a name that would run, else any of that name.
func HookNamed(set *discovery.Set, name string) *discovery.Hook {
	var found *discovery.Hook
	for _, h := range set.Hooks {
		if h.Name == name && (found == nil || h.Status == discovery.Ready) {
			found = h
		}
	}
	return found
}
