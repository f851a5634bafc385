// Package skills is the skills command: the prompts of skills listed, checked,
// explained, and put into messages and taken out by a program that owns them.
package skills

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/skillset"
	"github.com/agents-hooks/agents-hooks/discovery"
)

func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "skills",
		Usage: "prompts that skills give at certain moments: list, check, use",
		Description: "The prompts lie in a skill's hooks folder: hooks.json and texts. In coding\n" +
			"agents the built-in hooks give them (agents-hooks enable skills). A program\n" +
			"that owns its messages pipes them through inject and remove.",
		Subcommands: []*cli.Command{
			skillsList(sh), skillsValidate(sh), skillsExplain(sh),
			skillsInject(sh), skillsRemove(sh), skillsInjectPrompt(sh), skillsRemovePrompt(sh),
		},
	}
}

func skillsList(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "show the skills with prompts, and which of them count here",
		Description: "Looked for in " + strings.Join(builtinhooks.SkillPlaces(), ", ") + " of the\n" +
			"project and of your home directory, and in skills beside your hooks. A skill\n" +
			"of the project stands over yours once its prompts are trusted.",
		Flags: []cli.Flag{hookset.DirFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			from, err := hookset.LookFrom(sh, c)
			if err != nil {
				return err
			}
			if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
				return err
			}
			shelf := skillset.SkillsFrom(sh, from)
			if c.Bool("json") {
				return sh.JSON(map[string]any{"schema": 1, "enabled": shelf.On, "project": shelf.Project, "skills": shelf.Skills, "without": shelf.Without})
			}
			printSkills(sh, shelf)
			return nil
		},
	}
}

func printSkills(sh *shell.Shell, shelf skillset.SkillShelf) {
	for _, s := range shelf.Skills {
		state := string(s.Status)
		if s.Detail != "" {
			state += ": " + s.Detail
		}
		sh.Printf("%s (%s, %s) %s\n", sh.Paint(shell.Bold, shell.Plain(s.Name)), s.Layer, shell.Plain(state), shell.Plain(sh.Short(s.Dir)))
		for _, h := range s.Hooks {
			sh.Printf("%s\n", strings.TrimRight(fmt.Sprintf("  %-26s %-18s %s", shell.Plain(h.Name), h.Timing, shell.Plain(h.Conditions())), " "))
		}
		if n := len(s.Problems); n > 0 {
			sh.Printf("  %s: agents-hooks skills validate\n", shell.Count(n, "problem"))
		}
	}
	if len(shelf.Skills) == 0 {
		sh.Printf("no skill here has prompts\n")
	}
	if shelf.Without > 0 {
		sh.Printf("%s without prompts\n", shell.Count(shelf.Without, "skill"))
	}
	if !shelf.On {
		sh.Hints([]string{"agents-hooks enable skills: until then agents are given none of them"})
	}
}

func skillsValidate(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "validate", Usage: "check the prompts of skills, and name every problem and its fix", ArgsUsage: "[FOLDER...]",
		BashComplete: shell.Arguments(shell.Folders),
		Description: "A FOLDER is a skill or a folder of skills; without one, all that skills list\n" +
			"shows are checked. Exit 1 if there is an error; warnings alone are exit 0,\n" +
			"and with --strict 1 too.",
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "strict", Usage: "fail on warnings too"}, hookset.DirFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error { return validateSkills(sh, c) },
	}
}

func validateSkills(sh *shell.Shell, c *cli.Context) error {
	list, problems, err := skillsToCheck(sh, c)
	if err != nil {
		return err
	}
	prompts := 0
	for _, s := range list {
		hooks, wrong := s.Hooks(nil)
		prompts += len(hooks)
		problems = append(problems, wrong...)
	}
	found := []discovery.Problem{}
	for _, p := range problems {
		found = append(found, discovery.Problem{File: p.File, Line: p.Line, Column: p.Column, Field: p.Field, Severity: discovery.Severity(p.Severity), Message: p.Message, Value: p.Value, Fix: p.Fix})
	}
	if c.Bool("json") {
		err = sh.JSON(map[string]any{"schema": 1, "problems": found})
	} else {
		for _, p := range found {
			sh.Printf("%s\n", sh.ProblemLine(p))
		}
		errs, warnings := shell.Severities(found)
		sh.Printf("%s of %s: %s, %s\n", shell.Count(prompts, "prompt"), shell.Count(len(list), "skill"), shell.Count(errs, "error"), shell.Count(warnings, "warning"))
	}
	if errs, warnings := shell.Severities(found); errs > 0 || c.Bool("strict") && warnings > 0 {
		err = errors.Join(err, shell.ErrReported)
	}
	return err
}

// skillsToCheck are the skills that validate was asked for.
func skillsToCheck(sh *shell.Shell, c *cli.Context) (list []skills.Skill, problems []skills.Problem, err error) {
	if !c.Args().Present() {
		from, err := hookset.LookFrom(sh, c)
		if err != nil {
			return nil, nil, err
		}
		for _, s := range skillset.SkillsFrom(sh, from).Skills {
			list = append(list, skills.Skill{Name: s.Name, Dir: s.Dir})
		}
		return list, nil, nil
	}
	for _, word := range c.Args().Slice() {
		dir, err := sh.Abs(word)
		if err != nil {
			return nil, nil, err
		}
		if !shell.IsFolder(dir) {
			return nil, nil, fmt.Errorf("skills validate: %s is no folder", sh.Short(dir))
		}
		if s := (skills.Skill{Name: filepath.Base(dir), Dir: dir}); shell.IsFolder(s.HooksDir()) {
			list = append(list, s)
			continue
		}
		below, wrong := skills.Find(dir)
		for _, s := range below {
			if shell.IsFolder(s.HooksDir()) {
				list = append(list, s)
			}
		}
		problems = append(problems, wrong...)
	}
	if len(list) == 0 && len(problems) == 0 {
		return nil, nil, shell.WithHint(fmt.Errorf("skills validate: no skill with prompts in %s", strings.Join(c.Args().Slice(), ", ")), "the prompts of a skill lie in SKILL/hooks, with a hooks.json")
	}
	return list, problems, nil
}
