// Package team is setup: one command that sets up a new team member's machine as the project's
// manifest says (package cmd/internal/team), and checks it in CI.
//
// It writes our entry into the named agents that are present, fetches the packs that the
// project lacks, and asks for approval of what the project brings. It does not enable hooks
// that the user disabled, nor change the user's settings; it reports these as remaining steps.
package team

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/approval"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/connect"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/team"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Command is the setup command.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "setup",
		Usage: "set up this machine as this project's team wants it",
		Description: "Reads " + team.File + " of the project. Writes the entry into the\n" +
			"agents that it names and that are here; fetches each pack that the project\n" +
			"lacks, shows it and adds it, asking before both, as agents-hooks add does;\n" +
			"shows what of the project waits for your approval and asks, and says what is\n" +
			"left. Doing it again changes nothing.\n" +
			"--check changes nothing and asks nothing: exit 1 with each difference, for CI.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "check", Usage: "only compare; exit 1 if something differs"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would change, and change nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "fetch, add and approve what is shown without asking"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			dir, err := hookset.LookFrom(sh, c)
			if err != nil {
				return err
			}
			o := options{dir: dir, check: c.Bool("check"), dry: c.Bool("dry-run"), yes: c.Bool("yes"), json: c.Bool("json")}
			if o.check && (o.dry || o.yes) {
				return shell.Usagef("setup: --check changes nothing, so it cannot be used with --dry-run or --yes")
			}
			ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
			defer stop()
			return run(ctx, sh, o)
		},
	}
}

type options struct {
	dir                   string // the folder whose project is meant
	check, dry, yes, json bool
}

func run(ctx context.Context, sh *shell.Shell, o options) error {
	project := team.Find(o.dir, sh.Host.Home)
	if project == "" {
		return shell.WithHint(errors.New("setup: no project here has a "+team.File), "docs/team.md says how it is written")
	}
	m := team.Read(project)
	for _, p := range m.Problems {
		sh.Problem(p)
	}
	if m.Wrong() {
		return fmt.Errorf("setup: %s has errors, and nothing was done", sh.Short(m.Path))
	}
	if !o.check && !o.dry {
		if err := sh.OnlyPerson("setup"); err != nil {
			return err
		}
	}
	var did []string
	var failed error
	if version := team.VersionRow(m, shell.ProgramVersion()); !o.check && !slices.ContainsFunc(version, func(r team.Row) bool { return r.Status == team.Differ }) {
		did, failed = apply(ctx, sh, o, m)
	}
	rows, err := compare(sh, o.dir, m)
	if err != nil {
		return errors.Join(failed, err)
	}
	if err := report(sh, o, m, rows, did); failed == nil {
		return err
	}
	return failed
}

// compare compares the machine with the manifest.
func compare(sh *shell.Shell, dir string, m *team.Manifest) (rows []team.Row, err error) {
	h := sh.Host
	rows = slices.Concat(team.VersionRow(m, shell.ProgramVersion()), team.AgentRows(h, m), team.PackRows(h, m))
	f, err := approval.Look(sh, dir, nil)
	if err != nil {
		return nil, err
	}
	for _, name := range f.Names() {
		rows = append(rows, team.Row{ID: "trust", Name: shell.Plain(name), Status: team.Differ, Fix: "agents-hooks trust",
			Message: shell.Plain(name) + " waits for an approval: until then it neither runs nor counts"})
	}
	return append(rows, team.HookRows(h, m, hookset.Set(h, dir))...), nil
}

// apply does what it can: the entries, the packs, and what the user approves.
func apply(ctx context.Context, sh *shell.Shell, o options, m *team.Manifest) (did []string, err error) {
	if err := setup.OwnPlaces(sh.Host); err != nil {
		return nil, fmt.Errorf("setup: %w", err)
	}
	var missing []*protocol.Dialect
	for i, r := range team.AgentRows(sh.Host, m) {
		if why, _ := setup.KeptOut(sh.Host, m.Agents[i]); r.Status == team.Differ && why == "" {
			missing = append(missing, m.Agents[i])
		}
	}
	if len(missing) > 0 {
		done, err := connect.Install(sh, connect.InstallOptions{Options: connect.Options{Agents: missing, Scope: protocol.UserScope, Project: m.Project, Dry: o.dry}})
		if err != nil {
			return nil, fmt.Errorf("setup: %w", err)
		}
		for _, a := range done.Agents {
			did = append(did, installed(sh, o, a)...)
		}
	}
	added, failed := addPacks(ctx, sh, o, m)
	did = append(did, added...)
	if errors.Is(failed, shell.ErrStopped) {
		return did, failed
	}
	approved, err := approve(sh, o)
	return append(did, approved...), errors.Join(failed, err)
}

// approve shows what of the project waits for approval, and asks.
func approve(sh *shell.Shell, o options) (did []string, err error) {
	f, err := approval.Look(sh, o.dir, nil)
	if err != nil || len(f.Names()) == 0 {
		return nil, err
	}
	if !o.json {
		approval.Print(sh, f)
	}
	if o.dry || o.json && !o.yes {
		return did, nil
	}
	names, err := approval.Approve(sh, f, approval.Options{Yes: o.yes})
	if len(names) > 0 {
		did = append(did, "approved "+text.Count(len(names), "item")+" of the project")
	}
	if errors.Is(err, shell.ErrDeclined) {
		return did, nil // it is among the remaining steps
	}
	return did, err
}

// installed says what happened to an agent's entry.
func installed(sh *shell.Shell, o options, a connect.Installed) []string {
	switch {
	case a.Error != "":
		sh.Say("setup: %s: %s", a.Agent, a.Error)
		sh.Hints(a.Hints)
		return nil
	case o.dry && !o.json:
		sh.Printf("%s", a.Diff)
	}
	if !a.Changed {
		return nil
	}
	if o.dry {
		return []string{"would write the entry of " + a.Name}
	}
	return []string{"wrote the entry of " + a.Name}
}

// report prints the rows; a difference makes the command fail, except in a dry run.
func report(sh *shell.Shell, o options, m *team.Manifest, rows []team.Row, did []string) error {
	differs := slices.ContainsFunc(rows, func(r team.Row) bool { return r.Status == team.Differ })
	doc := map[string]any{"schema": 1, "manifest": m.Path, "dry_run": o.dry, "done": append([]string{}, did...), "rows": append([]team.Row{}, rows...), "ok": !differs}
	err := sh.Answer(o.json, doc, func() {
		for _, line := range did {
			sh.Printf("%s\n", line)
		}
		for _, r := range rows {
			if o.check && r.Status == team.OK {
				continue
			}
			sh.Printf("  %s %s\n", sh.Paint(colour(r.Status), fmt.Sprintf("%-6s", r.Status)), text.Wrap(r.Message, sh.Columns()-11, "         "))
			if r.Status == team.Differ && r.Fix != "" {
				sh.Printf("         fix: %s\n", text.Wrap(r.Fix, sh.Columns()-16, "         "))
			}
		}
		if !differs {
			sh.Printf("all is as %s wants it\n", sh.Short(m.Path))
		} else if !o.dry {
			sh.Printf("%s\n", left(rows))
		}
	})
	if err == nil && differs && !o.dry {
		return shell.ErrReported
	}
	return err
}

func left(rows []team.Row) string {
	n := 0
	for _, r := range rows {
		if r.Status == team.Differ {
			n++
		}
	}
	return text.Count(n, "difference") + " left"
}

func colour(s team.Status) shell.Colour {
	switch s {
	case team.OK:
		return shell.Green
	case team.Differ:
		return shell.Red
	}
	return shell.Dim
}
