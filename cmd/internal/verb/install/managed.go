package install

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

type managedOptions struct {
	agent   *protocol.Dialect
	program string // the dispatcher, on the machines that it is for
}

// readManaged reads the rest of a command line with --managed.
func readManaged(sh *shell.Shell, c *cli.Context, agents []*protocol.Dialect) (o managedOptions, err error) {
	program := cmp.Or(c.String("program"), usualProgram(sh.Host.GOOS))
	switch {
	case !c.Bool("managed"):
		return o, shell.Usagef("install: --program needs --managed")
	case c.Bool("all") || len(agents) != 1:
		return o, shell.Usagef("install: --managed prints the file of one agent")
	case !filepath.IsAbs(program):
		return o, shell.Usagef("install: --program %q: want an absolute path", program)
	}
	for _, name := range []string{"user", "project", "dry-run", "lean", "with", "guides", "trust", "mcp", "json"} {
		if c.IsSet(name) {
			return o, shell.Usagef("install: --managed writes nothing, so it cannot be used with --%s", name)
		}
	}
	return managedOptions{agents[0], program}, nil
}

// printManaged prints the file that an administrator gives an agent, with our entry in the form
// that the agent's users have. Nothing is written: the file belongs to the administrator, and
// may contain more.
func printManaged(sh *shell.Shell, o managedOptions) error {
	d := o.agent
	if d.Managed == nil || d.Managed.Entry(sh.Host.GOOS) == "" {
		return shell.WithHint(fmt.Errorf("install: no administrator's file is known that gives hooks to %s", d.Name), "docs/team.md, Managed machines, has the agents that have one")
	}
	content, err := managedFile(sh, d, o.program)
	if err != nil {
		return fmt.Errorf("install: %w", err)
	}
	if d.Managed.TOML {
		content = requirements(content, folderOf(o.program), sh.Host.GOOS)
	}
	sh.Say("install: this belongs in %s; keep what that file has already, and let only administrators write to the program and the folders above it", d.Managed.Entry(sh.Host.GOOS))
	sh.Printf("%s", content)
	return nil
}

// managedCommand names no directories of a user: they are those of whoever runs the agent.
func managedCommand(sh *shell.Shell, d *protocol.Dialect, program string) []string {
	argv := []string{program, "run", "--agent=" + d.ID}
	if len(sh.Host.System) > 0 {
		argv = append(argv, "--system="+strings.Join(sh.Host.System, string(filepath.ListSeparator)))
	}
	return argv
}

// managedFile is the agent's own file as it would be for a user who had none.
func managedFile(sh *shell.Shell, d *protocol.Dialect, program string) ([]byte, error) {
	nobody := protocol.Site{Scope: protocol.UserScope, GOOS: sh.Host.GOOS, Home: folderOf(program),
		Env:  func(string) string { return "" },
		Read: func(string) ([]byte, error) { return nil, fs.ErrNotExist }}
	edits, err := install.Add(d, nobody, protocol.Entry{Argv: managedCommand(sh, d, program)})
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		if strings.HasSuffix(e.Path, ".json") && strings.Contains(string(e.After), "--agent="+d.ID) {
			return e.After, nil
		}
	}
	return nil, fmt.Errorf("%s keeps its hooks in a form that no administrator's file can have", d.Name)
}

// requirements turns hooks in JSON into an administrator's TOML, which also names the folder of
// the hooks' programs. Both languages spell texts, numbers and booleans alike.
func requirements(hooks []byte, dir, goos string) []byte {
	var b strings.Builder
	key := map[bool]string{true: "windows_managed_dir", false: "managed_dir"}[goos == "windows"]
	fmt.Fprintf(&b, "[hooks]\n%s = %s\n", key, protocol.Quote(dir))
	members := func(o protocol.Object) {
		for _, m := range o {
			if c := m.Value[0]; c != '{' && c != '[' {
				fmt.Fprintf(&b, "%s = %s\n", m.Name, m.Value)
			}
		}
	}
	for _, event := range protocol.ObjectOf(hooks).Sub("hooks") {
		for _, g := range protocol.ElementsOf(event.Value) {
			group := protocol.ObjectOf(g)
			fmt.Fprintf(&b, "\n[[hooks.%s]]\n", event.Name)
			members(group)
			for _, h := range protocol.ElementsOf(group.Get("hooks")) {
				fmt.Fprintf(&b, "[[hooks.%s.hooks]]\n", event.Name)
				members(protocol.ObjectOf(h))
			}
		}
	}
	return []byte(b.String())
}

// folderOf is the folder of a path on the machines that the file is for.
func folderOf(path string) string { return path[:max(1, strings.LastIndexAny(path, `/\`))] }

// usualProgram is the usual path of an administrator's dispatcher.
func usualProgram(goos string) string {
	if goos == "windows" {
		return `C:\Program Files\agents-hooks\agents-hooks-run.exe`
	}
	return "/usr/local/bin/agents-hooks-run"
}
