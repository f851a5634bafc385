package hooks

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

func validateCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "check hooks and settings, and list every problem with its fix",
		ArgsUsage: "[PATH...]",
		Complete:  hookset.NamesOrFolders(sh),
		Description: "A PATH is a hook or its name, a folder of hooks, a project or a hooks.toml;\n" +
			"without one, yours and this project's are checked. Exit 1 if there is an\n" +
			"error; warnings alone are exit 0, and with --strict 1 too.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "fix", Usage: "rewrite what has one clear fix, and show it"},
			&cli.BoolFlag{Name: "strict", Usage: "fail on warnings too"},
			&cli.BoolFlag{Name: "portable", Usage: "warn of what another runner may not know"},
			cli.Offer(&cli.StringFlag{Name: "agent", Usage: "warn of what the agent `ID` cannot do"}, agentarg.Words),
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readValidate(sh, c)
			if err != nil {
				return err
			}
			f, err := validate(sh, o)
			printFixed(sh, f.fixed, o.json)
			if err != nil {
				return err
			}
			return errors.Join(sh.Answer(o.json, map[string]any{"schema": 1, "problems": f.problems}, func() { printFindings(sh, f) }), f.failure(o.strict))
		},
	}
}

// validateOptions say what is checked: paths, or, without any, the user's hooks and settings
// and those of the project around from.
type validateOptions struct {
	paths  []string
	words  []string          // the paths as typed
	agent  *protocol.Dialect // the agent that the hooks should work in, nil for none
	from   string
	fix    bool
	strict bool
	json   bool

	portable bool // report what another runner may not know
}

func readValidate(sh *shell.Shell, c *cli.Context) (o validateOptions, err error) {
	o = validateOptions{words: c.Args(), fix: c.Bool("fix"), strict: c.Bool("strict"), portable: c.Bool("portable"), json: c.Bool("json")}
	if id := c.String("agent"); id != "" {
		if o.agent, err = agentarg.Lookup(id); err != nil {
			return o, err
		}
	}
	if len(o.words) > 0 && c.IsSet("dir") {
		return o, shell.Usagef("validate: --dir cannot be used with a PATH")
	}
	for _, word := range o.words {
		h, err := hookset.Named(sh, "validate", word)
		if err != nil {
			return o, err
		}
		if h != nil && h.Entry.Builtin {
			return o, shell.WithHint(fmt.Errorf("validate: %s comes with the program", word), "agents-hooks list "+word)
		}
		path, err := sh.Abs(word)
		if err != nil {
			return o, err
		}
		if h != nil {
			path = h.Dir
		}
		o.paths = append(o.paths, path)
	}
	o.from, err = hookset.LookFrom(sh, c)
	return o, err
}

// findings are what validate examined, and what it found.
type findings struct {
	inspected
	fixed    []fixed
	problems []discovery.Problem
	foreign  []string // folders that belong to other programs
}

// failure makes the command fail.
func (f findings) failure(strict bool) error {
	if errs, warnings := shell.Severities(f.problems); errs > 0 || strict && warnings > 0 {
		return shell.ErrReported
	}
	return nil
}

// validate examines what is asked for. It returns what it has fixed even if there is an error.
func validate(sh *shell.Shell, o validateOptions) (f findings, err error) {
	if f.inspected, err = toInspect(sh.Host, o); err != nil {
		return f, err
	}
	if len(o.words) > 0 && len(f.folders)+len(f.settings) == 0 {
		return f, shell.WithHint(fmt.Errorf("validate: no hook in %s", strings.Join(o.words, ", ")), "a hook is a folder with a HOOK.md")
	}
	if o.fix {
		if f.fixed, err = fix(sh, f.folders); err != nil {
			return f, err
		}
	}
	f.portable = o.portable
	f.problems, f.foreign = f.inspect(sh.Host, o.agent)
	return f, nil
}

// A fixed file was rewritten.
type fixed struct {
	file          string
	before, after []byte
}

// fix rewrites what has one clear fix.
func fix(sh *shell.Shell, folders []string) (list []fixed, err error) {
	for _, dir := range folders {
		file := hookset.HookFile(dir)
		f, err := setup.OpenConfig(file, hookset.ProjectOf(dir))
		if err != nil || f.Content == nil {
			continue // inspect reports it
		}
		before := f.Content
		after, mended := discovery.Fix(before, discovery.Mending{Event: eventOf, Seconds: askSeconds(sh, file)})
		if len(mended) == 0 {
			continue
		}
		if _, err := f.Write(after); err != nil {
			return list, fmt.Errorf("validate: fixing %s: %w", sh.Short(file), err)
		}
		list = append(list, fixed{file, before, after})
	}
	return list, nil
}

// eventOf is the event that agents know by another name.
func eventOf(name string) protocol.EventType {
	event, _ := agents.EventNamed(name)
	return event
}

// askSeconds asks the user in a terminal, once, whether a timeout was meant in seconds; if
// nobody can be asked, it stays, and is reported.
func askSeconds(sh *shell.Shell, file string) func(discovery.Problem) bool {
	asked := false
	return func(p discovery.Problem) bool {
		if asked || !sh.Person() || !shell.IsTerminal(sh.In) {
			return false
		}
		asked = true
		return sh.Confirm(false, fmt.Sprintf("%s:%d: timeout: %s are milliseconds. Were seconds meant, %s000?", sh.Relative(file), p.Line, p.Value, p.Value), "validate --fix") == nil
	}
}

// printFixed shows what was rewritten: on stdout, or on stderr if stdout is one document.
func printFixed(sh *shell.Shell, list []fixed, asJSON bool) {
	out := sh.Screen()
	if asJSON {
		out = sh.Err
	}
	for _, f := range list {
		fmt.Fprint(out, shell.UnifiedDiff(sh.Relative(f.file), f.before, f.after))
	}
}

// printFindings prints a line for each problem, in a form that editors can jump to, and a last
// line with the totals.
func printFindings(sh *shell.Shell, f findings) {
	for _, p := range f.problems {
		sh.Printf("%s\n", sh.ProblemLine(p))
	}
	for _, dir := range f.foreign {
		sh.Printf("%s: belongs to another program, not checked\n", shell.Plain(sh.Relative(dir)))
	}
	errs, warnings := shell.Severities(f.problems)
	what := text.Count(len(f.folders), "hook")
	if n := len(f.settings); n > 0 {
		what += " and " + text.Count(n, "settings file")
	}
	sh.Printf("%s: %s, %s\n", what, text.Count(errs, "error"), text.Count(warnings, "warning"))
}
