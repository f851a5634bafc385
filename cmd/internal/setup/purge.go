package setup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

// Purge removes what agents-hooks keeps for itself: approvals and their copies, logs,
// recordings, receipts, the cache. What is a person's stays: their hooks and settings,
// and the data of behaviours, such as memory.
func Purge(h host.Host) (err error) {
	for _, dir := range []string{h.State, h.Cache} {
		list, lerr := os.ReadDir(dir)
		if errors.Is(lerr, os.ErrNotExist) {
			continue
		}
		err = errors.Join(err, lerr)
		for _, e := range list {
			if path := filepath.Join(dir, e.Name()); !Within(h.Data, path) && !Within(h.Config, path) {
				err = errors.Join(err, os.RemoveAll(path))
			}
		}
	}
	if err != nil {
		return fmt.Errorf("uninstall: --purge: %w", err)
	}
	return nil
}
