package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/discovery"
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
	Name     string               `json:"name"`
	Path     string               `json:"path"`
	State    discovery.TrustState `json:"state"`
	Hash     string               `json:"hash"`
	Approved string               `json:"approved"` // when, "" if never
	Problem  string               `json:"problem"`
	Diff     string               `json:"diff"` // since then; of a new item, all of it

	item discovery.TrustItem
}

func (i trustItem) pending() bool {
	return i.State == discovery.NewItem || i.State == discovery.ChangedItem
}

func (t *tool) trust(c *cli.Context) error {
	dir, err := t.lookFrom(c)
	if err != nil {
		return err
	}
	project, items, problem, err := t.trustItems(dir, c.Args().Slice())
	if err != nil {
		return err
	}
	var pending []discovery.TrustItem
	for _, i := range items {
		if i.pending() {
			pending = append(pending, i.item)
		}
	}
	asJSON, approve := c.Bool("json"), len(pending) > 0 && !c.Bool("show") && (c.Bool("yes") || !c.Bool("json"))
	if problem != nil {
		t.say("trust: %s", problem)
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
				approved = append(approved, i.Name)
			}
		}
		doc := map[string]any{"schema": 1, "project": project, "items": items, "approved": approved}
		if jerr := t.json(doc); err == nil {
			err = jerr
		}
	}
	return err
}

// trustSources are where hooks are looked for, and the prompts of skills, which
// need approval like them.
func (t *tool) trustSources() discovery.Sources {
	src := t.host.Sources()
	src.Further = t.skillsToTrust
	return src
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
func (t *tool) trustItems(dir string, names []string) (project string, items []trustItem, problem *discovery.Problem, err error) {
	src := t.trustSources()
	project = t.trustProject(dir)
	items = []trustItem{}
	if project == "" {
		if len(names) > 0 {
			err = fmt.Errorf("trust: no project here has hooks")
		}
		return "", items, nil, err
	}
	list, problem := discovery.TrustItems(src, project)
	for _, it := range list {
		if len(names) > 0 && !slices.Contains(names, it.Name) {
			continue
		}
		i := trustItem{Name: it.Name, Path: it.Path, State: it.State, Hash: it.Hash, Approved: it.Approved, Problem: it.Problem, item: it}
		if i.pending() {
			if i.Diff, err = it.Diff(src, project); err != nil {
				return "", nil, nil, fmt.Errorf("trust: %s: %w", it.Name, err)
			}
		}
		items = append(items, i)
	}
	for _, name := range names {
		if !slices.ContainsFunc(items, func(i trustItem) bool { return i.Name == name }) {
			return "", nil, nil, usagef("trust: no hook folder %q in %s", name, t.short(project))
		}
	}
	return project, items, problem, nil
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
		c := map[discovery.TrustState]colour{discovery.TrustedItem: green, discovery.GoneItem: dim, discovery.RefusedItem: red}[i.State]
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
	if h := i.item.Hook; h != nil && h.Trigger != "" {
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

func (t *tool) approve(c *cli.Context, project string, pending []discovery.TrustItem) error {
	what := "1 item"
	if n := len(pending); n != 1 {
		what = fmt.Sprintf("%d items", n)
	}
	err := t.confirm(c.Bool("yes"), fmt.Sprintf("approve %s of %s as shown?", what, plain(t.short(project))), "trust")
	if err != nil {
		return err
	}
	kept, err := discovery.Approve(t.trustSources(), project, pending, t.host.Now())
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
	revoked, err := discovery.Revoke(t.host.Sources(), project, names)
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
