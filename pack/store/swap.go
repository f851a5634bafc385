//go:build linux || darwin

package store

import (
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// swap exchanges two folders in one step.
func swap(in *beneath.Root, a, b string) error {
	from, err := in.OpenFolder(filepath.Dir(a))
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := in.OpenFolder(filepath.Dir(b))
	if err != nil {
		return err
	}
	defer to.Close()
	return exchange(int(from.Fd()), filepath.Base(a), int(to.Fd()), filepath.Base(b))
}

// sync writes a folder's names to disk.
func (p Place) sync(dir string) error {
	f, err := p.In.OpenFolder(dir)
	if err != nil { // mutant: what was synced shows after a power failure alone
		return err
	}
	defer f.Close()
	return f.Sync()
}
