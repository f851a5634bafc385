package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/packs"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/source"
)

func addCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "add",
		Usage:     "add somebody else's hooks, pinned to their bytes",
		ArgsUsage: "SOURCE[@REF][//DIR]",
		Complete:  shell.First(shell.Folders),
		Description: "SOURCE is a git repository (https://…, ssh://…, user@host:path, file:///…,\n" +
			"owner/name on GitHub), a .tar.gz (https or a path) or a folder, of hook folders\n" +
			"or of a plugin of an agent; REF a branch, tag or commit; DIR a folder in it. It\n" +
			"shows what the pack will do, plays its tests and the hostile ones in a sandbox,\n" +
			"and asks; then the folders are put into this project's .agents/hooks, all or\n" +
			"none, and pinned in hooks.lock.\n" +
			"There they wait for agents-hooks trust; with --user a yes is the approval.",
		Flags: changing(
			&cli.StringFlag{Name: "as", Usage: "call the pack `NAME`"},
			cli.Offer(&cli.StringSliceFlag{Name: "agent", Usage: "with --user: for the agent `ID` alone, several times for more"}, agentarg.Words),
			&cli.StringFlag{Name: "key", Usage: "the minisign `KEY` that must have signed it"},
		),
		Action: func(c *cli.Context) error {
			o, err := readAdd(sh, c)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(c.Context)
			defer stop()
			pl, err := packs.Add(ctx, sh, o)
			if pl != nil && o.JSON {
				err = errors.Join(err, sh.JSON(pl))
			}
			return err
		},
	}
}

func readAdd(sh *shell.Shell, c *cli.Context) (o packs.AddOptions, err error) {
	words, err := shell.Args(c, 1, 1, "a source")
	if err != nil {
		return o, err
	}
	o = packs.AddOptions{Typed: words[0], HowOptions: howOf(c)}
	if o.PlaceOptions, err = placeOf(sh, c); err != nil {
		return o, err
	}
	for _, id := range shell.SplitCommas(c.StringSlice("agent")) {
		d, err := agentarg.Lookup(id)
		if err != nil {
			return o, err
		}
		o.Agents = append(o.Agents, d.ID)
	}
	slices.Sort(o.Agents)
	if o.At, err = source.Parse(words[0], o.Here); errors.Is(err, fs.ErrNotExist) {
		_, fix := sh.Wrong(err)
		return o, shell.WithHint(fmt.Errorf("add: %v", err), fix)
	} else if err != nil {
		return o, shell.WithHint(shell.Usagef("add: %v", err), sh.Name+" add --help")
	}
	if o.Name, o.Key = c.String("as"), c.String("key"); o.Name != "" && !lockfile.ValidName(o.Name) {
		return o, shell.Usagef("add: --as: %q cannot be the name of a pack", o.Name)
	}
	if o.Key != "" {
		if _, err := pack.ParseKey(o.Key); err != nil {
			return o, shell.Usagef("add: --key: %v", err)
		}
	}
	if o.Agents = slices.Compact(o.Agents); len(o.Agents) > 0 && !o.User {
		return o, shell.WithHint(shell.Usagef("add: --agent needs --user: a project's lock cannot keep a hook from running"),
			sh.Name+" disable --project --agent AGENT NAME leaves a hook of the project out of an agent")
	}
	return o, nil
}
