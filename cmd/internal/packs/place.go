package packs

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/outbound"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/source"
	"github.com/agents-hooks/agents-hooks/pack/store"
)

// PlaceOptions are where packs are kept, as somebody sees it who stands in a folder.
type PlaceOptions struct {
	store.Place
	User    bool
	Project string // "" for the person's own
	Here    source.Here
	From    string // the folder
}

// ErrHome is why a home directory holds no packs of a project.
var ErrHome = errors.New("your home directory is not a project")

// PlaceOf is the place of the project that a folder lies in, or the person's own.
func PlaceOf(sh *shell.Shell, from string, user bool) (p PlaceOptions, err error) {
	if user {
		p = placeFrom(sh, from)
		p.User = true
		if p.Agents = sh.Host.Config; p.Agents == "" {
			return p, errors.New("there is no home directory to keep hooks in")
		}
		return p, nil
	}
	project, root := discovery.FindProject(from, sh.Host.Home)
	if project == "" {
		project = root
	}
	if real, err := filepath.EvalSymlinks(sh.Host.Home); project == sh.Host.Home || err == nil && project == real {
		return p, ErrHome
	}
	return InProject(sh, project, from), nil
}

// InProject is the place of a project, for somebody who stands in a folder of it.
func InProject(sh *shell.Shell, project, from string) PlaceOptions {
	p := placeFrom(sh, from)
	p.Project, p.Here.Project = project, project
	p.In, p.Agents = beneath.At(project), filepath.Join(project, ".agents")
	return p
}

func placeFrom(sh *shell.Shell, from string) PlaceOptions {
	p := PlaceOptions{From: from, Here: source.Here{WorkDir: sh.Host.WorkDir, Home: sh.Host.Home}}
	p.State, p.Bare = sh.Host.State, lockfile.Bare(sh.Host.GOOS)
	return p
}

// HowOptions are in which way a change is made.
type HowOptions struct {
	Show  bool // and not made
	Quick bool // without tests
	Yes   bool // without asking
	JSON  bool // nothing is printed, and nobody is asked
}

// asksNothing reports whether a change is only shown.
func (m HowOptions) asksNothing() bool { return m.Show || m.JSON && !m.Yes }

// word is how a command line names the place.
func (p PlaceOptions) word() string {
	if p.User {
		return " --user"
	}
	return ""
}

// read is the lock of a place, once what somebody left half done is done.
func (p PlaceOptions) read(ctx context.Context, sh *shell.Shell) (*lockfile.Lock, error) {
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
