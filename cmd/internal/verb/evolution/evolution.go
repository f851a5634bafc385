// Package evolution is the evolution command: genes, outcomes and suggestions, the
// exchange with a server, and the page that shows them.
package evolution

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/desk"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/tools"
)

// Command is evolution for people and for agents. The verbs of package
// desk are commands as they are tools of the MCP server: from one table.
func Command(sh *shell.Shell) *cli.Command {
	c := &cli.Command{
		Name: "evolution", Aliases: []string{"evolve"},
		Usage: "what agents learn from failures: genes, outcomes, suggestions",
		Description: "A gene is a way to solve a problem that was seen before: signals and steps.\n" +
			"Genes and their outcomes lie in a store of your own; no account is needed.\n" +
			"The hooks that use them are off until: agents-hooks enable evolution",
	}
	for _, tool := range desk.Tools() {
		c.Subcommands = append(c.Subcommands, evolutionVerb(sh, tool))
	}
	c.Subcommands = append(c.Subcommands, evolutionShared(sh)...)
	return c
}

// verbs are what the help of a verb begins with, what its arguments are called,
// and which argument of the operation they are.
var verbs = map[string]struct{ usage, arguments, name string }{
	"analyze":      {"which gene fits the signals of a problem", "[SIGNAL...]", "signals"},
	"record":       {"record how it went with a gene", "[GENE]", "gene_id"},
	"create":       {"keep a way to solve a problem", "", ""},
	"report":       {"report how a piece of work went", "[TEXT|-]", "rawContext"},
	"list":         {"the genes there are", "", ""},
	"show":         {"one gene in full", "GENE", "gene_id"},
	"browse":       {"published genes and seeds", "", ""},
	"passive":      {"what has worked here", "", ""},
	"strategies":   {"proven genes for signals, with their steps", "[SIGNAL...]", "signals"},
	"import":       {"take in genes of a file, or fork one", "[FILE]", ""},
	"approve":      {"let genes out of quarantine", "GENE...", "gene_ids"},
	"reject":       {"remove genes from quarantine", "GENE...", "gene_ids"},
	"export":       {"print genes as one document", "[GENE...]", "gene_ids"},
	"export-skill": {"a proven gene as a SKILL.md", "GENE", "gene_id"},
	"publish":      {"share a gene, on trial first", "GENE", "gene_id"},
	"distill":      {"make one gene of several that helped", "[SIGNAL]", "signal"},
	"review":       {"what waits for a decision", "", ""},
	"stats":        {"numbers, and whether problems come back less", "", ""},
	"achievements": {"milestones", "", ""},
	"delete":       {"remove genes", "GENE...", "gene_ids"},
}

func evolutionVerb(sh *shell.Shell, tool desk.Tool) *cli.Command {
	v := verbs[tool.Verb]
	c := &cli.Command{Name: tool.Verb, Usage: v.usage, ArgsUsage: v.arguments, Description: tool.Description}
	for _, a := range tool.Args {
		if a.Name == "genes" { // a file, on the command line
			continue
		}
		f := argFlag(a)
		if w := words(a); w != nil {
			f = shell.Offer(f, w)
			if a.Name == v.name {
				c.BashComplete = shell.Arguments(w)
			}
		}
		c.Flags = append(c.Flags, f)
	}
	if tool.Verb == "import" {
		c.BashComplete = shell.Arguments(shell.Files)
	}
	if tool.Verb == "analyze" {
		c.Flags = append(c.Flags, &cli.Int64Flag{Name: "seed", Usage: "choose as with this `NUMBER` again"},
			&cli.BoolFlag{Name: "remote", Usage: "with a key: ask the server if nothing here fits"})
	}
	if tool.Verb == "export-skill" {
		c.Flags = append(c.Flags, &cli.BoolFlag{Name: "text", Usage: "the SKILL.md only, as without --json"})
	}
	c.Flags = append(c.Flags, hookset.DirFlag(), shell.JSONFlag())
	c.Action = func(c *cli.Context) error { return evolve(sh, c, tool) }
	return c
}

