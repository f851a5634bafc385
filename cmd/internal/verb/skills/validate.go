package skills

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func validateCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "validate", Usage: "check the prompts of skills, and list every problem with its fix", ArgsUsage: "[FOLDER...]",
		Complete: shell.Folders,
		Description: "A FOLDER is a skill or a folder of skills; without one, all that skills list\n" +
			"shows are checked. Exit 1 if there is an error; warnings alone are exit 0,\n" +
			"and with --strict 1 too.",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "strict", Usage: "fail on warnings too"}, hookset.DirFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			o, err := readValidate(sh, c)
			if err != nil {
				return err
			}
			r, err := validate(sh, o)
			if err != nil {
				return err
			}
			err = sh.Answer(o.json, map[string]any{"schema": 1, "problems": r.problems}, func() { printReport(sh, r) })
			if r.errors > 0 || o.strict && r.warnings > 0 {
				err = errors.Join(err, shell.ErrReported)
			}
			return err
		},
	}
}

type validateOptions struct {
	folders      []string // none: what is found from dir
	dir          string
	strict, json bool
}

func readValidate(sh *shell.Shell, c *cli.Context) (o validateOptions, err error) {
	o.folders, o.strict, o.json = c.Args(), c.Bool("strict"), c.Bool("json")
	if len(o.folders) == 0 {
		o.dir, err = hookset.LookFrom(sh, c)
	}
	return o, err
}

// A report describes the problems in the prompts of skills.
type report struct {
	skills, prompts  int
	problems         []discovery.Problem
	errors, warnings int
}

func validate(sh *shell.Shell, o validateOptions) (report, error) {
	list, problems, err := skillsToCheck(sh, o)
	if err != nil {
		return report{}, err
	}
	r := report{skills: len(list), problems: []discovery.Problem{}}
	for _, s := range list {
		hooks, wrong := s.Hooks(nil)
		r.prompts += len(hooks)
		problems = append(problems, wrong...)
	}
	for _, p := range problems {
		r.problems = append(r.problems, discovery.Problem{File: p.File, Line: p.Line, Column: p.Column, Field: p.Field, Severity: discovery.Severity(p.Severity), Message: p.Message, Value: p.Value, Fix: p.Fix})
	}
	r.errors, r.warnings = shell.Severities(r.problems)
	return r, nil
}

// skillsToCheck are the skills that validate should check.
func skillsToCheck(sh *shell.Shell, o validateOptions) (found []skills.Skill, problems []skills.Problem, err error) {
	if len(o.folders) == 0 {
		for _, s := range list(sh, o.dir).Skills {
			found = append(found, skills.Skill{Name: s.Name, Dir: s.Dir})
		}
		return found, nil, nil
	}
	for _, word := range o.folders {
		dir, err := sh.Folder("skills validate", word)
		if err != nil {
			return nil, nil, err
		}
		if s := (skills.Skill{Name: filepath.Base(dir), Dir: dir}); shell.IsFolder(s.HooksDir()) {
			found = append(found, s)
			continue
		}
		below, wrong := skills.Find(dir)
		for _, s := range below {
			if shell.IsFolder(s.HooksDir()) {
				found = append(found, s)
			}
		}
		problems = append(problems, wrong...)
	}
	if len(found) == 0 && len(problems) == 0 {
		return nil, nil, shell.WithHint(fmt.Errorf("skills validate: no skill with prompts in %s", strings.Join(o.folders, ", ")), "the prompts of a skill lie in SKILL/hooks, with a hooks.json")
	}
	return found, problems, nil
}

func printReport(sh *shell.Shell, r report) {
	for _, p := range r.problems {
		sh.Printf("%s\n", sh.ProblemLine(p))
	}
	sh.Printf("%s of %s: %s, %s\n", text.Count(r.prompts, "prompt"), text.Count(r.skills, "skill"), text.Count(r.errors, "error"), text.Count(r.warnings, "warning"))
}
