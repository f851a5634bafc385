package packs

import (
	"cmp"
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

// PlaceOptions say where packs are installed, as seen from a folder.
type PlaceOptions struct {
	store.Place
	User    bool
	Project string // "" for the user's own
	Here    source.Here
	From    string // the folder
}

// ErrHome says why a home directory cannot have a project's packs.
var ErrHome = errors.New("your home directory is not a project")

// PlaceOf is the place of the project around a folder, or the user's own.
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
	project = cmp.Or(project, root)
	if real, err := filepath.EvalSymlinks(sh.Host.Home); project == sh.Host.Home || err == nil && project == real {
		return p, ErrHome
	}
	return InProject(sh, project, from), nil
}

// InProject is a project's place, as seen from a folder in it.
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

// HowOptions say how a change is made.
type HowOptions struct {
	Show  bool // show it only
	Quick bool // without tests
	Yes   bool // without asking
	JSON  bool // nothing is printed, and nobody is asked
}

// asksNothing reports whether a change is only shown.
func (m HowOptions) asksNothing() bool { return m.Show || m.JSON && !m.Yes }

// word is the command line's word for the place.
func (p PlaceOptions) word() string {
	if p.User {
		return " --user"
	}
	return ""
}

// read is a place's lock, after completing an interrupted change.
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

// tools are what a fetch needs.
func tools(sh *shell.Shell) (source.Tools, error) {
	way, err := outbound.Transport("", "", sh.Host.Getenv)
	if err != nil {
		return source.Tools{}, err
	}
	return source.Tools{Env: sh.Host.Env, Client: &http.Client{Transport: way, Timeout: 2 * time.Minute}, Terminal: shell.IsTerminal(sh.In)}, nil
}
