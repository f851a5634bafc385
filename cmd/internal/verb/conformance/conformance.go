// Package conformance is the conformance command: the suite against a runner or a
// hook, its cases listed and copied.
package conformance

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/conformance"
	"github.com/agents-hooks/agents-hooks/spec"
)

func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "conformance",
		Usage: "check a runner, or a hook, against the written rules",
		Subcommands: []*cli.Command{
			conformanceRunner(sh),
			conformanceHook(sh),
			conformanceList(sh),
			conformanceCopy(sh),
		},
	}
}

func conformanceRunner(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "runner",
		Usage:     "drive a runner through the cases",
		ArgsUsage: "[-- COMMAND ARGUMENTS...]",
		Description: "Calls COMMAND with one event on stdin a case, in a throw-away home whose hooks\n" +
			"the environment names, and judges its exit code and output. Without a COMMAND\n" +
			"and without --claim, this program is judged. What a runner does not claim is\n" +
			"skipped and counted. docs/conformance.md explains claims and cases.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "claim", Usage: "what the runner is and claims, from `FILE` (JSON)"},
			&cli.StringSliceFlag{Name: "profile", Usage: "claim `PROFILE` only: " + profileWords()},
			shell.Offer(&cli.StringSliceFlag{Name: "agent", Usage: "the runner reads payloads of `AGENT`"}, agentarg.Words),
			&cli.StringFlag{Name: "parse", Usage: "`COMMAND` that prints what it understood of a folder"},
			&cli.StringFlag{Name: "list", Usage: "`COMMAND` that prints all hooks"},
			&cli.StringFlag{Name: "validate", Usage: "`COMMAND` that says what is wrong with a folder"},
			&cli.StringFlag{Name: "approve", Usage: "`COMMAND` that trusts the project's hooks"},
			&cli.StringSliceFlag{Name: "run", Usage: "only cases like `PATTERN`: io, exit/2-*"},
			&cli.StringSliceFlag{Name: "skip", Usage: "leave cases like `PATTERN` out"},
			&cli.BoolFlag{Name: "skip-must-err", Usage: "fail if a case of --skip passes"},
			&cli.IntFlag{Name: "jobs", Usage: "`N` cases at once (default two a processor)"},
			&cli.StringFlag{Name: "root", Usage: "`NAME` of the throw-away directories"},
			&cli.BoolFlag{Name: "verbose", Usage: "print the cases that passed or were skipped too"},
			&cli.BoolFlag{Name: "tap", Usage: "print TAP version 13"},
			&cli.BoolFlag{Name: "junit", Usage: "print JUnit XML"},
			&cli.BoolFlag{Name: "markdown", Usage: "print a page: requirement, case, result"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return runConformance(sh, c) },
	}
}

// specURL is where the sentences stand that a page of results links to.
const specURL = "https://github.com/agents-hooks/agents-hooks/blob/main/spec/SPEC.md"

func profileWords() string {
	var words []string
	for _, p := range conformance.Profiles() {
		words = append(words, string(p))
	}
	return strings.Join(words, ", ")
}

func runConformance(sh *shell.Shell, c *cli.Context) error {
	formats := 0
	for _, f := range []string{"json", "tap", "junit", "markdown"} {
		if c.Bool(f) {
			formats++
		}
	}
	if formats > 1 {
		return shell.Usagef("conformance: more than one of --json, --tap, --junit and --markdown")
	}
	cases, err := conformance.Cases()
	if err != nil {
		return err
	}
	subject, err := subject(sh, c, cases)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	report, err := conformance.Run(ctx, subject, cases, conformance.Options{
		Run: c.StringSlice("run"), Skip: c.StringSlice("skip"), SkipMustErr: c.Bool("skip-must-err"),
		Parallel: c.Int("jobs"), Root: c.String("root"), Progress: progress(sh, len(cases)),
	})
	if err != nil {
		return fmt.Errorf("conformance: %w", err)
	}
	if err := conformanceReport(sh, c, cases, report); err != nil {
		return err
	}
	if err := report.Err(); err != nil {
		sh.Say("conformance: %v", err)
		return shell.ErrReported
	}
	return nil
}

