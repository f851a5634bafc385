package shell

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/examples"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A Topic is a part of the help: a heading for commands.
type Topic string

// Topics of commands, in the order of the help.
const (
	Guards     Topic = "Guards: write hooks, try them, switch and approve them"
	Agents     Topic = "Agents: connect them, and see that it holds"
	Look       Topic = "Look: what would run, what ran, and why"
	Behaviours Topic = "Behaviours: what comes with the program, off until you enable it"
	Team       Topic = "Team: the same for everybody"
	Program    Topic = "The program and the format"
)

// Topics are all of them.
func Topics() []Topic { return []Topic{Guards, Agents, Look, Behaviours, Team, Program} }

// Columns is the maximum width of a line for people: the terminal's, within limits in
// which a text is readable, and 79 if there is none.
func (sh *Shell) Columns() int {
	const least, most, otherwise = 40, 100, 79
	if width := TerminalWidth(sh.Out); width > 0 {
		return max(least, min(width-1, most))
	}
	return otherwise
}

// printHelp prints the help of the program or of a command.
func (sh *Shell) printHelp(of *cli.Command) {
	h := helpText{sh.Out, sh.Columns()}
	h.section("NAME", of.FullName+" - "+of.Usage)
	if of.FullName == sh.Name {
		helpOfProgram(h, of)
	} else {
		helpOfCommand(h, of.FullName, of)
	}
}

// A helpPage is what help is written on: a terminal, or a manual page.
type helpPage interface {
	section(title, body string)
	table(title string, rows [][2]string)
	lines(title string, list []string) // for copying: they are never broken
}

func helpOfProgram(p helpPage, app *cli.Command) {
	p.section("USAGE", app.Name+" "+app.ArgsUsage)
	if app.Description != "" {
		p.section("DESCRIPTION", paragraphs(app.Description))
	}
	grouped(p, app.Subcommands)
	if flags := app.VisibleFlags(); len(flags) > 1 { // more than --help
		p.table("OPTIONS", flagRows(flags))
	}
	p.lines("EXAMPLES", examples.Of(app.Name))
}

func helpOfCommand(p helpPage, name string, c *cli.Command) {
	usage := name
	if len(c.Subcommands) > 0 {
		usage += " COMMAND"
	}
	p.section("USAGE", strings.TrimSpace(usage+" [FLAGS] "+c.ArgsUsage))
	if c.Description != "" {
		p.section("DESCRIPTION", paragraphs(c.Description))
	}
	p.table("COMMANDS", commandRows(c.Subcommands))
	p.table("OPTIONS", flagRows(c.VisibleFlags()))
	p.lines("EXAMPLES", examples.Of(name))
}

type helpText struct {
	w     io.Writer
	width int
}

func (h helpText) section(title, body string) {
	fmt.Fprintf(h.w, "%s:\n   %s\n\n", title, text.Wrap(body, h.width-3, "   "))
}

func (h helpText) lines(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(h.w, "%s:\n", title)
	for _, l := range lines {
		fmt.Fprintf(h.w, "   %s\n", strings.ReplaceAll(l, "\n", "\n   "))
	}
	fmt.Fprintln(h.w)
}

// grouped prints the program's commands, each group below its heading.
func grouped(p helpPage, list []*cli.Command) {
	for _, g := range Topics() {
		var of []*cli.Command
		for _, c := range list {
			if c.Category == string(g) {
				of = append(of, c)
			}
		}
		p.table(string(g), commandRows(of))
	}
	var rest []*cli.Command
	for _, c := range list {
		if c.Category == "" {
			rest = append(rest, c)
		}
	}
	p.table("COMMANDS", commandRows(rest))
}

// paragraphs joins the lines of a text within each paragraph.
func paragraphs(s string) string {
	parts := strings.Split(s, "\n\n")
	for i, p := range parts {
		parts[i] = text.OneLine(p)
	}
	return strings.Join(parts, "\n\n")
}

func commandRows(list []*cli.Command) (rows [][2]string) {
	for _, c := range list {
		if !c.Hidden {
			rows = append(rows, [2]string{strings.Join(c.Names(), ", "), c.Usage})
		}
	}
	return rows
}

func flagRows(list []cli.Flag) (rows [][2]string) {
	for _, f := range list {
		name := "--" + strings.Join(f.Names(), ", --")
		value, usage := placeholder(f.About())
		if f.TakesValue() {
			name += " " + value
		}
		if otherwise := f.Default(); otherwise != "" {
			usage += " (default: " + otherwise + ")"
		}
		rows = append(rows, [2]string{shortNames(name), usage})
	}
	return rows
}

// shortNames gives single-letter names a single hyphen.
func shortNames(s string) string {
	words := strings.Split(s, ", ")
	for i, w := range words {
		if name, rest, _ := strings.Cut(strings.TrimPrefix(w, "--"), " "); len(name) == 1 {
			words[i] = strings.TrimSpace("-" + name + " " + rest)
		}
	}
	return strings.Join(words, ", ")
}

// placeholder extracts the word in back quotes from a usage: it names the value.
func placeholder(usage string) (value, text string) {
	before, rest, ok := strings.Cut(usage, "`")
	word, after, closed := strings.Cut(rest, "`")
	if !ok || !closed {
		return "VALUE", usage
	}
	return word, before + word + after
}

// table prints names and their meanings. A name that is too long for its column gets
// its own line.
func (h helpText) table(title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	most := min(24, h.width/2-3)
	width := 0
	for _, r := range rows {
		if n := utf8.RuneCountInString(r[0]); n <= most {
			width = max(width, n)
		}
	}
	fmt.Fprintf(h.w, "%s:\n", title)
	indent := strings.Repeat(" ", 3+width+2)
	for _, r := range rows {
		usage := text.Wrap(r[1], h.width-len(indent), indent)
		if utf8.RuneCountInString(r[0]) > width {
			fmt.Fprintf(h.w, "   %s\n%s%s\n", r[0], indent, usage)
		} else {
			fmt.Fprintln(h.w, strings.TrimRight(fmt.Sprintf("   %-*s  %s", width, r[0], usage), " "))
		}
	}
	fmt.Fprintln(h.w)
}
