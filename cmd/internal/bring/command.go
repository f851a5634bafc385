package bring

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	words "github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// commandIn makes the line for sh: the command as written, after what its agent would have put into
// the environment.
func (f *finder) commandIn(h *Hook, e Entry) refusal {
	command := e.command()
	args, exec := e.args()
	shell := strings.ToLower(e.fields.str("shell"))
	if (shell == "powershell" || shell == "pwsh") && !exec {
		h.Argv = []string{"pwsh", "-NoProfile", "-NonInteractive", "-Command", command}
		return ""
	}
	if exec {
		h.Argv = append([]string{command}, args...)
		command = ""
	}
	if e.notifies() {
		program := quoted(append([]string{e.command()}, args...))
		h.Command, h.Argv = strings.Replace(e.Agent.Custom.NotifyLine, "PROGRAM", program, 1), nil
		return ""
	}
	head := f.environmentOf(e)
	if head != "" && command == "" {
		command, h.Argv = quoted(h.Argv), nil
	}
	if command != "" {
		h.Command = head + command
	}
	f.neverSet(h, e)
	return ""
}

// environmentOf are lines that set what the agent sets for its hooks, and our dispatcher does not.
func (f *finder) environmentOf(e Entry) string {
	var b strings.Builder
	set := func(name, value string) { fmt.Fprintf(&b, "export %s=%s\n", name, value) }
	if e.Plugin != nil {
		set(e.Agent.Custom.Plugins.Root, f.atHome(e.Plugin.Dir))
	}
	if e.Agent != nil && e.Agent.Custom != nil {
		for _, v := range e.Agent.Custom.Variables {
			set(v.Name, `"$`+v.As+`"`)
		}
	}
	for _, m := range e.fields.get("env").members {
		if variable(m.name) && m.kind != object && m.kind != list {
			set(m.name, words.ShellWord(m.text))
		}
	}
	if e.Agent != nil && e.Agent.Custom != nil && e.Agent.Custom.Beside && e.Plugin == nil {
		if e.Scope == protocol.ProjectScope { // wherever in it the session is
			fmt.Fprintf(&b, "cd \"${%s:-.}\" || exit 1\n", e.Agent.Custom.Project)
		} else {
			fmt.Fprintf(&b, "cd %s || exit 1\n", f.atHome(filepath.Dir(e.Path)))
		}
	}
	for _, name := range []string{"cwd", "working_directory"} {
		dir := e.fields.str(name)
		if e.rooted(dir) {
			if dir = below(dir); dir != "" {
				dir = "/" + words.ShellWord(dir)
			}
			fmt.Fprintf(&b, "cd \"${%s:-.}\"%s || exit 1\n", e.Agent.Custom.Project, dir)
		} else if dir != "" && dir != "." {
			fmt.Fprintf(&b, "cd %s || exit 1\n", words.ShellWord(dir))
		}
	}
	return b.String()
}

// rooted reports whether the folder that an entry names is one below the project's root, wherever
// in the project the session is.
func (e *Entry) rooted(dir string) bool {
	return dir != "" && !filepath.IsAbs(dir) && !strings.ContainsAny(dir[:1], "~$") && e.Scope == protocol.ProjectScope && e.Plugin == nil &&
		e.Agent != nil && e.Agent.Custom != nil && e.Agent.Custom.Project != "" && !e.Agent.Custom.Beside
}

// below is a folder of the project, as a path in it with slashes that leads nowhere out of it.
func below(dir string) string { return path.Clean("/" + filepath.ToSlash(dir))[1:] }

// atHome is a path as a shell word, relative to the user's home if it is inside it: a hook is
// copied from machine to machine.
func (f *finder) atHome(path string) string {
	rel, err := filepath.Rel(f.h.Home, path)
	if f.h.Home == "" || err != nil || !filepath.IsLocal(rel) {
		return words.ShellWord(path)
	}
	return `"$HOME"/` + words.ShellWord(filepath.ToSlash(rel))
}

func variable(name string) bool {
	for i, c := range name {
		if c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// placed is a word of a command that was run without a shell, for a shell; the agent would have
// replaced ${NAME} in it.
func placed(word string) string {
	if !strings.Contains(word, "${") {
		return words.ShellWord(word)
	}
	word = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", "${", "${", "$", `\$`).Replace(word)
	return `"` + word + `"`
}

// quoted is a list of words as a line for a shell.
func quoted(argv []string) string {
	list := make([]string, len(argv))
	for i, w := range argv {
		list[i] = placed(w)
	}
	return strings.Join(list, " ")
}
