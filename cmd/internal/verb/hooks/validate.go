package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func validateCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "validate",
		Usage:        "check hooks and settings, and name every problem and its fix",
		ArgsUsage:    "[PATH...]",
		BashComplete: shell.Arguments(shell.Folders),
		Description: "A PATH is a hook, a folder of hooks, a project or a hooks.toml; without one,\n" +
			"yours and this project's are checked. Exit 1 if there is an error; warnings\n" +
			"alone are exit 0, and with --strict 1 too.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "fix", Usage: "rewrite what has one clear fix, and show it"},
			&cli.BoolFlag{Name: "strict", Usage: "fail on warnings too"},
			shell.Offer(&cli.StringFlag{Name: "agent", Usage: "warn of what the agent `ID` cannot do"}, hookset.Agents),
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return validate(sh, c) },
	}
}

func validate(sh *shell.Shell, c *cli.Context) error {
	var d *protocol.Dialect
	if id := c.String("agent"); id != "" {
		var err error
		if d, err = hookset.LookupAgent(id); err != nil {
			return err
		}
	}
	if c.Args().Present() && c.IsSet("dir") {
		return shell.Usagef("validate: --dir goes with no PATH")
	}
	in, err := inspectedBy(sh, c)
	if err != nil {
		return err
	}
	if c.Args().Present() && len(in.folders)+len(in.settings) == 0 {
		return shell.WithHint(fmt.Errorf("validate: no hook in %s", strings.Join(c.Args().Slice(), ", ")), "a hook is a folder with a HOOK.md")
	}
	if c.Bool("fix") {
		if err := fix(sh, in, c.Bool("json")); err != nil {
			return err
		}
	}
	problems, foreign := inspect(sh, in, d)
	if c.Bool("json") {
		err = sh.JSON(map[string]any{"schema": 1, "problems": problems})
	} else {
		printProblems(sh, in, problems, foreign)
	}
	errs, warnings := shell.Severities(problems)
	if errs > 0 || c.Bool("strict") && warnings > 0 {
		err = errors.Join(err, shell.ErrReported)
	}
	return err
}

// inPlace orders problems by file and place.
func inPlace(a, b discovery.Problem) int {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// fix rewrites what has one clear fix, and shows it: on stdout, or on stderr
// where stdout is one document.
func fix(sh *shell.Shell, in inspected, asJSON bool) error {
	for _, dir := range in.folders {
		file := hookset.HookFile(dir)
		before, err := os.ReadFile(file)
		if err != nil {
			continue // inspect says so
		}
		after, mended := discovery.Fix(sh.Host.Sources(), before)
		if len(mended) == 0 {
			continue
		}
		f, err := setup.OpenConfig(file)
		if err != nil {
			return fmt.Errorf("validate: %w", err)
		}
		if _, err := f.Write(after); err != nil {
			return fmt.Errorf("validate: fixing %s: %w", sh.Short(file), err)
		}
		out := sh.Out
		if asJSON {
			out = sh.Err
		}
		fmt.Fprint(out, shell.UnifiedDiff(sh.Relative(file), before, after))
	}
	return nil
}

// printProblems prints one line a problem, in the form that editors jump to, and
// a last line that counts.
func printProblems(sh *shell.Shell, in inspected, problems []discovery.Problem, foreign []string) {
	for _, p := range problems {
		sh.Printf("%s\n", sh.ProblemLine(p))
	}
	for _, dir := range foreign {
		sh.Printf("%s: belongs to another program, not checked\n", shell.Plain(sh.Relative(dir)))
	}
	errs, warnings := shell.Severities(problems)
	what := shell.Count(len(in.folders), "hook")
	if n := len(in.settings); n > 0 {
		what += " and " + shell.Count(n, "settings file")
	}
	sh.Printf("%s: %s, %s\n", what, shell.Count(errs, "error"), shell.Count(warnings, "warning"))
}