func conformanceReport(sh *shell.Shell, c *cli.Context, cases []conformance.Case, r *conformance.Report) error {
	switch {
	case c.Bool("json"):
		return r.JSON(sh.Out)
	case c.Bool("tap"):
		r.TAP(sh.Out)
	case c.Bool("junit"):
		return r.JUnit(sh.Out)
	case c.Bool("markdown"):
		conformance.Markdown(sh.Out, cases, specURL, r)
	default:
		r.Text(sh.Out, c.Bool("verbose"))
	}
	return nil
}

// progress counts on a terminal, and nowhere else.
func progress(sh *shell.Shell, all int) func(conformance.Result) {
	if !shell.IsTerminal(sh.Err) {
		return nil
	}
	n := 0
	return func(conformance.Result) {
		n++
		fmt.Fprintf(sh.Err, "\r%d of %d", n, all)
		if n == all {
			fmt.Fprint(sh.Err, "\r\x1b[K")
		}
	}
}

// subject is what is to be judged: the claim file, with what the flags say laid
// over it.
func subject(sh *shell.Shell, c *cli.Context, cases []conformance.Case) (conformance.Subject, error) {
	var s conformance.Subject
	var err error
	words := c.Args().Slice()
	switch {
	case c.IsSet("claim"):
		if s, err = conformance.LoadSubject(c.String("claim")); err != nil {
			return s, fmt.Errorf("conformance: reading the claim: %w", err)
		}
	case len(words) == 0 && !givesCommand(c):
		s = conformance.Self(sh.Host.Self, shell.ProgramVersion(), cases)
	}
	for flag, dst := range map[string]*[]string{"parse": &s.Parse, "list": &s.List, "validate": &s.Validate, "approve": &s.Approve} {
		if c.IsSet(flag) {
			*dst = strings.Fields(c.String(flag))
		}
	}
	if profiles := c.StringSlice("profile"); len(profiles) > 0 {
		s.Profiles = nil
		for _, word := range profiles {
			p, err := conformance.ParseProfile(word)
			if err != nil {
				return s, shell.Usagef("%s", "conformance: "+err.Error())
			}
			s.Profiles = append(s.Profiles, p)
		}
	}
	if agents := c.StringSlice("agent"); len(agents) > 0 {
		s.Agents = agents
	}
	if len(words) > 0 {
		*commandOf(&s) = words
	}
	return s, nil
}

func givesCommand(c *cli.Context) bool {
	return slices.ContainsFunc([]string{"parse", "list", "validate", "approve"}, c.IsSet)
}

// commandOf is what the command behind "--" is: what takes events, unless only
// one of the profiles is claimed that know none.
func commandOf(s *conformance.Subject) *[]string {
	if len(s.Profiles) == 1 {
		switch s.Profiles[0] {
		case conformance.Parser:
			return &s.Parse
		case conformance.Validator:
			return &s.Validate
		}
	}
	return &s.Run
}

func conformanceHook(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "hook",
		Usage:     "check hooks: valid, tested, and hard to trick",
		ArgsUsage: "FOLDER...",
		Description: "Says what validate says, plays the hook's own tests (tests/*.txtar) through\n" +
			"the runner, and runs it in ways that break hooks. Exit 1 if a check failed;\n" +
			"warnings do not fail. --agent says what agents can make of it.",
		Flags: []cli.Flag{
			shell.Offer(&cli.StringSliceFlag{Name: "agent", Usage: "tell about `AGENT`, or about all"}, agentarg.Words),
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return checkHooks(sh, c) },
	}
}

func checkHooks(sh *shell.Shell, c *cli.Context) error {
	dirs, err := shell.Args(c, 1, -1, "the folder of a hook")
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	reports := []*conformance.HookReport{}
	failed := false
	for _, dir := range dirs {
		if dir, err = sh.Abs(dir); err != nil {
			return err
		}
		r, err := conformance.CheckHook(ctx, sh.Host.Self, dir, c.StringSlice("agent"))
		if err != nil {
			return fmt.Errorf("conformance: %s: %w", sh.Short(dir), err)
		}
		reports = append(reports, r)
		if err := r.Err(); err != nil {
			failed = true
			sh.Say("conformance: %s: %v", r.Name, err)
		}
	}
	if c.Bool("json") {
		err = sh.JSON(map[string]any{"schema": 1, "hooks": reports})
	} else {
		for _, r := range reports {
			r.Text(sh.Out)
		}
	}
	if err == nil && failed {
		return shell.ErrReported
	}
	return err
}

