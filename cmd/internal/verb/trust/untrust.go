package trust

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/approval"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/trust"
)

func untrustCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "untrust",
		Usage:     "withdraw approvals of a project's hooks",
		ArgsUsage: "NAME...",
		Description: "What is taken back waits for an approval again. It is refused inside a hook,\n" +
			"and where an agent may be typing.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "all approvals of this project"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readUntrust(sh, c)
			if err != nil {
				return err
			}
			if err := sh.OnlyPerson("untrust"); err != nil {
				return err
			}
			r, err := revoke(sh, o)
			if err != nil {
				return err
			}
			return printRevoked(sh, r, c.Bool("json"))
		},
	}
}

type untrustOptions struct {
	dir   string   // the folder whose project is meant
	names []string // none: all
}

func readUntrust(sh *shell.Shell, c *cli.Context) (untrustOptions, error) {
	o := untrustOptions{names: c.Args()}
	if c.Bool("all") == (len(o.names) > 0) {
		return o, shell.WithHint(shell.Usagef("untrust: want the names of hooks, or --all"), "agents-hooks trust --show")
	}
	var err error
	o.dir, err = hookset.LookFrom(sh, c)
	return o, err
}

// revoked says what happened to the approvals of some projects.
type revoked struct {
	project string // the nearest
	names   []string
	unknown []string // these were not approved
}

// revoke withdraws approvals: all of the nearest project, or the named ones in it and in the
// projects around it.
func revoke(sh *shell.Shell, o untrustOptions) (r revoked, err error) {
	told, err := approval.TextItems(sh, o.dir)
	if err != nil {
		return r, fmt.Errorf("untrust: %w", err)
	}
	projects := approval.ProjectsOf(sh, o.dir, told)
	if len(projects) == 0 {
		return r, approval.NoProject("untrust")
	}
	r.project = projects[0]
	if len(o.names) == 0 {
		projects = projects[:1]
	}
	for _, h := range hookset.Set(sh.Host, o.dir).Hooks {
		named := len(o.names) == 0 && h.Project == r.project || slices.Contains(o.names, filepath.Base(h.Dir))
		if h.Layer == discovery.ProjectLayer && h.Held != nil && named {
			return r, setup.Locked(sh, "untrust", h.Name, h.Held.At)
		}
	}
	for _, project := range projects {
		names, err := trust.Revoke(sh.Host.State, project, o.names)
		if err != nil {
			return r, fmt.Errorf("untrust: %w", err)
		}
		r.names = append(r.names, names...)
	}
	for _, t := range told {
		if len(o.names) > 0 && !slices.Contains(o.names, t.Name) || t.InUse == 0 {
			continue
		}
		if _, err := t.Revoke(); err != nil {
			return r, fmt.Errorf("untrust: %s: %w", t.Name, err)
		}
		r.names = append(r.names, t.Name)
	}
	for _, name := range o.names {
		if !slices.Contains(r.names, name) {
			r.unknown = append(r.unknown, name)
		}
	}
	return r, nil
}

// printRevoked reports what was revoked; a name without an approval makes the command fail.
func printRevoked(sh *shell.Shell, r revoked, asJSON bool) error {
	for _, name := range r.unknown {
		sh.Say("untrust: %s was not approved", name)
	}
	err := sh.Answer(asJSON, map[string]any{"schema": 1, "project": r.project, "revoked": append([]string{}, r.names...)}, func() {
		for _, name := range r.names {
			sh.Printf("%s is not trusted any more\n", shell.Plain(name))
		}
		if len(r.names)+len(r.unknown) == 0 {
			sh.Printf("nothing of %s was approved\n", sh.Short(r.project))
		}
	})
	if err == nil && len(r.unknown) > 0 {
		return shell.ErrReported
	}
	return err
}
