package hooks

import (
	"fmt"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/habits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/opcli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/team"
	"github.com/agents-hooks/agents-hooks/cmd/internal/texts"
	"github.com/agents-hooks/agents-hooks/cmd/internal/tools"
	"github.com/agents-hooks/agents-hooks/discovery"
)

func listCommand(sh *shell.Shell) *cli.Command {
	row := operation(sh, "hooks_list")
	c := opcli.Command(sh, row, row.Command, []cli.Flag{hookset.DirFlag(), shell.JSONFlag()}, func(c *cli.Context, _ op.Object) error {
		o, err := readList(sh, c)
		if err != nil {
			return err
		}
		l, err := list(sh.Host, o)
		if err != nil {
			return err
		}
		sayAround(sh, l)
		if !o.chosen() {
			texts.Tell(sh, o.from)
		}
		return sh.Answer(o.json, map[string]any{"schema": 1, "hooks": l.rows}, func() { printList(sh, l, o.chosen()) })
	})
	c.Description = "Shows the hooks that count here, those that do not run included; with a FOLDER,\n" +
		"a hook (or its name) or a folder of hooks, those alone."
	c.Complete = hookset.NamesOrFolders(sh)
	return c
}

// operation is one that models have, too.
func operation(sh *shell.Shell, name string) op.Op {
	o, _ := op.Find(tools.Hooks(sh.Host, false).Ops, name)
	return o
}

// listOptions say which hooks are listed: those in folders and those with names, or, without any,
// those that apply in from.
type listOptions struct {
	folders []string
	names   []string
	from    string
	all     bool // also built-in hooks that are not enabled
	json    bool
}

func (o listOptions) chosen() bool { return len(o.folders)+len(o.names) > 0 }

func readList(sh *shell.Shell, c *cli.Context) (listOptions, error) {
	o := listOptions{all: c.Bool("all"), json: c.Bool("json")}
	if len(c.Args()) > 0 && (o.all || c.IsSet("dir")) {
		return o, shell.Usagef("list: --all and --dir cannot be used with a FOLDER")
	}
	for _, word := range c.Args() {
		h, err := hookset.Named(sh, "list", word)
		if err != nil {
			return o, err
		}
		if h != nil {
			o.names = append(o.names, word)
			continue
		}
		path, err := sh.Abs(word)
		if err != nil {
			return o, fmt.Errorf("list: %w", err)
		}
		o.folders = append(o.folders, path)
	}
	var err error
	o.from, err = hookset.LookFrom(sh, c)
	return o, err
}

// A listing is the result of list.
type listing struct {
	rows     []hookset.Row
	layers   []discovery.Layer
	problems []discovery.Problem // problems outside the hooks themselves
	recorded string              // the project whose events are being recorded, "" if they are not
}

func list(h host.Host, o listOptions) (listing, error) {
	if !o.chosen() {
		set := hookset.Listed(h, o.from, false, o.all)
		judge(h, set.Hooks)
		problems := append(set.Problems, team.Disabled(h, o.from, set)...)
		return listing{hookset.Rows(set.Hooks), set.Layers, problems, recordedAround(h, o.from)}, nil
	}
	var all []*discovery.Hook
	for _, folder := range o.folders {
		hooks, err := hookset.HooksIn(h, folder)
		if err != nil {
			return listing{}, fmt.Errorf("list: %w", err)
		}
		all = slices.Concat(all, asHere(h, hooks))
	}
	if len(o.names) > 0 {
		set := hookset.Listed(h, o.from, false, true)
		all = slices.Concat(all, slices.DeleteFunc(set.Hooks, func(k *discovery.Hook) bool { return !slices.Contains(o.names, k.Name) }))
	}
	judge(h, all)
	return listing{rows: hookset.Rows(all)}, nil
}

// asHere are the hooks of a folder with what counts where it lies: an approval, a switch, a hook
// that replaces one. A folder of no layer has none of these.
func asHere(h host.Host, hooks []*discovery.Hook) []*discovery.Hook {
	if len(hooks) == 0 {
		return nil
	}
	set := hookset.Listed(h, hooks[0].Dir, false, true)
	for i, hook := range hooks {
		if j := slices.IndexFunc(set.Hooks, func(k *discovery.Hook) bool { return k.Dir == hook.Dir }); j >= 0 {
			hooks[i] = set.Hooks[j]
		}
	}
	return hooks
}

// judge adds the problems in the hooks' scripts, which events do not look for.
func judge(h host.Host, hooks []*discovery.Hook) {
	for _, hook := range hooks {
		hook.Problems = append(hook.Problems, habits.Untrue(h, hook)...)
	}
}

// recordedAround is a folder's project if its events are being recorded: whoever asks what
// happens to an event should know.
func recordedAround(h host.Host, dir string) string {
	_, root := discovery.FindProject(dir, h.Home)
	if !(record.Store{State: h.State}).On(root) {
		return ""
	}
	return root
}