func conformanceList(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "show the cases, or the requirements with their cases",
		ArgsUsage: "[PATTERN...]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "spec", Usage: "only cases about requirement `ID`"},
			&cli.BoolFlag{Name: "requirements", Usage: "each requirement with its cases"},
			&cli.StringFlag{Name: "show", Usage: "print the case `ID` as it is written"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return listCases(sh, c) },
	}
}

// A listedCase is a case as it is printed with --json.
type listedCase struct {
	ID      string              `json:"id"`
	Title   string              `json:"title"`
	Profile conformance.Profile `json:"profile"`
	Agent   string              `json:"agent,omitempty"`
	Spec    []string            `json:"spec"`
	Gaps    []int               `json:"gaps,omitempty"`
	Needs   []string            `json:"needs,omitempty"`
}

func listCases(sh *shell.Shell, c *cli.Context) error {
	cases, err := conformance.Cases()
	if err != nil {
		return err
	}
	if id := c.String("show"); id != "" {
		for _, k := range cases {
			if k.ID == id {
				sh.Printf("%s", k.Source)
				return nil
			}
		}
		return shell.Usagef("conformance: no case %q", id)
	}
	if cases, err = pickCases(cases, c.Args().Slice(), c.String("spec")); err != nil {
		return err
	}
	if c.Bool("requirements") {
		return listRequirements(sh, cases, c.Bool("json"))
	}
	if c.Bool("json") {
		list := []listedCase{}
		for _, k := range cases {
			list = append(list, listedCase{k.ID, k.Title, k.Profile, k.Agent, k.Spec, k.Gaps, k.Needs})
		}
		return sh.JSON(map[string]any{"schema": 1, "suite": conformance.Version, "hash": conformance.Hash(), "spec": spec.Version, "cases": list})
	}
	for _, k := range cases {
		sh.Printf("%s  %s\n    %s  %s\n", k.ID, k.Title, k.Profile, strings.Join(k.Spec, " "))
	}
	return nil
}

func pickCases(cases []conformance.Case, patterns []string, id string) ([]conformance.Case, error) {
	if len(patterns) > 0 {
		var err error
		if cases, err = (conformance.Options{Run: patterns}).Choose(cases); err != nil {
			return nil, shell.Usagef("%s", "conformance: "+err.Error())
		}
	}
	if id == "" {
		return cases, nil
	}
	r, ok := spec.Find(id)
	if !ok {
		return nil, shell.WithHint(shell.Usagef("conformance: no requirement %q", id), "agents-hooks conformance list --requirements")
	}
	return slices.DeleteFunc(slices.Clone(cases), func(k conformance.Case) bool { return !slices.Contains(k.Spec, r.ID) }), nil
}

func listRequirements(sh *shell.Shell, cases []conformance.Case, asJSON bool) error {
	rows := conformance.Cover(cases)
	if asJSON {
		return sh.JSON(map[string]any{"schema": 1, "spec": spec.Version, "requirements": rows})
	}
	for _, r := range rows {
		sh.Printf("%s  %s\n", r.ID, r.Text)
		for _, id := range r.Cases {
			sh.Printf("    %s\n", id)
		}
	}
	return nil
}

func conformanceCopy(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "copy",
		Usage:     "write the cases out, for a driver in another language",
		ArgsUsage: "FOLDER",
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "a folder that is new or empty")
			if err != nil {
				return err
			}
			dir, err := sh.Abs(words[0])
			if err != nil {
				return err
			}
			if err := conformance.Copy(dir); err != nil {
				return fmt.Errorf("conformance: copying the cases: %w", err)
			}
			sh.Printf("%s\n", dir)
			sh.Hints([]string{"README.md there explains the format of the cases"})
			return nil
		},
	}
}
