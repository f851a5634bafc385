package doctor

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/habits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/trust"
)

// layers says where hooks are looked for.
func layers(h host.Host, set *discovery.Set) (list []check) {
	user := filepath.Join(h.Config, "hooks")
	if shell.IsFolder(user) {
		list = rows("folder", checkOK, "", "hooks of the user: %s", h.Short(user))
	} else {
		list = rows("folder", checkOff, "agents-hooks new NAME --user", "there is no %s yet", h.Short(user))
	}
	if set.Project != "" {
		list = append(list, row("project", checkOK, "", "hooks of the project: %s", h.Short(filepath.Join(set.Project, ".agents", "hooks"))))
	}
	return list
}

// settings reports problems with hooks.toml files, folders and the trust store, and whether
// hooks are switched off altogether.
func settings(h host.Host, set *discovery.Set) (list []check) {
	for _, p := range set.Problems {
		status := checkWarn
		if p.Severity == discovery.Error {
			status = checkError
		}
		list = append(list, row("settings", status, p.Fix, "%s", problemText(h, p)))
	}
	if !set.Settings.Enabled {
		list = append(list, row("settings", checkWarn, "unset AGENTS_HOOKS_DISABLE, or [hooks] enabled = true", "all hooks are switched off"))
	}
	return list
}

// problemText is a problem with a short path and without its fix, which is shown separately.
func problemText(h host.Host, p discovery.Problem) string {
	p.File, p.Fix = h.Short(p.File), ""
	return p.String()
}

// hooks reports each hook that does not run because of a problem, and the number of hooks by
// status.
func hooks(h host.Host, set *discovery.Set) (list []check) {
	count := map[discovery.Status]int{}
	for _, hook := range set.Hooks {
		count[hook.Status]++
		mend := func(p discovery.Problem) string {
			return cmp.Or(p.Fix, "agents-hooks validate "+h.Shown(hook.Dir))
		}
		for _, p := range habits.Untrue(h, hook) {
			list = append(list, row("hook", checkError, mend(p), "%s does not do what it says: %s", hook.Name, problemText(h, p)))
		}
		switch hook.Status {
		case discovery.Broken:
			for _, p := range hook.Problems {
				if p.Severity == discovery.Error {
					list = append(list, row("hook", checkError, mend(p), "%s does not run: %s", hook.Name, problemText(h, p)))
				}
			}
		case discovery.Foreign:
			list = append(list, row("hook", checkOff, "", "%s is a hook of another program, not run", h.Short(hook.Dir)))
		case discovery.Ready:
			if n := len(hook.Problems); n > 0 {
				p := hook.Problems[0]
				list = append(list, row("hook", checkWarn, mend(p), "%s runs, with %s: %s", hook.Name, text.Count(n, "warning"), problemText(h, p)))
			}
		}
	}
	var words []string
	for _, s := range []discovery.Status{discovery.Ready, discovery.Disabled, discovery.Untrusted, discovery.Overridden, discovery.Broken, discovery.Foreign} {
		if count[s] > 0 {
			words = append(words, fmt.Sprintf("%d %s", count[s], s))
		}
	}
	if len(words) == 0 {
		return append(list, row("hooks", checkOff, "agents-hooks new NAME", "no hook counts here"))
	}
	return append(list, row("hooks", checkOK, "", "%s", strings.Join(words, ", ")))
}

// locks says which hooks are locked and against what, and where a lock does less than it seems
// to.
func locks(h host.Host, set *discovery.Set) (list []check) {
	for _, hook := range set.Hooks {
		at := set.LockOn(hook.Name)
		switch {
		case hook.Held != nil && hook.Status == discovery.Broken && !hook.Held.Allow:
			list = append(list, row("lock", checkError, "fix the hook, or remove the lock", "%s is locked and cannot run: what it may have judged is blocked (%s)", hook.Name, h.Tidy(at)))
		case hook.Held != nil && hook.Async:
			list = append(list, row("lock", checkWarn, "take async out of "+h.Shown(hook.File), "%s is locked and async: nobody waits for it, so it holds nothing up", hook.Name))
		case hook.Held != nil && hook.Status != discovery.Broken:
			against := strings.Join(hook.Held.Against, ", ")
			list = append(list, row("lock", checkOK, "", "%s is held by %s%s", hook.Name, h.Tidy(at), h.Tidy(cmp.Or(prefixed(", against ", against), "; nothing here would change it"))))
		case at != "" && hook.Status == discovery.Disabled:
			list = append(list, row("lock", checkWarn, "take the lock out, or what switches it off", "%s is locked by %s, and switched off by %s", hook.Name, h.Tidy(at), h.Tidy(cmp.Or(hook.DisabledBy, "its behaviour, which is not enabled"))))
		}
	}
	return list
}

