package memory

import (
	"encoding/json"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/checkup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func rebuildCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "rebuild-index", Aliases: []string{"sync_index"}, Usage: "rebuild the search index from the files", Flags: flags(),
		Action: func(c *cli.Context) error {
			_, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			if server := m.Server(); server != "" { // which may take half a minute for each answer
				sh.Say("asking %s for vectors", server)
			}
			n, err := m.Rebuild(c.Context)
			return answer(sh, "rebuild-index", map[string]any{"status": "ok", "files": n.Files, "entries": n.Entries}, err)
		},
	}
}

func doctorCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "check that memory is intact, writable and searchable", Flags: flags(),
		Action: func(c *cli.Context) error {
			o, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			var checks []checkup.Check
			for _, c := range m.Check(c.Context) {
				checks = append(checks, checkup.Check(c))
			}
			return checkup.Report(sh, o.json, map[string]any{"dir": m.Dir}, sh.Short(m.Dir), checks)
		},
	}
}

func configCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "config", Usage: "show the settings in effect, and where each comes from", ArgsUsage: "[KEY]",
		Description: "They are set in [builtin.memory] of hooks.toml: " + "docs in agents-hooks spec settings.",
		Flags:       flags(),
		Complete:    shell.First(shell.Fixed(keys()...)),
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 0, 1, "a key, or nothing")
			if err != nil {
				return err
			}
			o, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			rows, err := config(m, words)
			if err != nil {
				return err
			}
			if o.json {
				return document(sh, map[string]any{"schema": 1, "dir": m.Dir, "user_dir": m.Place.User, "settings": rows})
			}
			return printConfig(sh, rows)
		},
	}
}

// keys are the settings of memory, in the order of their table.
func keys() []string {
	var out []string
	for _, s := range memory.Settings() {
		out = append(out, s.Key)
	}
	return out
}

// config are the settings of a memory, or the named one.
func config(m ops.Memory, names []string) ([]ops.Set, error) {
	rows := m.Config()
	if len(names) == 0 {
		return rows, nil
	}
	rows = slices.DeleteFunc(rows, func(r ops.Set) bool { return r.Key != names[0] })
	if len(rows) > 0 {
		return rows, nil
	}
	err := shell.Usagef("memory config: no key %q", names[0])
	if near := text.Nearest(names[0], keys(), 2); near != "" {
		return nil, shell.WithHint(err, "agents-hooks memory config "+near)
	}
	return nil, err
}

func printConfig(sh *shell.Shell, rows []ops.Set) error {
	for _, r := range rows {
		value, err := json.Marshal(r.Value)
		if err != nil {
			return err
		}
		sh.Printf("%-22s %-28s %s\n", r.Key, value, r.From)
	}
	return nil
}

// facts completes the id of a fact here: a valid one, or a deleted one.
func facts(sh *shell.Shell, deleted bool) cli.Words {
	return shell.Listed(func() (list []cli.Suggestion) {
		rows, _ := ops.At(builtin.Standalone(sh.Host), builtin.Call(sh.Host, sh.Host.WorkDir)).Rows(ops.Filter{Deleted: deleted})
		for _, r := range rows {
			list = append(list, cli.Suggestion{Word: r.ID, Text: ops.Headline(r.Content)})
		}
		return list
	})
}
