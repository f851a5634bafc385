package bring

import (
	"fmt"
	"strings"

	words "github.com/agents-hooks/agents-hooks/internal/text"
)

// commandIn makes the line for sh: the command as written, after what its agent would have put into
// the environment.
func (f *finder) commandIn(h *Hook, e Entry) refusal {
	command := e.command()
	args, exec := e.args()
	shell := strings.ToLower(e.fields.str("shell"))
	folder, why := f.folderOf(e)
	if why != "" {
		return why
	}
	f.lostFolder(h, e, folder)
	if (shell == "powershell" || shell == "pwsh") && !exec {
		h.Argv = []string{"pwsh", "-NoProfile", "-NonInteractive", "-Command", f.environmentOf(e, folder, true) + command}
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
	head := f.environmentOf(e, folder, false)
	if head != "" && command == "" {
		command, h.Argv = quoted(h.Argv), nil
	}
	if command != "" {
		h.Command = head + command
	}
	f.neverSet(h, e)
	return ""
}

// environmentOf is what sets what the agent sets for its hooks, and our dispatcher does not, and goes
// to the folder of the entry: for sh, or for PowerShell.
func (f *finder) environmentOf(e Entry, folder place, power bool) string {
	var b strings.Builder
	set := func(name, sh, powerShell string) {
		if power {
			fmt.Fprintf(&b, "$env:%s = %s; ", name, powerShell)
		} else {
			fmt.Fprintf(&b, "export %s=%s\n", name, sh)
		}
	}
	if e.Plugin != nil {
		root := f.atHome(e.Plugin.Dir)
		set(e.Agent.Custom.Plugins.Root, root.sh(), root.powerShell())
	}
	if e.Agent != nil && e.Agent.Custom != nil {
		for _, v := range e.Agent.Custom.Variables {
			set(v.Name, `"$`+v.As+`"`, "$env:"+v.As)
		}
	}
	for _, m := range e.fields.get("env").members {
		if variable(m.name) && m.kind != object && m.kind != list {
			set(m.name, words.ShellWord(m.text), powerWord(m.text))
		}
	}
	switch {
	case folder == place{}:
	case power:
		fmt.Fprintf(&b, "Set-Location -LiteralPath %s -ErrorAction Stop; ", folder.powerShell())
	default:
		fmt.Fprintf(&b, "cd %s || exit 1\n", folder.sh())
	}
	return b.String()
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
