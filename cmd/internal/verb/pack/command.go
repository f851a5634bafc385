// Package pack is add, update, remove and verify: hooks of others, taken whole from
// where they lie, pinned by their bytes, and shown before they are let in.
//
//	command.go  the commands, and what they have in common
//	plan.go     a pack is fetched and read, and laid out to be looked at
//	hook.go     what one hook of it will do, and what is wrong with it
//	try.go      its tests are played, held to a folder of their own
//	show.go     what a person sees before a yes
//	add.go, update.go, remove.go, verify.go
//
// What a pack is, and what is refused, package pack knows; package source fetches,
// package store writes.
package pack

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/outbound"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/source"
	"github.com/agents-hooks/agents-hooks/pack/store"
)

// Command is the group: its words stand at the top level.
func Command(sh *shell.Shell) *cli.Command {
	return shell.Group(addCommand(sh), updateCommand(sh), removeCommand(sh), verifyCommand(sh))
}

// A place is where packs are kept, as a command line says it.
type placeOptions struct {
	store.Place
	user    bool
	project string // "" for the person's own
	here    source.Here
	from    string // the folder that --dir says
}

func userFlag() cli.Flag {
	return &cli.BoolFlag{Name: "user", Usage: "yours, for all projects, not this project's"}
}

// placeOf is the place that a command line is about.
func placeOf(sh *shell.Shell, c *cli.Context) (p placeOptions, err error) {
	if p.from, err = hookset.LookFrom(sh, c); err != nil {
		return p, err
	}
	p.here = source.Here{WorkDir: sh.Host.WorkDir, Home: sh.Host.Home}
	p.State = sh.Host.State
	if p.user = c.Bool("user"); p.user {
		if p.Agents = sh.Host.Config; p.Agents == "" {
			return p, errors.New("there is no home directory to keep hooks in")
		}
		return p, nil
	}
	project, root := discovery.FindProject(p.from, sh.Host.Home)
	if project == "" {
		project = root
	}
	if real, err := filepath.EvalSymlinks(sh.Host.Home); project == sh.Host.Home || err == nil && project == real {
		return p, shell.WithHint(shell.Usagef("%s: your home directory is no project", c.Command.Name), sh.Name+" "+c.Command.Name+" --user …")
	}
	p.project, p.here.Project = project, project
	p.In, p.Agents = beneath.At(project), filepath.Join(project, ".agents")
	return p, nil
}

// word is how a command line names the place.
func (p placeOptions) word() string {
	if p.user {
		return " --user"
	}
	return ""
}

// read is the lock of a place, once what somebody left half done is done.
func (p placeOptions) read(ctx context.Context, sh *shell.Shell) (*lockfile.Lock, error) {
	said, err := p.Recover(ctx)
	if err != nil {
		return nil, err
	}
	if said != "" {
		sh.Say("%s: %s", sh.Short(p.Hooks()), said)
	}
	lock, err := p.Read()
	if at, ok := errors.AsType[*lockfile.Error](err); ok {
		return nil, shell.WithHint(errors.New(sh.Short(filepath.Dir(p.Lock()))+string(filepath.Separator)+at.Place()+": "+at.Message), at.Fix)
	}
	return lock, err
}

// tools are what a fetch is given.
func tools(sh *shell.Shell) (source.Tools, error) {
	way, err := outbound.Transport("", "", sh.Host.Getenv)
	if err != nil {
		return source.Tools{}, err
	}
	return source.Tools{Env: sh.Host.Env, Client: &http.Client{Transport: way, Timeout: 2 * time.Minute}, Terminal: shell.IsTerminal(sh.In)}, nil
}

// interruptible ends what a command waits for when the person says so; what is being
// written is ended or taken back all the same.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt)
}
