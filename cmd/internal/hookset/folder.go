package hookset

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// HookAt reads the hook in a folder, whatever its layer.
func HookAt(h host.Host, dir string) *discovery.Hook {
	return discovery.ReadFolder(h.Sources(), dir, layerOf(h, dir))
}

// Named is the hook that a word of the command line names, nil for a path. A word that is the name
// of no hook here, and no path that is there, is an error.
func Named(sh *shell.Shell, command, word string) (*discovery.Hook, error) {
	path, err := sh.Abs(word)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); err == nil || !discovery.ValidName(word) {
		return nil, nil
	}
	set := All(sh.Host, sh.Host.WorkDir)
	if h := HookNamed(set, word); h != nil {
		return h, nil
	}
	return nil, shell.NotHere(command, "hook, file or folder", word, Names(set), "agents-hooks list --all")
}

// layerOf is the layer of a hook's folder, by its path.
func layerOf(h host.Host, dir string) discovery.LayerName {
	hooks := filepath.Dir(dir)
	for _, system := range h.System {
		if hooks == filepath.Join(system, "hooks") {
			return discovery.SystemLayer
		}
	}
	if ProjectOf(dir) != "" {
		return discovery.ProjectLayer
	}
	return discovery.UserLayer
}

// ProjectOf is the project that a hook's folder belongs to by its path, "" if there
// is none.
func ProjectOf(dir string) string {
	hooks := filepath.Dir(dir)
	agents := filepath.Dir(hooks)
	if filepath.Base(hooks) == "hooks" && filepath.Base(agents) == ".agents" {
		return filepath.Dir(agents)
	}
	return ""
}

// In is the root for opening a hook's folder: its project, nil if it belongs to none.
func In(dir string) *beneath.Root {
	if project := ProjectOf(dir); project != "" {
		return beneath.At(project)
	}
	return nil
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

// HooksIn reads the hooks in a path.
func HooksIn(h host.Host, path string) ([]*discovery.Hook, error) {
	folders, err := HookFolders(path)
	if err != nil {
		return nil, err
	}
	var hooks []*discovery.Hook
	for _, dir := range folders {
		hooks = append(hooks, HookAt(h, dir))
	}
	return hooks, nil
}

// HookFolders are the hook folders that a path means: a hook or its HOOK.md; a folder
// of hooks; a project.
func HookFolders(path string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir() && strings.EqualFold(filepath.Base(path), "HOOK.md"):
		return []string{filepath.Dir(path)}, nil
	case !info.IsDir():
		return nil, fmt.Errorf("%s is neither a folder nor a HOOK.md", path)
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
