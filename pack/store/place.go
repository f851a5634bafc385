package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A Place is a hooks folder with its lock beside it.
type Place struct {
	Agents string        // the folder that contains both
	In     *beneath.Root // the project, nil: the user's own
	State  string        // the user's state directory
	Bare   bool          // the system has no executable bit: [lockfile.Bare]
	// Step is called before each step of a change, so that a test can end the process
	// there; nil: not called.
	Step func(name string)
}

// Hooks is the hooks folder, and Lock the lock.
func (p Place) Hooks() string { return filepath.Join(p.Agents, "hooks") }
func (p Place) Lock() string  { return filepath.Join(p.Agents, lockfile.Name) }

// Read reads the lock, an empty one if there is none. An error is one of reading or a
// [*lockfile.Error].
func (p Place) Read() (*lockfile.Lock, error) {
	b, err := p.In.Read(p.Lock(), lockfile.Max)
	if errors.Is(err, fs.ErrNotExist) {
		return &lockfile.Lock{}, nil
	}
	if err != nil {
		return nil, err
	}
	return lockfile.Parse(string(b))
}

// Hash is the current hash of a folder, "" if it does not exist.
func (p Place) Hash(ctx context.Context, folder string) (string, error) {
	dir := filepath.Join(p.Hooks(), folder)
	info, err := p.In.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if info.Mode()&fs.ModeSymlink != 0 && p.In != nil {
		return "", fmt.Errorf("%s is a link, not a folder", folder)
	}
	return trust.Hash(ctx, dir)
}

// journal is the path of a place's journal.
func (p Place) journal() string { return lockfile.Journal(p.State, p.Agents) }

const wait = 20 * time.Second // for another process that changes the same place

func (p Place) step(name string) {
	if p.Step != nil {
		p.Step(name)
	}
}