// argFlag is an argument of an operation as a flag: gene_id is --gene-id, and
// --gene_id for who knows the tool.
func argFlag(a desk.Arg) cli.Flag {
	name := strings.ReplaceAll(kebab(a.Name), "_", "-")
	var aliases []string
	if name != a.Name {
		aliases = append(aliases, a.Name)
	}
	if a.Name == "gene_id" || a.Name == "gene_ids" {
		aliases = append(aliases, "gene")
	}
	switch a.Type {
	case "boolean":
		return &cli.BoolFlag{Name: name, Aliases: aliases, Usage: a.Help}
	case "number":
		return &cli.Float64Flag{Name: name, Aliases: aliases, Usage: a.Help}
	case "integer":
		return &cli.IntFlag{Name: name, Aliases: aliases, Usage: a.Help}
	case "array":
		help := a.Help + "; repeats"
		if splits(a.Name) {
			help += ", splits at commas"
		}
		return &cli.GenericFlag{Name: name, Aliases: aliases, Usage: help, Value: &shell.List{}}
	}
	return &cli.StringFlag{Name: name, Aliases: aliases, Usage: a.Help}
}

// kebab makes rawContext raw-context.
func kebab(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// splits reports whether a list has no commas in its items: steps are sentences.
func splits(name string) bool { return name != "strategy" && name != "preconditions" }

// evolve does an operation.
func evolve(sh *shell.Shell, c *cli.Context, tool desk.Tool) error {
	given, err := evolutionArgs(sh, c, tool)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(given)
	if err != nil {
		return err
	}
	d, err := deskOf(sh, c)
	if err != nil {
		return err
	}
	answer, err := d.Call(c.Context, tool.Name, raw)
	if err != nil {
		return evolutionError(tool.Verb, err)
	}
	if a, ok := answer.(*desk.Analysis); ok && c.Bool("remote") {
		askServer(sh, c, a)
	}
	if c.Bool("json") {
		err = sh.JSON(answer)
	} else {
		err = printEvolution(sh, answer)
	}
	if err == nil && refused(answer) {
		return shell.ErrReported
	}
	return err
}

// refused reports whether an answer says that nothing was done.
func refused(answer any) bool {
	switch a := answer.(type) {
	case *desk.Created:
		return a.Status == "refused" || a.Status == "similar"
	case *desk.Imported:
		return a.Added+a.Updated == 0 && len(a.Refused) > 0
	}
	return false
}

// evolutionError is an error of the desk in the voice of the command line.
func evolutionError(verb string, err error) error {
	var e *desk.Error
	if !errors.As(err, &e) {
		return err
	}
	out := errors.New("evolution " + verb + ": " + e.Message)
	if e.Code == "usage" {
		out = shell.Usagef("%s: %s", verb, e.Message)
	}
	if e.Hint != "" {
		return shell.WithHint(out, e.Hint)
	}
	return out
}

// evolutionArgs are the arguments of an operation, from flags and words.
func evolutionArgs(sh *shell.Shell, c *cli.Context, tool desk.Tool) (map[string]any, error) {
	out := map[string]any{}
	for _, a := range tool.Args {
		name := strings.ReplaceAll(kebab(a.Name), "_", "-")
		if a.Name == "genes" || !c.IsSet(name) {
			continue
		}
		switch a.Type {
		case "boolean":
			out[a.Name] = c.Bool(name)
		case "number":
			f := c.Float64(name)
			if math.IsNaN(f) || math.IsInf(f, 0) {
				return nil, shell.Usagef("%s: --%s: want a number", tool.Verb, name)
			}
			out[a.Name] = f
		case "integer":
			out[a.Name] = c.Int(name)
		case "array":
			out[a.Name] = items(a, c.Generic(name).(*shell.List).List)
		case "object":
			if !json.Valid([]byte(c.String(name))) {
				return nil, shell.Usagef("%s: --%s: want JSON", tool.Verb, name)
			}
			out[a.Name] = json.RawMessage(c.String(name))
		default:
			out[a.Name] = c.String(name)
		}
	}
	return out, positional(sh, c, tool, out)
}

// items are what was given of a list: where objects may stand in it as well, one
// that is given is taken as a whole, with its commas.
func items(a desk.Arg, given []string) (out []any) {
	for _, s := range given {
		s = strings.TrimSpace(s)
		switch {
		case a.Items == "" && strings.HasPrefix(s, "{") && json.Valid([]byte(s)):
			out = append(out, json.RawMessage(s))
		case splits(a.Name):
			for _, w := range shell.SplitCommas([]string{s}) {
				out = append(out, w)
			}
		default:
			out = append(out, s)
		}
	}
	return out
}

// positional adds what stands without a flag.
func positional(sh *shell.Shell, c *cli.Context, tool desk.Tool, out map[string]any) error {
	if tool.Verb == "import" {
		return geneFile(sh, c, out)
	}
	v := verbs[tool.Verb]
	most := 0
	switch {
	case strings.Contains(v.arguments, "..."):
		most = -1
	case v.arguments != "":
		most = 1
	}
	list, err := shell.Args(c, 0, most, strings.ToLower(cmp.Or(v.arguments, "flags only")))
	if err != nil || len(list) == 0 {
		return err
	}
	if _, twice := out[v.name]; twice {
		return shell.Usagef("%s: %s stands twice, as an argument and as a flag", tool.Verb, v.name)
	}
	switch {
	case most < 0:
		i := slices.IndexFunc(tool.Args, func(a desk.Arg) bool { return a.Name == v.name })
		out[v.name] = items(tool.Args[i], list)
	case list[0] == "-":
		b, err := shell.ReadAll(sh.In, 1<<20)
		if err != nil {
			return err
		}
		out[v.name] = string(b)
	default:
		out[v.name] = list[0]
	}
	return nil
}

// geneFile reads what is imported: a document of export, a list of genes, or one.
func geneFile(sh *shell.Shell, c *cli.Context, out map[string]any) error {
	if c.Bool("fork") {
		_, err := shell.Args(c, 0, 0, "flags only with --fork")
		return err
	}
	b, err := sh.FileOrStdin(c, "evolution", 64<<20)
	if err != nil {
		return err
	}
	var file struct {
		Genes []json.RawMessage `json:"genes"`
	}
	var list []json.RawMessage
	switch {
	case json.Unmarshal(b, &list) == nil:
	case json.Unmarshal(b, &file) == nil && file.Genes != nil:
		list = file.Genes
	case json.Valid(b):
		list = []json.RawMessage{b}
	default:
		return errors.New("evolution import: want JSON: a document of export, a list of genes, or one gene")
	}
	out["genes"] = list
	return nil
}

// deskOf is the desk of a command: the person's store, the project's scope.
func deskOf(sh *shell.Shell, c *cli.Context) (*desk.Desk, error) {
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return nil, err
	}
	d := tools.DeskIn(sh, c.Context, from, sh.Host.Getenv("AGENTS_HOOKS_SESSION_ID"), sh.Host.Getenv("AGENTS_HOOKS_AGENT"))
	if c.IsSet("seed") {
		d.Random = rand.New(rand.NewPCG(uint64(c.Int64("seed")), 0))
	}
	return d, nil
}

// words are what an argument may be, nil if that is anything.
func words(a desk.Arg) shell.Words {
	switch a.Name {
	case "signals", "signals_match", "signal", "tags":
		return shell.Fixed(signalWords()...)
	}
	if a.Words == nil {
		return nil
	}
	return shell.Fixed(a.Words...)
}

// signalWords are the signals that outputs are searched for.
func signalWords() []string {
	var list []string
	for _, k := range signal.Keys() {
		list = append(list, string(k))
	}
	return list
}
