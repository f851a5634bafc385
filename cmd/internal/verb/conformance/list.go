package conformance

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/conformance"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/spec"
)

func listCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "show the cases, or the requirements with their cases",
		ArgsUsage: "[PATTERN...]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "spec", Usage: "only cases about requirement `ID`"},
			&cli.BoolFlag{Name: "requirements", Usage: "each requirement with its cases"},
			&cli.StringFlag{Name: "show", Usage: "print the source of the case `ID`"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o := readList(c)
			cases, err := list(o)
			switch {
			case err != nil:
				return err
			case o.show != "":
				sh.Printf("%s", cases[0].Source)
				return nil
			case o.requirements:
				return printRequirements(sh, conformance.Cover(cases), o.json)
			}
			return printCases(sh, cases, o.json)
		},
	}
}

type listOptions struct {
	patterns     []string
	spec         string // the id of a requirement, "" for any
	show         string // the id of one case
	requirements bool
	json         bool
}

func readList(c *cli.Context) listOptions {
	return listOptions{c.Args(), c.String("spec"), c.String("show"), c.Bool("requirements"), c.Bool("json")}
}

// list are the requested cases.
func list(o listOptions) ([]conformance.Case, error) {
	cases, err := conformance.Cases()
	if err != nil {
		return nil, err
	}
	if o.show != "" {
		i := slices.IndexFunc(cases, func(k conformance.Case) bool { return k.ID == o.show })
		if i < 0 {
			return nil, shell.Usagef("conformance: no case %q", o.show)
		}
		return cases[i : i+1], nil
	}
	if len(o.patterns) > 0 {
		if cases, err = (conformance.Options{Run: o.patterns}).Choose(cases); err != nil {
			return nil, shell.Usagef("%s", "conformance: "+err.Error())
		}
	}
	if o.spec == "" {
		return cases, nil
	}
	r, ok := spec.Find(o.spec)
	if !ok {
		return nil, shell.WithHint(shell.Usagef("conformance: no requirement %q", o.spec), "agents-hooks conformance list --requirements")
	}
	return slices.DeleteFunc(slices.Clone(cases), func(k conformance.Case) bool { return !slices.Contains(k.Spec, r.ID) }), nil
}

// A listedCase is a case as printed with --json.
type listedCase struct {
	ID      string              `json:"id"`
	Title   string              `json:"title"`
	Profile conformance.Profile `json:"profile"`
	Agent   string              `json:"agent,omitempty"`
	Spec    []string            `json:"spec"`
	Gaps    []int               `json:"gaps,omitempty"`
	Needs   []string            `json:"needs,omitempty"`
}

func printCases(sh *shell.Shell, cases []conformance.Case, asJSON bool) error {
	if asJSON {
		list := []listedCase{}
		for _, k := range cases {
			list = append(list, listedCase{k.ID, k.Title, k.Profile, k.Agent, k.Spec, k.Gaps, k.Needs})
		}
		return sh.JSON(map[string]any{"schema": 1, "suite": conformance.Version, "hash": conformance.Hash(), "spec": spec.Version, "cases": list})
	}
	for _, k := range cases {
		profile := string(k.Profile)
		sh.Printf("%s\n    %s  %s\n", titled(sh, k.ID, k.Title), profile, text.Wrap(strings.Join(k.Spec, " "), sh.Columns()-6-len(profile), "    "))
	}
	return nil
}

// titled is an id and what it is about, on lines of their own where one is too short.
func titled(sh *shell.Shell, id, about string) string {
	if line := id + "  " + about; text.Width(line) <= sh.Columns() {
		return line
	}
	return id + "\n    " + text.Wrap(about, sh.Columns()-4, "    ")
}

func printRequirements(sh *shell.Shell, rows []conformance.Coverage, asJSON bool) error {
	if asJSON {
		return sh.JSON(map[string]any{"schema": 1, "spec": spec.Version, "requirements": rows})
	}
	for _, r := range rows {
		sh.Printf("%s\n", titled(sh, r.ID, r.Text))
		for _, id := range r.Cases {
			sh.Printf("    %s\n", id)
		}
	}
	return nil
}