// prefixed is a text with something before it, "" if there is no text.
func prefixed(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// approvals lists a project's hooks that are not approved, and those that have changed since,
// if only in their mode.
func approvals(h host.Host, set *discovery.Set) (list []check) {
	changed := changedSince(h, set.Project)
	var fresh, other, refused []string
	for _, hook := range set.Hooks {
		switch {
		case hook.Status != discovery.Untrusted:
		case hook.Refused != "":
			refused = append(refused, hook.Name)
		case slices.Contains(changed, hook.Dir):
			other = append(other, hook.Name)
		default:
			fresh = append(fresh, hook.Name)
		}
	}
	if len(fresh) > 0 {
		list = append(list, row("trust", checkWarn, "agents-hooks trust", "not approved, so not run: %s", strings.Join(fresh, ", ")))
	}
	if len(other) > 0 {
		list = append(list, row("trust", checkWarn, "agents-hooks trust shows what changed, and approves it", "changed since it was approved, so not run: %s", strings.Join(other, ", ")))
	}
	if len(refused) > 0 {
		list = append(list, row("trust", checkOff, "agents-hooks trust asks again", "refused by you as they are, so not run: %s", strings.Join(refused, ", ")))
	}
	return list
}

// changedSince are the folders of a project's hooks that have changed since their approval.
func changedSince(h host.Host, project string) (dirs []string) {
	if project == "" {
		return nil
	}
	things, _ := discovery.ToApprove(h.Sources(), project)
	items, _ := trust.List(h.State, project, things)
	for _, it := range items {
		if it.State == trust.Changed {
			dirs = append(dirs, it.Path)
		}
	}
	return dirs
}

// maxDeep and maxFolders bound the search for hooks that are too deep.
const (
	maxDeep    = 3
	maxFolders = 2000
)

// tooDeep finds a HOOK.md that is not looked for: hooks are one level below their layer's
// folder.
func tooDeep(h host.Host, set *discovery.Set) (list []check) {
	for _, l := range set.Layers {
		if l.Dir == "" {
			continue
		}
		folders := 0
		_ = filepath.WalkDir(l.Dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return fs.SkipDir
			}
			rel, _ := filepath.Rel(l.Dir, path)
			depth := 0
			if rel != "." {
				depth = strings.Count(filepath.ToSlash(rel), "/") + 1
			}
			if e.IsDir() {
				if folders++; folders > maxFolders || depth > maxDeep || depth > 0 && strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" {
					return fs.SkipDir
				}
				return nil
			}
			if depth != 2 && strings.EqualFold(e.Name(), "HOOK.md") && e.Type().IsRegular() {
				list = append(list, row("depth", checkWarn, "move it to "+h.Short(filepath.Join(l.Dir, "NAME", "HOOK.md")), "%s is not found: hooks lie one level deep", h.Short(path)))
			}
			return nil
		})
	}
	return list
}

// foreignFile reports .agents/hooks.json, which belongs to another program, unless our own
// entry is in it.
func foreignFile(p place) []check {
	for _, dir := range []string{p.set.Project, p.set.Root} {
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, ".agents", "hooks.json")
		ours := slices.ContainsFunc(p.entries, func(s setup.Standing) bool { return s.File == path })
		if _, err := os.Lstat(path); err == nil && !ours {
			return rows("foreign", checkOff, "", "%s belongs to another program; what it starts is neither seen nor ordered by us", p.Short(path))
		}
	}
	return nil
}
