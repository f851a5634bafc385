package trust

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/texts"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/trust"
)

func trustCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "trust",
		Usage:     "look at a project's hooks and skills and approve them",
		ArgsUsage: "[NAME...]",
		Description: "Shows what is new or changed in this project since the last approval, and\n" +
			"asks. Only what was approved is run, and only as it was approved: any other\n" +
			"byte needs a new approval. It is refused inside a hook, and where an agent\n" +
			"may be typing.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "show", Usage: "only show, ask nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "approve without asking"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readTrust(sh, c)
			if err != nil {
				return err
			}
			f, err := look(sh, o.dir, o.names)
			if err != nil {
				return err
			}
			if f.unread != nil {
				sh.Say("trust: %s", f.unread)
			}
			if !o.json {
				printFound(sh, f)
			}
			var approved []string
			if o.approves() {
				approved, err = approve(sh, f, o.yes)
			}
			if o.json {
				if jerr := sh.JSON(f.doc(approved)); err == nil {
					err = jerr
				}
			} else if len(approved) > 0 {
				sh.Printf("approved %s\n", shell.Count(len(approved), "item"))
			}
			return err
		},
	}
}

type trustOptions struct {
	dir             string   // where the project is looked for
	names           []string // only these
	show, yes, json bool
}

// approves reports whether anything is approved, by an answer or unasked. With
// --json nobody is asked.
func (o trustOptions) approves() bool { return !o.show && (o.yes || !o.json) }

func readTrust(sh *shell.Shell, c *cli.Context) (trustOptions, error) {
	dir, err := hookset.LookFrom(sh, c)
	return trustOptions{dir: dir, names: c.Args().Slice(), show: c.Bool("show"), yes: c.Bool("yes"), json: c.Bool("json")}, err
}

// An item is one thing that needs approval, as --json prints it.
type item struct {
	Name     string      `json:"name"`
	Path     string      `json:"path"`
	State    trust.State `json:"state"`
	Hash     string      `json:"hash"`
	Approved string      `json:"approved"` // when, "" if never
	Problem  string      `json:"problem"`
	Diff     string      `json:"diff"` // since then; of a new item, all of it

	item trust.Item
	hook *discovery.Hook // nil for what is no hook, and for what is gone
	text *ledger.Item    // of what is told to agents; nil for what is run or honoured
}

func (i item) pending() bool { return i.State == trust.New || i.State == trust.Changed }

// A found project is what needs approval in it, "" if there is none.
type found struct {
	project string
	items   []item
	unread  error // why the record of approvals could not be read
}

// pending are the items that a yes would approve.
func (f found) pending() (list []trust.Item) {
	for _, i := range f.items {
		if i.pending() && i.text == nil {
			list = append(list, i.item)
		}
	}
	return list
}

func (f found) doc(approved []string) any {
	if approved == nil {
		approved = []string{}
	}
	return map[string]any{"schema": 1, "project": f.project, "items": f.items, "approved": approved}
}

// projectOf is the project that approvals of a folder are recorded for, "" if
// nothing there needs any.
func projectOf(sh *shell.Shell, dir string, told []ledger.Item) string {
	project, root := discovery.FindProject(dir, sh.Host.Home)
	if project == "" && (len(told) > 0 || len(skills.ToTrust(root, sh.Host.Config, sh.Host.Home)) > 0) {
		return root
	}
	return project
}

// textItems are the texts of a project that wait for an approval, or have one.
func textItems(sh *shell.Shell, dir string) (list []ledger.Item, err error) {
	list, err = texts.Items(sh, dir)
	return slices.DeleteFunc(list, func(t ledger.Item) bool { return !t.Waits() && t.InUse == 0 }), err
}

// textItem is one of them as it is listed.
func textItem(t ledger.Item) item {
	i := item{Name: t.Name, Path: t.Path, State: trust.Trusted, Hash: ledger.Digest(t.Files), text: &t}
	switch {
	case t.Waits() && t.InUse > 0:
		i.State = trust.Changed
	case t.Waits():
		i.State = trust.New
	}
	if t.Waits() {
		i.Diff = texts.Diff(t)
	}
	return i
}

// look finds what needs approval in the project that a folder belongs to; only
// what is named, if there are names.
func look(sh *shell.Shell, dir string, names []string) (found, error) {
	told, err := textItems(sh, dir)
	if err != nil {
		return found{}, fmt.Errorf("trust: %w", err)
	}
	f := found{project: projectOf(sh, dir, told), items: []item{}}
	if f.project == "" {
		if len(names) > 0 {
			return f, fmt.Errorf("trust: no project here has hooks")
		}
		return f, nil
	}
	things, hooks := discovery.ToApprove(sh.Host.Sources(), f.project)
	for name, dir := range skills.ToTrust(f.project, sh.Host.Config, sh.Host.Home) {
		things = append(things, trust.Thing{ID: name, Path: dir})
	}
	var list []trust.Item
	list, f.unread = trust.List(sh.Host.State, f.project, things)
	for _, it := range list {
		name := it.Name()
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		i := item{Name: name, Path: it.Path, State: it.State, Hash: it.Hash, Approved: it.Approved, Problem: it.Problem, item: it}
		if at := slices.IndexFunc(hooks, func(h *discovery.Hook) bool { return h.Dir == it.Path }); at >= 0 {
			i.hook = hooks[at]
			i.item.As = hooks[at].Name
		}
		if i.pending() {
			var err error
			if i.Diff, err = it.Diff(sh.Host.State, f.project); err != nil {
				return f, fmt.Errorf("trust: %s: %w", name, err)
			}
		}
		f.items = append(f.items, i)
	}
	for _, t := range told {
		if len(names) == 0 || slices.Contains(names, t.Name) {
			f.items = append(f.items, textItem(t))
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(f.items, func(i item) bool { return i.Name == name }) {
			return f, shell.Usagef("trust: no hook folder %q in %s", name, sh.Short(f.project))
		}
	}
	return f, nil
}

// approve asks, and approves what is pending as it was shown. It returns the
// names.
func approve(sh *shell.Shell, f found, yes bool) (names []string, err error) {
	pending := f.pending()
	waiting := slices.DeleteFunc(slices.Clone(f.items), func(i item) bool { return i.text == nil || !i.pending() })
	if len(pending)+len(waiting) == 0 {
		return nil, nil
	}
	question := fmt.Sprintf("approve %s of %s as shown?", shell.Count(len(pending)+len(waiting), "item"), shell.Plain(sh.Short(f.project)))
	if err := sh.Confirm(yes, question, "trust"); err != nil {
		return nil, err
	}
	kept, err := trust.Approve(sh.Host.State, f.project, pending, sh.Host.Now())
	if kept != "" {
		sh.Say("trust: the record of approvals could not be read and is kept as %s; approvals in other projects are gone with it", sh.Short(kept))
	}
	if err != nil {
		return nil, fmt.Errorf("trust: %w", err)
	}
	for _, i := range pending {
		names = append(names, i.Name())
	}
	for _, i := range waiting {
		if err := i.text.Let(false); err != nil {
			return names, fmt.Errorf("trust: %s: %w", i.Name, err)
		}
		names = append(names, i.Name)
	}
	return names, nil
}
