package conformance

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/conformance"
)

func runnerCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "runner",
		Usage:     "run the cases against a runner",
		ArgsUsage: "[-- COMMAND ARGUMENTS...]",
		Description: "Calls COMMAND with one event on stdin a case, in a throw-away home whose hooks\n" +
			"the environment names, and judges its exit code and output. Without a COMMAND\n" +
			"and without --claim, this program is judged. What a runner does not claim is\n" +
			"skipped and counted. docs/conformance.md explains claims and cases.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "claim", Usage: "what the runner is and claims, from `FILE` (JSON)"},
			&cli.StringSliceFlag{Name: "profile", Usage: "claim only `PROFILE`: " + profileWords()},
			cli.Offer(&cli.StringSliceFlag{Name: "agent", Usage: "the runner reads payloads of `AGENT`"}, agentarg.Words),
			&cli.StringFlag{Name: "parse", Usage: "`COMMAND` that prints how it read a folder"},
			&cli.StringFlag{Name: "list", Usage: "`COMMAND` that prints all hooks"},
			&cli.StringFlag{Name: "validate", Usage: "`COMMAND` that lists the problems of a folder"},
			&cli.StringFlag{Name: "approve", Usage: "`COMMAND` that trusts the project's hooks"},
			&cli.StringSliceFlag{Name: "run", Usage: "only cases like `PATTERN`: io, exit/2-*"},
			&cli.StringSliceFlag{Name: "skip", Usage: "leave out cases like `PATTERN`"},
			&cli.BoolFlag{Name: "skip-must-err", Usage: "fail if a case of --skip passes"},
			&cli.IntFlag{Name: "jobs", Usage: "`N` cases at once (default: two per processor)"},
			&cli.StringFlag{Name: "root", Usage: "`NAME` of the temporary directories"},
			&cli.BoolFlag{Name: "verbose", Usage: "print the cases that passed or were skipped too"},
			&cli.BoolFlag{Name: "tap", Usage: "print TAP version 13"},
			&cli.BoolFlag{Name: "junit", Usage: "print JUnit XML"},
			&cli.BoolFlag{Name: "markdown", Usage: "print a page: requirement, case, result"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readRunner(c)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
			defer stop()
			cases, report, err := judge(ctx, sh, o)
			if err != nil {
				return err
			}
			if err := printReport(sh, o, cases, report); err != nil {
				return err
			}
			if err := report.Err(); err != nil {
				sh.Say("conformance: %v", err)
				return shell.ErrReported
			}
			return nil
		},
	}
}

func profileWords() string {
	var words []string
	for _, p := range conformance.Profiles() {
		words = append(words, string(p))
	}
	return strings.Join(words, ", ")
}

// runnerOptions say what is judged: this program, or a runner that a file describes, with the
// flags taking precedence.
type runnerOptions struct {
	claimed  bool   // there is a claim
	claim    string // its file
	profiles []string
	agents   []string
	command  []string            // the command that takes events
	commands map[string][]string // the commands given by flags: parse, list, validate, approve

	cases   conformance.Options
	format  string // a flag, "" for people
	verbose bool
}

func readRunner(c *cli.Context) (runnerOptions, error) {
	o := runnerOptions{
		claimed: c.IsSet("claim"), claim: c.String("claim"), profiles: c.StringSlice("profile"), agents: c.StringSlice("agent"), command: c.Args(),
		commands: map[string][]string{}, verbose: c.Bool("verbose"),
		cases: conformance.Options{
			Run: c.StringSlice("run"), Skip: c.StringSlice("skip"), SkipMustErr: c.Bool("skip-must-err"),
			Parallel: c.Int("jobs"), Root: c.String("root"),
		},
	}
	for _, id := range o.agents {
		if _, err := agentarg.LookupFormat(id); err != nil {
			return o, err
		}
	}
	for _, flag := range []string{"parse", "list", "validate", "approve"} {
		if c.IsSet(flag) {
			o.commands[flag] = strings.Fields(c.String(flag))
		}
	}
	for _, flag := range []string{"json", "tap", "junit", "markdown"} {
		switch {
		case !c.Bool(flag):
		case o.format != "":
			return o, shell.Usagef("conformance: want at most one of --json, --tap, --junit and --markdown")
		default:
			o.format = flag
		}
	}
	return o, nil
}

// judge runs the cases against the runner.
func judge(ctx context.Context, sh *shell.Shell, o runnerOptions) ([]conformance.Case, *conformance.Report, error) {
	cases, err := conformance.Cases()
	if err != nil {
		return nil, nil, err
	}
	subject, err := subject(sh.Host.Self, o, cases)
	if err != nil {
		return nil, nil, err
	}
	o.cases.Progress = progress(sh, len(cases))
	report, err := conformance.Run(ctx, subject, cases, o.cases)
	if ctx.Err() != nil {
		return nil, nil, fmt.Errorf("conformance: %w", shell.ErrStopped)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("conformance: %w", err)
	}
	return cases, report, nil
}

// subject is the runner to be judged. self is this program.
func subject(self string, o runnerOptions, cases []conformance.Case) (s conformance.Subject, err error) {
	switch {
	case o.claimed:
		if s, err = conformance.LoadSubject(o.claim); err != nil {
			return s, fmt.Errorf("conformance: reading the claim: %w", err)
		}
	case len(o.command)+len(o.commands) == 0:
		s = conformance.Self(self, shell.ProgramVersion(), cases)
	}
	for flag, words := range o.commands {
		switch flag {
		case "parse":
			s.Parse = words
		case "list":
			s.List = words
		case "validate":
			s.Validate = words
		case "approve":
			s.Approve = words
		}
	}
	if len(o.profiles) > 0 {
		s.Profiles = nil
	}
	for _, word := range o.profiles {
		p, err := conformance.ParseProfile(word)
		if err != nil {
			return s, shell.Usagef("%s", "conformance: "+err.Error())
		}
		s.Profiles = append(s.Profiles, p)
	}
	if len(o.agents) > 0 {
		s.Agents = o.agents
	}
	if len(o.command) > 0 {
		*commandOf(&s) = o.command
	}
	return s, nil
}

// commandOf is the role of the command after "--": it takes events, unless the only profile
// claimed is one without events.
func commandOf(s *conformance.Subject) *[]string {
	if len(s.Profiles) == 1 {
		switch s.Profiles[0] {
		case conformance.Parser:
			return &s.Parse
		case conformance.Validator:
			return &s.Validate
		case conformance.AgentLoop:
			return &s.Loop
		}
	}
	return &s.Run
}

// progress shows a count, if stderr is a terminal.
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

// specURL is the page that results link to.
const specURL = "https://github.com/agents-hooks/agents-hooks/blob/main/spec/SPEC.md"

func printReport(sh *shell.Shell, o runnerOptions, cases []conformance.Case, r *conformance.Report) error {
	switch o.format {
	case "json":
		return r.JSON(sh.Out)
	case "tap":
		r.TAP(sh.Out)
	case "junit":
		return r.JUnit(sh.Out)
	case "markdown":
		conformance.Markdown(sh.Out, cases, specURL, r)
	default:
		r.Text(sh.Screen(), o.verbose)
	}
	return nil
}
