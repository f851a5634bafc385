package builtin

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

func enableCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "enable",
		Usage:        "let hooks run again, or switch built-in ones on",
		ArgsUsage:    "NAME...",
		BashComplete: shell.Arguments(switchable(sh)),
		Description: "NAME is a hook that disable switched off, or a built-in behaviour such as\n" +
			"memory (builtin list shows them). Edits your hooks.toml, or the project's.",
		Flags:  []cli.Flag{projectFileFlag(), hookset.DirFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error { return switchHooks(sh, c, false) },
	}
}

func disableCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "disable",
		Usage:        "switch hooks off, for you or with --project here",
		ArgsUsage:    "NAME...",
		BashComplete: shell.Arguments(switchable(sh)),
		Flags:        []cli.Flag{projectFileFlag(), hookset.DirFlag(), shell.JSONFlag()},
		Action:       func(c *cli.Context) error { return switchHooks(sh, c, true) },
	}
}

func projectFileFlag() cli.Flag {
	return &cli.BoolFlag{Name: "project", Usage: "in the project's .agents/hooks.toml, for all who trust it"}
}

// switchHooks edits the user's hooks.toml: all of the names, or nothing.
func switchHooks(sh *shell.Shell, c *cli.Context, off bool) error {
	command := c.Command.Name
	names, err := shell.Args(c, 1, -1, "the names of hooks")
	if err != nil {
		return err
	}
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return err
	}
	before := hookset.All(sh.Host, from)
	file, err := setup.OpenConfig(setup.SettingsFile(sh, before, c.Bool("project")))
	if err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	text := file.Content
	results := make([]setup.Switched, len(names))
	for i, name := range names {
		next, err := switchName(before, text, name, off)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", command, sh.Short(file.Real), err)
		}
		results[i] = setup.Switched{Name: name, Changed: !bytes.Equal(next, text)}
		// What is switched off by name may be gone; it can still be switched on.
		if hookset.HookNamed(before, name) == nil && !setup.IsBehaviour(before, name) && (off || !results[i].Changed) {
			return unknownHook(command, before, name)
		}
		text = next
	}
	if !bytes.Equal(text, file.Content) {
		if _, err := file.Write(text); err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
	}
	after := hookset.All(sh.Host, from)
	for i := range results {
		results[i].Describe(after, off)
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "file": file.Real, "hooks": results})
	}
	for _, r := range results {
		sh.Printf("%s: %s\n", shell.Plain(r.Name), shell.Plain(r.Detail))
	}
	if c.Bool("project") && slices.ContainsFunc(after.Problems, func(p discovery.Problem) bool { return p.File == file.Real && p.Severity == discovery.Warning }) {
		sh.Hints([]string{"agents-hooks trust: settings of a project count once they are approved"})
	}
	return nil
}

// switchName edits the text of a hooks.toml: for a hook, or for all hooks of a
// built-in behaviour.
func switchName(set *discovery.Set, text []byte, name string, off bool) ([]byte, error) {
	if hookset.HookNamed(set, name) == nil && setup.IsBehaviour(set, name) {
		return discovery.SetBuiltin(text, name, !off)
	}
	return discovery.SetDisabled(text, name, off)
}

// unknownHook refuses a name that no hook has here, and suggests the nearest.
func unknownHook(command string, set *discovery.Set, name string) error {
	var names []string
	for _, h := range set.Hooks {
		names = append(names, h.Name)
		if word, _, ok := strings.Cut(h.Name, "-"); ok && h.Layer == discovery.BuiltinLayer {
			names = append(names, word)
		}
	}
	err := fmt.Errorf("%s: no hook %q here", command, name)
	if near := shell.Nearest(name, names); near != "" {
		return shell.WithHint(err, "agents-hooks "+command+" "+near)
	}
	return shell.WithHint(err, "agents-hooks list --all")
}

// switchable completes what enable and disable take: hooks and behaviours, each
// once.
func switchable(sh *shell.Shell) shell.Words {
	return shell.Each(func(l shell.Line) ([]shell.Suggestion, shell.Kind) {
		list, kind := hookset.Words(sh)(l)
		for _, b := range builtinhooks.Behaviours() {
			list = append(list, shell.Suggestion{Word: b.Name, Text: b.Purpose})
		}
		return list, kind
	})
}
