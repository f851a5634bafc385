package source

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"time"

	"github.com/agents-hooks/agents-hooks/pack"
)

// The limits of a fetch.
const (
	patience = 2 * time.Minute
	maxFetch = 256 << 20 // bytes of a repository, compressed
	maxGzip  = 64 << 20  // of an archive, compressed
)

// Tools are what a fetch needs from the process.
type Tools struct {
	Env    []string // of git
	Client *http.Client
	Temp   string // a folder for temporary folders, "" for the system's
	Commit string // fetched whatever the ref points to now, "" to fetch the ref
	// Terminal says that git may ask the user.
	Terminal bool
}

// A Fetched is the result of a fetch.
type Fetched struct {
	Tree   pack.Tree // of the requested folder
	Name   string    // of that folder
	Commit string    // of git
	SHA256 string    // of an archive
	Size   int64     // bytes that were read
	// RefKind is the kind of the git ref: a [Branch], a [Tag], "" for a commit.
	RefKind string
}

// What a ref of git can be.
const (
	Branch = "branch"
	Tag    = "tag"
)

// Errors that a caller tells apart.
var (
	ErrGone   = errors.New("cannot be reached")
	ErrNoRef  = errors.New("has no such branch, tag or commit")
	ErrNoGit  = errors.New("git is not installed, or not on PATH")
	ErrTooBig = errors.New("is too large")
)

// Fetch fetches a source.
func (s Source) Fetch(ctx context.Context, t Tools) (*Fetched, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var got *Fetched
	var err error
	switch s.Kind {
	case Git:
		got, err = s.git(ctx, t)
	case Archive:
		got, err = s.archive(ctx, t)
	default:
		got, err = s.folder(ctx)
	}
	if ctx.Err() == context.DeadlineExceeded {
		err = fmt.Errorf("took more than %v", patience)
	}
	if errors.Is(err, exec.ErrNotFound) {
		err = ErrNoGit
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s, err)
	}
	got.Name = s.Name()
	if len(got.Tree) == 0 {
		return nil, fmt.Errorf("%s: %w", s, s.nothing())
	}
	return got, nil
}

func (s Source) nothing() error {
	if s.Dir != "" {
		return fmt.Errorf("has no folder %s", s.Dir)
	}
	return errors.New("is empty")
}
