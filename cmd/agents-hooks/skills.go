package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/discovery"
)

func (t *tool) skillsCommand() *cli.Command {
	return &cli.Command{
		Name:  "skills",
		Usage: "prompts that skills give at certain moments: list, check, use",
		Description: "The prompts lie in a skill's hooks folder: hooks.json and texts. In coding\n" +
			"agents the built-in hooks give them (agents-hooks enable skills). A program\n" +
			"that owns its messages pipes them through inject and remove.",
		Subcommands: []*cli.Command{
			t.skillsList(), t.skillsValidate(), t.skillsExplain(),
			t.skillsInject(), t.skillsRemove(), t.skillsInjectPrompt(), t.skillsRemovePrompt(),
		},
	}
}

// skillsToTrust are the prompts of a project's skills: their folders, by the name
// that they have in the record of approvals. Of two skills with one name the
// first place counts.
func (t *tool) skillsToTrust(project string) map[string]string {
	items := map[string]string{}
	for _, s := range builtinhooks.SkillsOf(project, t.host.Config, t.host.Home) {
		name := builtinhooks.SkillTrustName(s.Name)
		if s.Project && s.HasHooks() && items[name] == "" {
			items[name] = s.HooksDir()
		}
	}
	return items
}

// A listedSkill is one skill with prompts, as --json prints it.
type listedSkill struct {
	Name     string           `json:"name"`
	Layer    string           `json:"layer"` // project, user
	Dir      string           `json:"dir"`
	Status   discovery.Status `json:"status"` // ready, untrusted, overridden, disabled
	Detail   string           `json:"detail"` // why it is not ready
	Hooks    []listedPrompt   `json:"hooks"`
	Problems []skills.Problem `json:"problems"`
}

type listedPrompt struct {
	Name       string        `json:"name"`
	Timing     skills.Timing `json:"timing"`
	Role       skills.Role   `json:"role"`
	Persistent bool          `json:"persistent"`
	Tools      []string      `json:"tool_filter"`
	When       string        `json:"when"` // always, invoked
	Match      string        `json:"match"`
	MaxCopies  int           `json:"max_copies"`
	File       string        `json:"file"`

	text string
}

// A skillShelf is what the skills that count in a folder are.
type skillShelf struct {
	on      bool // the built-in hooks give their prompts
	project string
	skills  []listedSkill
	without int // skills that have no prompts
}

// skillsFrom finds the skills that an event in a folder would find.
func (t *tool) skillsFrom(dir string) skillShelf {
	set := t.all(dir)
	shelf := skillShelf{project: set.Project, skills: []listedSkill{}}
	if shelf.project == "" {
		shelf.project = set.Root
	}
	for _, h := range behaviourHooks(set, "skills") {
		shelf.on = shelf.on || h.Status == discovery.Ready
	}
	all := builtinhooks.SkillsOf(shelf.project, t.host.Config, t.host.Home)
	names := builtinhooks.SkillNames(t.host.Getenv, set.Settings.Builtin["skills"])
	chosen, untrusted := builtinhooks.ChooseSkills(all, names, func(f builtinhooks.FoundSkill) bool {
		return set.Vouches(builtinhooks.SkillTrustName(f.Name), f.HooksDir())
	})
	// Those that count come first, in the order in which they count.
	seen := map[string]bool{}
	for _, f := range append(slices.Clone(chosen), all...) {
		if seen[f.Dir] {
			continue
		}
		if seen[f.Dir] = true; !f.HasHooks() {
			shelf.without++
			continue
		}
		s := listSkill(f)
		switch {
		case slices.Contains(chosen, f):
			s.Status = discovery.Ready
		case slices.Contains(untrusted, f):
			s.Status, s.Detail = discovery.Untrusted, "nobody has approved its prompts as they are: agents-hooks trust"
		case slices.ContainsFunc(chosen, func(c builtinhooks.FoundSkill) bool { return c.Name == f.Name }):
			s.Status, s.Detail = discovery.Overridden, "a skill of that name comes before it"
		default:
			s.Status, s.Detail = discovery.Disabled, "the setting skills does not name it"
		}
		shelf.skills = append(shelf.skills, s)
	}
	return shelf
}

func listSkill(f builtinhooks.FoundSkill) listedSkill {
	s := listedSkill{Name: f.Name, Layer: "user", Dir: f.Dir, Hooks: []listedPrompt{}, Problems: []skills.Problem{}}
	if f.Project {
		s.Layer = "project"
	}
	hooks, problems := f.Hooks(nil)
	for _, h := range hooks {
		p := listedPrompt{h.Name, h.Timing, h.Role, h.Persistent, h.Tools, "always", h.Match, h.MaxCopies, h.File, h.Content}
		if p.Tools == nil {
			p.Tools = []string{}
		}
		if h.Invoked {
			p.When = "invoked"
		}
		s.Hooks = append(s.Hooks, p)
	}
	s.Problems = append(s.Problems, problems...)
	return s
}

