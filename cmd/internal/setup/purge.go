package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// Also are the words for the user's own data, which is only removed if named: their
// hooks and settings, and what behaviours wrote for them.
func Also() []string { return []string{"hooks", "data"} }

// Purge removes what agents-hooks stores for itself: the copy of the programs,
// approvals and their copies, logs, recordings, receipts, the cache; and of the
// user's data what also names. It lists what it keeps, one a line.
func Purge(h host.Host, also []string) (kept []string, err error) {
	var own []string // the user's
	for _, name := range []string{"hooks", "hooks.toml", "hooks.lock"} {
		own = append(own, filepath.Join(h.Config, name))
	}
	err = removeWithin(keep.Dir(h), func(string) bool { return false })
	for _, dir := range []string{h.State, h.Cache} {
		// What is in the data directory is data, even if a variable makes it the same
		// as another directory.
		err = errors.Join(err, removeWithin(dir, func(path string) bool {
			return Within(h.Data, path) || Within(path, h.Data) || Within(h.Config, path)
		}))
	}
	data, lerr := os.ReadDir(h.Data)
	if lerr != nil && !errors.Is(lerr, fs.ErrNotExist) {
		err = errors.Join(err, lerr)
	}
	for _, path := range own {
		if slices.Contains(also, "hooks") {
			err = errors.Join(err, os.RemoveAll(path))
		} else if _, serr := os.Lstat(path); serr == nil {
			kept = append(kept, h.Short(path)+": yours (--also hooks)")
		}
	}
	for _, e := range data {
		if path := filepath.Join(h.Data, e.Name()); slices.Contains(also, "data") {
			err = errors.Join(err, os.RemoveAll(path))
		} else {
			kept = append(kept, h.Short(path)+": what "+e.Name()+" wrote for you (--also data)")
		}
	}
	for _, dir := range []string{h.Data, h.Cache, h.State, h.Config} {
		os.Remove(dir) // if nothing is left in it
	}
	if err != nil {
		return kept, fmt.Errorf("uninstall: --purge: %w", err)
	}
	return kept, nil
}

// removeWithin empties a folder except for what stays, and removes it if nothing
// does.
func removeWithin(dir string, stays func(path string) bool) (err error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || dir == "" {
		return nil
	}
	for _, e := range list {
		if path := filepath.Join(dir, e.Name()); !stays(path) {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	os.Remove(dir)
	return err
}

// Purged says what will be lost, for the question.
func Purged(h host.Host, also []string) string {
	what := "approvals, logs, recordings and receipts in " + h.Short(h.State)
	if slices.Contains(also, "hooks") {
		hooks, _ := os.ReadDir(filepath.Join(h.Config, "hooks"))
		what += ", YOUR HOOKS (" + text.Count(len(hooks), "folder") + ") and settings in " + h.Short(h.Config)
	}
	if slices.Contains(also, "data") {
		what += ", WHAT BEHAVIOURS WROTE FOR YOU in " + h.Short(h.Data)
	}
	return what
}

// AlsoWord is the error for a word that is not in [Also].
func AlsoWord(word string) error {
	if slices.Contains(Also(), word) {
		return nil
	}
	return fmt.Errorf("--also %q: want one of %s", word, strings.Join(Also(), " and "))
}
