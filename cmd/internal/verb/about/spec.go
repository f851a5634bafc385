package about

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/spec"
)

func specCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "spec",
		Usage:     "print the text of the format, a schema, or one rule",
		ArgsUsage: "[PAGE | SCHEMA | RULE]",
		Complete:  shell.First(complete),
		Description: "Prints a page (spec, errata, settings, changes), a JSON Schema (hook,\n" +
			"hooks-toml, event, outcome …) or one rule by its id (hm-io-15); without a\n" +
			"name, the specification. --list names all pages and schemas.",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "list", Usage: "name the pages and schemas"}, shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 0, 1, "at most one page")
			if err != nil {
				return err
			}
			asJSON := c.Bool("json")
			switch {
			case c.Bool("list") && len(words) > 0:
				return shell.Usagef("spec: --list cannot be used with the name of a page")
			case c.Bool("list"):
				return printDocs(sh, asJSON)
			case len(words) == 0:
				words = []string{"spec"}
			}
			if r, ok := spec.Find(words[0]); ok {
				return printRule(sh, r, asJSON)
			}
			page, ok := findPage(words[0])
			if !ok {
				return noSuchPage(words[0])
			}
			return printPage(sh, page, asJSON)
		},
	}
}

// A page of the specification, or a schema, as printed with --json.
type page struct {
	Schema int `json:"schema"`
	spec.Doc
	Text string `json:"text"`
}

// findPage finds a page or schema by its name or file name.
func findPage(name string) (page, bool) {
	is := func(d spec.Doc) bool { return strings.EqualFold(d.Name, name) || strings.EqualFold(d.File, name) }
	for _, d := range spec.Pages() {
		if is(d) {
			text, ok := spec.Page(d.Name)
			return page{1, d, text}, ok
		}
	}
	for _, d := range spec.Schemas() {
		if is(d) {
			text, ok := spec.Schema(d.Name)
			return page{1, d, text}, ok
		}
	}
	return page{}, false
}

func noSuchPage(name string) error {
	err := shell.Usagef("spec: no such page, schema or rule: %q", name)
	if near := text.Nearest(strings.ToLower(name), known(), 2); near != "" {
		return shell.WithHint(err, "agents-hooks spec "+near, "agents-hooks spec --list")
	}
	return shell.WithHint(err, "agents-hooks spec --list")
}

// known are the names of all that can be printed.
func known() (names []string) {
	for _, d := range append(spec.Pages(), spec.Schemas()...) {
		names = append(names, d.Name)
	}
	for _, r := range spec.Rules() {
		names = append(names, r.Anchor())
	}
	return names
}

// complete offers pages and schemas, and the rules of a page once a word begins as their ids do: there
// are a thousand. They are spelled as the word is.
func complete(l cli.Line) (list []cli.Suggestion, kind cli.Kind) {
	for _, d := range append(spec.Pages(), spec.Schemas()...) {
		list = append(list, cli.Suggestion{Word: d.Name, Text: d.Title})
	}
	if len(l.Word) < 2 {
		return list, ""
	}
	for _, r := range spec.Rules() {
		id := r.Anchor()
		if l.Word == strings.ToUpper(l.Word) {
			id = r.ID
		}
		list = append(list, cli.Suggestion{Word: id, Text: text.Clip(r.Text, 60)})
	}
	return list, ""
}

func printRule(sh *shell.Shell, r spec.Requirement, asJSON bool) error {
	return sh.Answer(asJSON, map[string]any{"schema": 1, "version": spec.Version, "rule": r}, func() { sh.Printf("%s %s\n", r.ID, r.Text) })
}

func printPage(sh *shell.Shell, p page, asJSON bool) error {
	return sh.Answer(asJSON, p, func() { sh.Printf("%s", p.Text) })
}

// printDocs lists the pages and schemas.
func printDocs(sh *shell.Shell, asJSON bool) error {
	if asJSON {
		return sh.JSON(map[string]any{"schema": 1, "version": spec.Version, "pages": spec.Pages(), "schemas": spec.Schemas()})
	}
	sh.Printf("specification %s\n", spec.Version)
	for _, part := range []struct {
		title string
		docs  []spec.Doc
	}{{"pages", spec.Pages()}, {"schemas", spec.Schemas()}} {
		sh.Printf("\n%s\n", part.title)
		for _, d := range part.docs {
			sh.Printf("  %-12s %s\n", d.Name, d.Title)
		}
	}
	return nil
}