func (t *tool) skillsList() *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "show the skills with prompts, and which of them count here",
		Description: "Looked for in " + strings.Join(builtinhooks.SkillPlaces(), ", ") + " of the\n" +
			"project and of your home directory, and in skills beside your hooks. A skill\n" +
			"of the project stands over yours once its prompts are trusted.",
		Flags: []cli.Flag{dirFlag(), jsonFlag()},
		Action: func(c *cli.Context) error {
			from, err := t.lookFrom(c)
			if err != nil {
				return err
			}
			if _, err := args(c, 0, 0, "flags only"); err != nil {
				return err
			}
			shelf := t.skillsFrom(from)
			if c.Bool("json") {
				return t.json(map[string]any{"schema": 1, "enabled": shelf.on, "project": shelf.project, "skills": shelf.skills, "without": shelf.without})
			}
			t.printSkills(shelf)
			return nil
		},
	}
}

func (t *tool) printSkills(shelf skillShelf) {
	for _, s := range shelf.skills {
		state := string(s.Status)
		if s.Detail != "" {
			state += ": " + s.Detail
		}
		t.printf("%s (%s, %s) %s\n", t.paint(bold, plain(s.Name)), s.Layer, plain(state), plain(t.short(s.Dir)))
		for _, h := range s.Hooks {
			t.printf("%s\n", strings.TrimRight(fmt.Sprintf("  %-26s %-18s %s", plain(h.Name), h.Timing, plain(h.conditions())), " "))
		}
		if n := len(s.Problems); n > 0 {
			t.printf("  %s: agents-hooks skills validate\n", plural(n, "problem"))
		}
	}
	if len(shelf.skills) == 0 {
		t.printf("no skill here has prompts\n")
	}
	if shelf.without > 0 {
		t.printf("%s without prompts\n", plural(shelf.without, "skill"))
	}
	if !shelf.on {
		t.hints([]string{"agents-hooks enable skills: until then agents are given none of them"})
	}
}

// conditions says in a few words what a prompt waits for beside its timing.
func (p listedPrompt) conditions() string {
	var parts []string
	if len(p.Tools) > 0 {
		parts = append(parts, "of "+strings.Join(p.Tools, ", "))
	}
	if p.When == "invoked" {
		parts = append(parts, "once invoked")
	}
	if p.Match != "" {
		parts = append(parts, "if the request has /"+p.Match+"/")
	}
	if p.Persistent {
		parts = append(parts, "persistent")
	}
	if p.MaxCopies > 0 {
		parts = append(parts, fmt.Sprintf("at most %d", p.MaxCopies))
	}
	return strings.Join(parts, ", ")
}

func (t *tool) skillsValidate() *cli.Command {
	return &cli.Command{
		Name: "validate", Usage: "check the prompts of skills, and name every problem and its fix", ArgsUsage: "[FOLDER...]",
		Description: "A FOLDER is a skill or a folder of skills; without one, all that skills list\n" +
			"shows are checked. Exit 1 if there is an error; warnings alone are exit 0,\n" +
			"and with --strict 1 too.",
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "strict", Usage: "fail on warnings too"}, dirFlag(), jsonFlag()},
		Action: t.validateSkills,
	}
}

func (t *tool) validateSkills(c *cli.Context) error {
	list, problems, err := t.skillsToCheck(c)
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
		err = t.json(map[string]any{"schema": 1, "problems": found})
	} else {
		for _, p := range found {
			t.printf("%s\n", t.problemLine(p))
		}
		errs, warnings := severities(found)
		t.printf("%s of %s: %s, %s\n", plural(prompts, "prompt"), plural(len(list), "skill"), plural(errs, "error"), plural(warnings, "warning"))
	}
	if errs, warnings := severities(found); errs > 0 || c.Bool("strict") && warnings > 0 {
		err = errors.Join(err, errReported)
	}
	return err
}

// skillsToCheck are the skills that validate was asked for.
func (t *tool) skillsToCheck(c *cli.Context) (list []skills.Skill, problems []skills.Problem, err error) {
	if !c.Args().Present() {
		from, err := t.lookFrom(c)
		if err != nil {
			return nil, nil, err
		}
		for _, s := range t.skillsFrom(from).skills {
			list = append(list, skills.Skill{Name: s.Name, Dir: s.Dir})
		}
		return list, nil, nil
	}
	for _, word := range c.Args().Slice() {
		dir, err := t.abs(word)
		if err != nil {
			return nil, nil, err
		}
		if !isFolder(dir) {
			return nil, nil, fmt.Errorf("skills validate: %s is no folder", t.short(dir))
		}
		if s := (skills.Skill{Name: filepath.Base(dir), Dir: dir}); isFolder(s.HooksDir()) {
			list = append(list, s)
			continue
		}
		below, wrong := skills.Find(dir)
		for _, s := range below {
			if isFolder(s.HooksDir()) {
				list = append(list, s)
			}
		}
		problems = append(problems, wrong...)
	}
	if len(list) == 0 && len(problems) == 0 {
		return nil, nil, withHint(fmt.Errorf("skills validate: no skill with prompts in %s", strings.Join(c.Args().Slice(), ", ")), "the prompts of a skill lie in SKILL/hooks, with a hooks.json")
	}
	return list, problems, nil
}
