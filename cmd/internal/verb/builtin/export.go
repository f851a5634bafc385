package builtin

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func exportCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write a built-in hook as a folder for any runner",
		ArgsUsage: "NAME FOLDER",
		Description: "Writes FOLDER/NAME with a HOOK.md and a script that calls this program, so\n" +
			"that the hook works under every runner of the format. NAME is a hook, or a\n" +
			"behaviour for all of its hooks.",
		Flags: []cli.Flag{shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 2, 2, "the name of a built-in hook, and a folder")
			if err != nil {
				return err
			}
			dir, err := sh.Abs(words[1])
			if err != nil {
				return err
			}
			folders, err := export(sh.Host.Behaviours(), words[0], dir, builtin.Program(sh.Host))
			if err != nil {
				return err
			}
			if len(folders) == 0 {
				return noSuchHook(sh.Host.Behaviours(), words[0], sh.Shown(dir))
			}
			return sh.Answer(c.Bool("json"), map[string]any{"schema": 1, "folders": folders}, func() {
				for _, f := range folders {
					sh.Printf("%s\n", sh.Shown(f))
				}
			})
		},
	}
}

// export writes the hooks with a name, their own or their behaviour's, as folders below dir,
// and returns those.
func export(list builtinhooks.List, name, dir, program string) (folders []string, err error) {
	for _, b := range list {
		for _, h := range b.Hooks {
			if name != h.Name && name != b.Name {
				continue
			}
			folder, err := builtinhooks.Export(&b, &h, dir, program, firstTest(&h))
			if err != nil {
				return nil, fmt.Errorf("builtin export: %s: %w", h.Name, err)
			}
			folders = append(folders, folder)
		}
	}
	return folders, nil
}

// noSuchHook is the error for an unknown name; it suggests the nearest one.
func noSuchHook(list builtinhooks.List, name, folder string) error {
	var names []string
	for _, b := range list {
		names = append(names, b.Name)
		for _, h := range b.Hooks {
			names = append(names, h.Name)
		}
	}
	err := fmt.Errorf("builtin export: no built-in hook %q", name)
	if near := text.Nearest(name, names, 2); near != "" {
		return shell.WithHint(err, "agents-hooks builtin export "+near+" "+folder)
	}
	return shell.WithHint(err, "agents-hooks builtin list")
}

// firstTest is the first test of an exported hook: it lets an ordinary event pass, and says
// nothing in an empty project, except at the start of a session and before its context is
// compacted, when instructions may be given.
func firstTest(h *builtinhooks.Hook) string {
	ev := protocol.Sample(h.Trigger)
	ev.SetText("work_dir", "@PROJECT@")
	said := "empty"
	if h.Trigger == protocol.PreSession || h.Trigger == protocol.PreContextCompact {
		said = "any"
	}
	return "title: lets an ordinary event pass\n-- event.json --\n" + string(ev.Raw()) + "\n-- want --\nexit: 0\nstdout: " + said + "\n"
}
