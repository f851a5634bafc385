// Package upgrade is the upgrade command: how to update this program, which depends on how it
// was installed, and with --check whether there is a newer release.
//
//	command.go  the command, and what it prints
//	way.go      how the program was installed
//	newest.go   asking for the newest release
//
// It upgrades nothing itself: that is up to the package manager. Without --check, it makes no
// network requests, and neither does anything else in the program.
package upgrade

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the upgrade command.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "upgrade",
		Usage: "say how to upgrade this program; with --check, whether it is needed",
		Description: "Says how the program was installed and what upgrades it there. --check asks for\n" +
			"the newest release, which nothing else of this program ever does: exit 1 if\n" +
			"there is a newer one. The copy that agents start follows with the next call.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "check", Usage: "check for a newer release; exit 1 if there is one"},
			&cli.StringFlag{Name: "from", Usage: "`ADDRESS` of a mirror to ask, which answers as GitHub does"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o := options{check: c.Bool("check"), from: cmp.Or(c.String("from"), newestRelease), json: c.Bool("json")}
			if u, err := url.Parse(o.from); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
				return shell.Usagef("upgrade: --from: %q is not an address: want https://…", o.from)
			}
			return run(c.Context, sh, o)
		},
	}
}

type options struct {
	check bool
	from  string
	json  bool
}

// A report is the answer, as printed with --json.
type report struct {
	Schema  int      `json:"schema"`
	Version string   `json:"version"`
	Program string   `json:"program"`
	Way     string   `json:"way"`
	Do      []string `json:"do"`
	Newest  *release `json:"newest"`
	State   string   `json:"state"` // not asked, current, older, unknown
}

func run(ctx context.Context, sh *shell.Shell, o options) error {
	program, err := filepath.EvalSymlinks(sh.Host.Self)
	if err != nil {
		return fmt.Errorf("upgrade: finding this program: %w", err)
	}
	r := report{Schema: 1, Version: shell.ProgramVersion(), Program: program, State: "not asked"}
	var failed error
	if o.check {
		var newest release
		if newest, failed = ask(ctx, o.from, sh.Host.Getenv); failed == nil {
			r.Newest, r.State = &newest, state(r.Version, newest.Version)
		} else {
			r.State = "unknown"
		}
	}
	w := wayOf(sh.Host, program)
	r.Way = w.id
	r.Do = w.do(r.Newest, runtime.GOARCH)
	if err := tell(sh, r, w, o); err != nil {
		return err
	}
	switch {
	case failed != nil:
		return shell.WithHint(fmt.Errorf("upgrade: asking for the newest release: %w", failed), releases)
	case r.State == "older":
		return shell.ErrReported
	}
	return nil
}

// state compares a version with the newest release.
func state(own, newest string) string {
	older, known := keep.Older(own, newest)
	switch {
	case !known:
		return "unknown"
	case older || preview(own) && !preview(newest) && sameNumbers(own, newest):
		return "older"
	}
	return "current"
}

func tell(sh *shell.Shell, r report, w way, o options) error {
	if o.json {
		return sh.JSON(r)
	}
	sh.Printf("agents-hooks %s, %s, in %s\n", r.Version, w.said, sh.Short(r.Program))
	switch {
	case r.Newest == nil:
	case r.State == "older":
		sh.Printf("%s is newer: %s\n", shell.Plain(r.Newest.Version), shell.Plain(r.Newest.Page))
	case r.State == "current":
		sh.Printf("the newest release is %s: nothing to do\n", shell.Plain(r.Newest.Version))
		return nil
	default:
		sh.Printf("the newest release is %s; this build is none that could be compared\n", shell.Plain(r.Newest.Version))
	}
	sh.Printf("\nto upgrade:\n")
	for _, line := range r.Do {
		sh.Printf("  %s\n", line)
	}
	if !o.check {
		sh.Printf("\nwhether there is a newer release: agents-hooks upgrade --check\n")
	}
	return nil
}
