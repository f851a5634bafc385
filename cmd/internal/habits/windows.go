package habits

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hooksh"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// elsewhere finds an entry that Windows does not start, or that needs programs which
// Windows without a sh does not have.
func elsewhere(h host.Host, hook *discovery.Hook, files []script, portable bool) []discovery.Problem {
	if !portable && h.GOOS != "windows" || hook.Entry.Path == "" || hook.Command.Given() {
		return nil
	}
	folder, entry := filepath.Dir(hook.Entry.Path), filepath.Base(hook.Entry.Path)
	if slices.Contains([]string{".exe", ".cmd", ".ps1", ".py"}, strings.ToLower(filepath.Ext(entry))) {
		return nil
	}
	for _, name := range []string{"run.exe", "run.cmd", "run.ps1", "run.py"} {
		file := filepath.Join(folder, name)
		if _, err := hookset.Below(hook, file).Stat(file); err == nil {
			return nil
		}
	}
	problem := discovery.Problem{File: hook.Entry.Path, Line: 1, Column: 1, Field: "entry", Severity: discovery.Warning, Value: entry, Fix: "lay a run.cmd, run.ps1 or run.py beside it"}
	started := base(shebang(hook))
	switch {
	case started == "" && filepath.Ext(entry) != ".sh":
		problem.Message = "scripts/" + entry + " names no interpreter: nothing starts it on Windows"
	case started == "" || ownShell(started):
		wants := programs(hook.Entry.Path, files)
		if h.GOOS == "windows" && !portable {
			wants = slices.DeleteFunc(wants, func(name string) bool { return found(h, name) })
		}
		if len(wants) == 0 {
			return nil
		}
		problem.Message = "scripts/" + entry + " wants " + strings.Join(wants, ", ") + ": on a Windows without the tools of a Unix, its sh is ours, which brings none"
	default:
		return nil // searched by its bare name
	}
	return []discovery.Problem{problem}
}

// base is the name that Windows searches for instead of the path in a #! line.
func base(interpreter string) string {
	if interpreter == "" {
		return ""
	}
	return strings.TrimSuffix(path.Base(filepath.ToSlash(interpreter)), ".exe")
}

// ownShell reports whether this program runs scripts for an interpreter if none of
// that name exists.
func ownShell(name string) bool { return slices.Contains([]string{"sh", "bash", "dash"}, name) }

// programs are what a shell script calls that no shell brings, in order, without its
// own functions and without what our shell brings.
func programs(file string, files []script) (names []string) {
	i := slices.IndexFunc(files, func(s script) bool { return s.file == file })
	if i < 0 {
		return nil
	}
	tree := files[i].shell()
	if tree == nil {
		return nil
	}
	known := map[string]bool{"": true}
	syntax.Walk(tree, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.FuncDecl); ok {
			known[f.Name.Value] = true
		}
		return true
	})
	syntax.Walk(tree, func(n syntax.Node) bool {
		c, ok := n.(*syntax.CallExpr)
		if !ok {
			return true
		}
		name := callee(c)
		if (name == "command" || name == "exec") && len(c.Args) > 1 {
			name = c.Args[1].Lit()
		}
		// A path is its author's business, and an option of command asks whether a
		// program exists.
		if !known[name] && !strings.ContainsAny(name, `/\`) && !strings.HasPrefix(name, "-") && !interp.IsBuiltin(name) && !hooksh.Brings(name) {
			known[name] = true
			names = append(names, name)
		}
		return true
	})
	return names
}
