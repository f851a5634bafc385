package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func (t *tool) validateCommand() *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "check hooks and settings, and name every problem and its fix",
		ArgsUsage: "[PATH...]",
		Description: "A PATH is a hook, a folder of hooks, a project or a hooks.toml; without one,\n" +
			"yours and this project's are checked. Exit 1 if there is an error; warnings\n" +
			"alone are exit 0, and with --strict 1 too.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "fix", Usage: "rewrite what has one clear fix, and show it"},
			&cli.BoolFlag{Name: "strict", Usage: "fail on warnings too"},
			&cli.StringFlag{Name: "agent", Usage: "warn of what the agent `ID` cannot do"},
			dirFlag(), jsonFlag(),
		},
		Action: t.validate,
	}
}

func (t *tool) validate(c *cli.Context) error {
	var d *protocol.Dialect
	if id := c.String("agent"); id != "" {
		var err error
		if d, err = lookupAgent(id); err != nil {
			return err
		}
	}
	if c.Args().Present() && c.IsSet("dir") {
		return usagef("validate: --dir goes with no PATH")
	}
	in, err := t.inspectedBy(c)
	if err != nil {
		return err
	}
	if c.Args().Present() && len(in.folders)+len(in.settings) == 0 {
		return withHint(fmt.Errorf("validate: no hook in %s", strings.Join(c.Args().Slice(), ", ")), "a hook is a folder with a HOOK.md")
	}
	if c.Bool("fix") {
		if err := t.fix(in, c.Bool("json")); err != nil {
			return err
		}
	}
	problems, foreign := t.inspect(in, d)
	if c.Bool("json") {
		err = t.json(map[string]any{"schema": 1, "problems": problems})
	} else {
		t.printProblems(in, problems, foreign)
	}
	errs, warnings := severities(problems)
	if errs > 0 || c.Bool("strict") && warnings > 0 {
		err = errors.Join(err, errReported)
	}
	return err
}

// inPlace orders problems by file and place.
func inPlace(a, b discovery.Problem) int {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

func severities(problems []discovery.Problem) (errs, warnings int) {
	for _, p := range problems {
		if p.Severity == discovery.Error {
			errs++
		} else {
			warnings++
		}
	}
	return errs, warnings
}

// fix rewrites what has one clear fix, and shows it: on stdout, or on stderr
// where stdout is one document.
func (t *tool) fix(in inspected, asJSON bool) error {
	for _, dir := range in.folders {
		file := hookFile(dir)
		before, err := os.ReadFile(file)
		if err != nil {
			continue // inspect says so
		}
		after, mended := discovery.Fix(before)
		if len(mended) == 0 {
			continue
		}
		f, err := openConfig(file)
		if err != nil {
			return fmt.Errorf("validate: %w", err)
		}
		if _, err := f.write(after); err != nil {
			return fmt.Errorf("validate: fixing %s: %w", t.short(file), err)
		}
		out := t.out
		if asJSON {
			out = t.err
		}
		fmt.Fprint(out, unifiedDiff(t.relative(file), before, after))
	}
	return nil
}

// relative is a path as an editor in this folder opens it.
func (t *tool) relative(path string) string {
	if rel, err := filepath.Rel(t.host.WorkDir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// printProblems prints one line a problem, in the form that editors jump to, and
// a last line that counts.
func (t *tool) printProblems(in inspected, problems []discovery.Problem, foreign []string) {
	for _, p := range problems {
		t.printf("%s\n", t.problemLine(p))
	}
	for _, dir := range foreign {
		t.printf("%s: belongs to another program, not checked\n", plain(t.relative(dir)))
	}
	errs, warnings := severities(problems)
	what := plural(len(in.folders), "hook")
	if n := len(in.settings); n > 0 {
		what += " and " + plural(n, "settings file")
	}
	t.printf("%s: %s, %s\n", what, plural(errs, "error"), plural(warnings, "warning"))
}

// problemLine is a problem in the form that editors jump to.
func (t *tool) problemLine(p discovery.Problem) string {
	place := t.relative(p.File)
	if p.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", place, p.Line, p.Column)
	}
	p.File, p.Line = "", 0
	severity := t.paint(red, string(discovery.Error))
	if p.Severity == discovery.Warning {
		severity = t.paint(yellow, string(discovery.Warning))
	}
	return fmt.Sprintf("%s: %s: %s", plain(place), severity, plain(p.String()))
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
