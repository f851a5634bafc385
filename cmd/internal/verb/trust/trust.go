package trust

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/trust"
)

func trustCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "trust",
		Usage:     "look at a project's hooks and skills and approve them",
		ArgsUsage: "[NAME...]",
		Description: "Shows what is new or changed in this project since the last approval, and\n" +
			"asks. Only what was approved is run, and only as it was approved: any other\n" +
			"byte needs a new approval. --yes is refused inside a hook, and where an\n" +
			"agent may have typed it.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "show", Usage: "only show, ask nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "approve without asking"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return approveCommand(sh, c) },
	}
}

func untrustCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "untrust",
		Usage:     "take approvals of a project's hooks back",
		ArgsUsage: "NAME...",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "all approvals of this project"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return untrust(sh, c) },
	}
}

// A trustItem is one thing that needs approval, as --json prints it.
type trustItem struct {
	Name     string      `json:"name"`
	Path     string      `json:"path"`
	State    trust.State `json:"state"`
	Hash     string      `json:"hash"`
	Approved string      `json:"approved"` // when, "" if never
	Problem  string      `json:"problem"`
	Diff     string      `json:"diff"` // since then; of a new item, all of it

	item trust.Item
	hook *discovery.Hook // nil for what is no hook, and for what is gone
}

func (i trustItem) pending() bool {
	return i.State == trust.New || i.State == trust.Changed
}

func approveCommand(sh *shell.Shell, c *cli.Context) error {
	dir, err := hookset.LookFrom(sh, c)
	if err != nil {
		return err
	}
	project, items, unread, err := trustItems(sh, dir, c.Args().Slice())
	if err != nil {
		return err
	}
	var pending []trust.Item
	for _, i := range items {
		if i.pending() {
			pending = append(pending, i.item)
		}
	}
	asJSON, approve := c.Bool("json"), len(pending) > 0 && !c.Bool("show") && (c.Bool("yes") || !c.Bool("json"))
	if unread != nil {
		sh.Say("trust: %s", unread)
	}
	if !asJSON {
		printTrust(sh, project, items)
	}
	if approve {
		err = approveItems(sh, c, project, pending)
	}
	if asJSON {
		approved := []string{}
		if approve && err == nil {
			for _, i := range pending {
				approved = append(approved, i.Name())
			}
		}
		doc := map[string]any{"schema": 1, "project": project, "items": items, "approved": approved}
		if jerr := sh.JSON(doc); err == nil {
			err = jerr
		}
	}
	return err
}

// trustProject is the project that approvals of a folder are recorded for, "" if
// nothing there needs any.
func trustProject(sh *shell.Shell, dir string) string {
	project, root := discovery.FindProject(dir, sh.Host.Home)
	if project == "" && len(skills.ToTrust(root, sh.Host.Config, sh.Host.Home)) > 0 {
		return root
	}
	return project
}

// trustItems lists what needs approval in the project that a folder belongs to;
// only what is named, if there are names.
func trustItems(sh *shell.Shell, dir string, names []string) (project string, items []trustItem, unread, err error) {
	project = trustProject(sh, dir)
	items = []trustItem{}
	if project == "" {
		if len(names) > 0 {
			err = fmt.Errorf("trust: no project here has hooks")
		}
		return "", items, nil, err
	}
	things, hooks := discovery.ToApprove(sh.Host.Sources(), project)
	for name, dir := range skills.ToTrust(project, sh.Host.Config, sh.Host.Home) {
		things = append(things, trust.Thing{ID: name, Path: dir})
	}
	list, unread := trust.List(sh.Host.State, project, things)
	for _, it := range list {
		name := it.Name()
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		i := trustItem{Name: name, Path: it.Path, State: it.State, Hash: it.Hash, Approved: it.Approved, Problem: it.Problem, item: it}
		if at := slices.IndexFunc(hooks, func(h *discovery.Hook) bool { return h.Dir == it.Path }); at >= 0 {
			i.hook = hooks[at]
		}
		if i.pending() {
			if i.Diff, err = it.Diff(sh.Host.State, project); err != nil {
				return "", nil, nil, fmt.Errorf("trust: %s: %w", name, err)
			}
		}
		items = append(items, i)
	}
	for _, name := range names {
		if !slices.ContainsFunc(items, func(i trustItem) bool { return i.Name == name }) {
			return "", nil, nil, shell.Usagef("trust: no hook folder %q in %s", name, sh.Short(project))
		}
	}
	return project, items, unread, nil
}

