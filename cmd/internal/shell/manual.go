package shell

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
)

// WriteManual writes a program's manual into a folder: a page of section 1 for the
// program and for each of its commands, with their help.
func WriteManual(dir string, app *cli.Command) error {
	p := newManualPage(app.Name, app.Usage)
	helpOfProgram(p, app)
	if err := p.write(dir); err != nil {
		return err
	}
	return writeCommands(dir, app.Name, app.Subcommands)
}

func writeCommands(dir, parent string, list []*cli.Command) error {
	for _, c := range list {
		if c.Hidden {
			continue
		}
		name := parent + " " + c.Name
		p := newManualPage(name, c.Usage)
		helpOfCommand(p, name, c)
		p.section("SEE ALSO", pageName(parent)+"(1)")
		if err := p.write(dir); err != nil {
			return err
		}
		if err := writeCommands(dir, name, c.Subcommands); err != nil {
			return err
		}
	}
	return nil
}

// A manualPage is written in roff's man macros. It has no date and no version: the
// same tree always gives the same bytes.
type manualPage struct {
	name string
	text bytes.Buffer
}

func newManualPage(command, usage string) *manualPage {
	p := &manualPage{name: pageName(command)}
	program, _, _ := strings.Cut(command, " ")
	fmt.Fprintf(&p.text, ".TH %s 1 \"\" \"%s\" \"%s\"\n.SH NAME\n%s \\- %s\n", roff(strings.ToUpper(p.name)), roff(program), roff(program), roff(p.name), roff(usage))
	return p
}

// pageName is the name of the page for a command of several words, in git's form.
func pageName(command string) string { return strings.ReplaceAll(command, " ", "-") }

func (p *manualPage) write(dir string) error {
	return os.WriteFile(filepath.Join(dir, p.name+".1"), p.text.Bytes(), 0o644)
}

func (p *manualPage) heading(title string) {
	if title == "USAGE" {
		title = "SYNOPSIS" // the manuals' word for it
	}
	fmt.Fprintf(&p.text, ".SH %s\n", roff(strings.ToUpper(title)))
}

func (p *manualPage) section(title, body string) {
	p.heading(title)
	for i, paragraph := range strings.Split(body, "\n\n") {
		if i > 0 {
			p.text.WriteString(".PP\n")
		}
		fmt.Fprintln(&p.text, roff(paragraph))
	}
}

func (p *manualPage) table(title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	p.heading(title)
	for _, r := range rows {
		fmt.Fprintf(&p.text, ".TP\n.B %s\n%s\n", roff(r[0]), roff(r[1]))
	}
}

func (p *manualPage) lines(title string, list []string) {
	if len(list) == 0 {
		return
	}
	p.heading(title)
	fmt.Fprintf(&p.text, ".nf\n%s\n.fi\n", roff(strings.Join(list, "\n")))
}

// roff is a text with everything escaped: no line of it is a request, and a hyphen
// can be copied into a shell.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
