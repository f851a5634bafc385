package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/trust"
)

func (t *tool) trustCommand() *cli.Command {
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
			dirFlag(), jsonFlag(),
		},
		Action: t.trust,
	}
}

func (t *tool) untrustCommand() *cli.Command {
	return &cli.Command{
		Name:      "untrust",
		Usage:     "take approvals of a project's hooks back",
		ArgsUsage: "NAME...",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "all approvals of this project"},
			dirFlag(), jsonFlag(),
		},
		Action: t.untrust,
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

func (t *tool) trust(c *cli.Context) error {
	dir, err := t.lookFrom(c)
	if err != nil {
		return err
	}
	project, items, unread, err := t.trustItems(dir, c.Args().Slice())
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
		t.say("trust: %s", unread)
	}
	if !asJSON {
		t.printTrust(project, items)
	}
	if approve {
		err = t.approve(c, project, pending)
	}
	if asJSON {
		approved := []string{}
		if approve && err == nil {
			for _, i := range pending {
				approved = append(approved, i.Name())
			}
		}
		doc := map[string]any{"schema": 1, "project": project, "items": items, "approved": approved}
		if jerr := t.json(doc); err == nil {
			err = jerr
		}
	}
	return err
}

// trustProject is the project that approvals of a folder are recorded for, "" if
// nothing there needs any.
func (t *tool) trustProject(dir string) string {
	project, root := discovery.FindProject(dir, t.host.Home)
	if project == "" && len(t.skillsToTrust(root)) > 0 {
		return root
	}
	return project
}

// trustItems lists what needs approval in the project that a folder belongs to;
// only what is named, if there are names.
func (t *tool) trustItems(dir string, names []string) (project string, items []trustItem, unread, err error) {
	project = t.trustProject(dir)
	items = []trustItem{}
	if project == "" {
		if len(names) > 0 {
			err = fmt.Errorf("trust: no project here has hooks")
		}
		return "", items, nil, err
	}
	things, hooks := discovery.ToApprove(t.host.Sources(), project)
	for name, dir := range t.skillsToTrust(project) {
		things = append(things, trust.Thing{ID: name, Path: dir})
	}
	list, unread := trust.List(t.host.State, project, things)
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
			if i.Diff, err = it.Diff(t.host.State, project); err != nil {
				return "", nil, nil, fmt.Errorf("trust: %s: %w", name, err)
			}
		}
		items = append(items, i)
	}
	for _, name := range names {
		if !slices.ContainsFunc(items, func(i trustItem) bool { return i.Name == name }) {
			return "", nil, nil, usagef("trust: no hook folder %q in %s", name, t.short(project))
		}
	}
	return project, items, unread, nil
}

// printTrust shows what a person needs to see before a yes.
func (t *tool) printTrust(project string, items []trustItem) {
	if project == "" {
		t.printf("no project here has hooks\n")
		return
	}
	if len(items) == 0 {
		t.printf("nothing in %s needs approval\n", t.short(project))
		return
	}
	t.printf("%s\n", t.paint(bold, plain(t.short(project))))
	for _, i := range items {
		c := map[trust.State]colour{trust.Trusted: green, trust.Gone: dim, trust.Refused: red}[i.State]
		t.printf("  %s %s\n", t.paint(orColour(c, yellow), fmt.Sprintf("%-8s", i.State)), t.trustTitle(i))
	}
	for _, i := range items {
		if i.Diff != "" {
			t.printf("\n%s\n%s", t.paint(bold, t.trustTitle(i)), t.paintDiff(i.Diff))
		}
	}
}

func (t *tool) trustTitle(i trustItem) string {
	text := plain(i.Name)
	if h := i.hook; h != nil && h.Trigger != "" {
		text += " (" + plain(string(h.Trigger))
		if h.Matcher.Tool != "" {
			text += ", " + plain(h.Matcher.Tool)
		}
		text += ")"
	}
	if i.Problem != "" {
		text += ": " + plain(i.Problem)
	}
	return text
}

func orColour(c, otherwise colour) colour {
	if c == "" {
		return otherwise
	}
	return c
}

// paintDiff colours a diff on a terminal.
func (t *tool) paintDiff(diff string) string {
	if !t.colour(t.out) {
		return diff
	}
	var b strings.Builder
	for line := range strings.Lines(diff) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "+++ "), strings.HasPrefix(text, "--- "):
			text = t.paint(bold, text)
		case strings.HasPrefix(text, "+"):
			text = t.paint(green, text)
		case strings.HasPrefix(text, "-"):
			text = t.paint(red, text)
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

func (t *tool) approve(c *cli.Context, project string, pending []trust.Item) error {
	what := "1 item"
	if n := len(pending); n != 1 {
		what = fmt.Sprintf("%d items", n)
	}
	err := t.confirm(c.Bool("yes"), fmt.Sprintf("approve %s of %s as shown?", what, plain(t.short(project))), "trust")
	if err != nil {
		return err
	}
	kept, err := trust.Approve(t.host.State, project, pending, t.host.Now())
	if kept != "" {
		t.say("trust: the record of approvals could not be read and is kept as %s; approvals in other projects are gone with it", t.short(kept))
	}
	if err != nil {
		return fmt.Errorf("trust: %w", err)
	}
	if !c.Bool("json") {
		t.printf("approved %s\n", what)
	}
	return nil
}

func (t *tool) untrust(c *cli.Context) error {
	names := c.Args().Slice()
	if c.Bool("all") == (len(names) > 0) {
		return withHint(usagef("untrust: want the names of hooks, or --all"), "agents-hooks trust --show")
	}
	dir, err := t.lookFrom(c)
	if err != nil {
		return err
	}
	project := t.trustProject(dir)
	if project == "" {
		return fmt.Errorf("untrust: no project here has hooks")
	}
	revoked, err := trust.Revoke(t.host.State, project, names)
	if err != nil {
		return fmt.Errorf("untrust: %w", err)
	}
	for _, name := range names {
		if !slices.Contains(revoked, name) {
			t.say("untrust: %s was not approved", name)
			err = errReported
		}
	}
	if c.Bool("json") {
		if revoked == nil {
			revoked = []string{}
		}
		if jerr := t.json(map[string]any{"schema": 1, "project": project, "revoked": revoked}); jerr != nil {
			return jerr
		}
		return err
	}
	for _, name := range revoked {
		t.printf("%s is not trusted any more\n", plain(name))
	}
	if len(revoked) == 0 && err == nil {
		t.printf("nothing of %s was approved\n", t.short(project))
	}
	return err
}
