package source

import (
	"path"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/pack"
)

// maxNames is how many names of a source are examined in all.
const maxNames = 100_000

// wanted are the entries of a source whose bytes a pack may need: those of its hooks,
// in the places where hooks are expected, and its own files; of a plugin everything.
// Of the rest it keeps only one name of each folder and the names of HOOK.md files
// and of plugins' hooks, so that the user is told what was left out, and which folder
// to ask for instead.
func wanted(all pack.Tree) (want, others pack.Tree) {
	hooks := map[string]bool{}
	for _, e := range all {
		if base := path.Base(e.Path); base == "HOOK.md" || base == "hook.md" {
			hooks[path.Dir(e.Path)] = true
		}
	}
	tops, plugin := map[string]bool{}, isPlugin(all, hooks)
	for _, e := range all {
		top, _, below := strings.Cut(e.Path, "/")
		switch {
		case plugin || hooks["."] || !strings.Contains(e.Path, "/") || inHook(e.Path, hooks):
			want = append(want, e)
		case path.Base(e.Path) == "HOOK.md" || strings.HasSuffix(e.Path, "/hooks/hooks.json") || below && !tops[top]:
			tops[top] = true
			others = append(others, e)
		}
	}
	return want, others
}

// inHook reports whether a path is in a hook at the top, or in one of the folders in
// which packs keep hooks.
func inHook(p string, hooks map[string]bool) bool {
	for _, dir := range []string{"", ".agents/hooks/", "hooks/"} {
		if rest, ok := strings.CutPrefix(p, dir); ok {
			if name, _, below := strings.Cut(rest, "/"); below && hooks[dir+name] {
				return true
			}
		}
	}
	return strings.HasPrefix(p, "hooks/")
}

// isPlugin reports whether a source without hook folders is an agent's plugin.
func isPlugin(all pack.Tree, hooks map[string]bool) (is bool) {
	for dir := range hooks {
		if slices.Contains([]string{".", ".agents/hooks", "hooks"}, path.Dir(dir)) {
			return false
		}
	}
	for _, e := range all {
		dir, file, _ := strings.Cut(e.Path, "/")
		is = is || e.Path == "hooks/hooks.json" || file == "plugin.json" && strings.HasSuffix(dir, "-plugin")
	}
	return is
}