// printTrust shows what a person needs to see before a yes.
func printTrust(sh *shell.Shell, project string, items []trustItem) {
	if project == "" {
		sh.Printf("no project here has hooks\n")
		return
	}
	if len(items) == 0 {
		sh.Printf("nothing in %s needs approval\n", sh.Short(project))
		return
	}
	sh.Printf("%s\n", sh.Paint(shell.Bold, shell.Plain(sh.Short(project))))
	for _, i := range items {
		c := map[trust.State]shell.Colour{trust.Trusted: shell.Green, trust.Gone: shell.Dim, trust.Refused: shell.Red}[i.State]
		sh.Printf("  %s %s\n", sh.Paint(cmp.Or(c, shell.Yellow), fmt.Sprintf("%-8s", i.State)), trustTitle(sh, i))
	}
	for _, i := range items {
		if i.Diff != "" {
			sh.Printf("\n%s\n%s", sh.Paint(shell.Bold, trustTitle(sh, i)), paintDiff(sh, i.Diff))
		}
	}
}

func trustTitle(sh *shell.Shell, i trustItem) string {
	text := shell.Plain(i.Name)
	if h := i.hook; h != nil && h.Trigger != "" {
		text += " (" + shell.Plain(string(h.Trigger))
		if h.Matcher.Tool != "" {
			text += ", " + shell.Plain(h.Matcher.Tool)
		}
		text += ")"
	}
	if i.Problem != "" {
		text += ": " + shell.Plain(i.Problem)
	}
	return text
}

// paintDiff colours a diff on a terminal.
func paintDiff(sh *shell.Shell, diff string) string {
	if !sh.Colour(sh.Out) {
		return diff
	}
	var b strings.Builder
	for line := range strings.Lines(diff) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "+++ "), strings.HasPrefix(text, "--- "):
			text = sh.Paint(shell.Bold, text)
		case strings.HasPrefix(text, "+"):
			text = sh.Paint(shell.Green, text)
		case strings.HasPrefix(text, "-"):
			text = sh.Paint(shell.Red, text)
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

func approveItems(sh *shell.Shell, c *cli.Context, project string, pending []trust.Item) error {
	what := "1 item"
	if n := len(pending); n != 1 {
		what = fmt.Sprintf("%d items", n)
	}
	err := sh.Confirm(c.Bool("yes"), fmt.Sprintf("approve %s of %s as shown?", what, shell.Plain(sh.Short(project))), "trust")
	if err != nil {
		return err
	}
	kept, err := trust.Approve(sh.Host.State, project, pending, sh.Host.Now())
	if kept != "" {
		sh.Say("trust: the record of approvals could not be read and is kept as %s; approvals in other projects are gone with it", sh.Short(kept))
	}
	if err != nil {
		return fmt.Errorf("trust: %w", err)
	}
	if !c.Bool("json") {
		sh.Printf("approved %s\n", what)
	}
	return nil
}

func untrust(sh *shell.Shell, c *cli.Context) error {
	names := c.Args().Slice()
	if c.Bool("all") == (len(names) > 0) {
		return shell.WithHint(shell.Usagef("untrust: want the names of hooks, or --all"), "agents-hooks trust --show")
	}
	dir, err := hookset.LookFrom(sh, c)
	if err != nil {
		return err
	}
	project := trustProject(sh, dir)
	if project == "" {
		return fmt.Errorf("untrust: no project here has hooks")
	}
	revoked, err := trust.Revoke(sh.Host.State, project, names)
	if err != nil {
		return fmt.Errorf("untrust: %w", err)
	}
	for _, name := range names {
		if !slices.Contains(revoked, name) {
			sh.Say("untrust: %s was not approved", name)
			err = shell.ErrReported
		}
	}
	if c.Bool("json") {
		if revoked == nil {
			revoked = []string{}
		}
		if jerr := sh.JSON(map[string]any{"schema": 1, "project": project, "revoked": revoked}); jerr != nil {
			return jerr
		}
		return err
	}
	for _, name := range revoked {
		sh.Printf("%s is not trusted any more\n", shell.Plain(name))
	}
	if len(revoked) == 0 && err == nil {
		sh.Printf("nothing of %s was approved\n", sh.Short(project))
	}
	return err
}
