package about

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/spec"
)

func specCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "spec",
		Usage:        "print the text of the format, a schema, or one rule",
		ArgsUsage:    "[PAGE | SCHEMA | RULE]",
		BashComplete: shell.Arguments(shell.First(shell.Listed(specWords))),
		Description: "Prints a page (spec, errata, settings, changes), a JSON Schema (hook,\n" +
			"hooks-toml, event, outcome …) or one rule by its id (hm-io-15); without a\n" +
			"name, the specification. --list names all pages and schemas.",
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "list", Usage: "name the pages and schemas"}, shell.JSONFlag()},
		Action: func(c *cli.Context) error { return showPage(sh, c) },
	}
}

// specPage is a page or a schema as it is printed with --json.
type specPage struct {
	Schema int `json:"schema"`
	spec.Doc
	Text string `json:"text"`
}

func showPage(sh *shell.Shell, c *cli.Context) error {
	words, err := shell.Args(c, 0, 1, "at most one page")
	if err != nil {
		return err
	}
	asJSON := c.Bool("json")
	if c.Bool("list") {
		if len(words) > 0 {
			return shell.Usagef("spec: --list takes no page")
		}
		return specList(sh, asJSON)
	}
	name := "spec"
	if len(words) > 0 {
		name = words[0]
	}
	if r, ok := spec.Find(name); ok {
		if asJSON {
			return sh.JSON(map[string]any{"schema": 1, "version": spec.Version, "rule": r})
		}
		sh.Printf("%s %s\n", r.ID, r.Text)
		return nil
	}
	page, ok := findPage(name)
	if !ok {
		return noSuchPage(name)
	}
	if asJSON {
		return sh.JSON(page)
	}
	sh.Printf("%s", page.Text)
	return nil
}

// findPage looks a page or schema up by the name or file name that a person
// gives.
func findPage(name string) (specPage, bool) {
	is := func(d spec.Doc) bool { return strings.EqualFold(d.Name, name) || strings.EqualFold(d.File, name) }
	for _, d := range spec.Pages() {
		if is(d) {
			text, ok := spec.Page(d.Name)
			return specPage{1, d, text}, ok
		}
	}
	for _, d := range spec.Schemas() {
		if is(d) {
			text, ok := spec.Schema(d.Name)
			return specPage{1, d, text}, ok
		}
	}
	return specPage{}, false
}

func noSuchPage(name string) error {
	err := shell.Usagef("spec: no such page, schema or rule: %q", name)
	if near := text.Nearest(strings.ToLower(name), specNames(), 2); near != "" {
		return shell.WithHint(err, "agents-hooks spec "+near, "agents-hooks spec --list")
	}
	return shell.WithHint(err, "agents-hooks spec --list")
}

func specNames() []string {
	var names []string
	for _, d := range append(spec.Pages(), spec.Schemas()...) {
		names = append(names, d.Name)
	}
	return names
}

func specList(sh *shell.Shell, asJSON bool) error {
	if asJSON {
		return sh.JSON(map[string]any{"schema": 1, "version": spec.Version, "pages": spec.Pages(), "schemas": spec.Schemas()})
	}
	sh.Printf("specification %s\n\npages\n", spec.Version)
	specDocs(sh, spec.Pages())
	sh.Printf("\nschemas\n")
	specDocs(sh, spec.Schemas())
	return nil
}

func specDocs(sh *shell.Shell, docs []spec.Doc) {
	for _, d := range docs {
		sh.Printf("  %-12s %s\n", d.Name, d.Title)
	}
}

func specWords() []shell.Suggestion {
	var list []shell.Suggestion
	for _, d := range append(spec.Pages(), spec.Schemas()...) {
		list = append(list, shell.Suggestion{Word: d.Name, Text: d.Title})
	}
	return list
}
