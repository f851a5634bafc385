package store

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// offBackups removes entries, and what they say, from the copies that [Keeper.Backup] keeps: what
// is purged must not stand in one of them for another month.
func (k Keeper) offBackups(r Removal) error {
	copies, err := k.Within.List(k.place().Path(backupDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, c := range copies {
		for _, dir := range memory.Dirs() {
			below := path.Join(backupDir, c.Name(), dir)
			files, bad := k.Within.List(k.place().Path(below))
			if bad != nil {
				continue
			}
			for _, f := range files {
				name := path.Join(below, f.Name())
				switch filepath.Ext(name) {
				case ".md":
					err = errors.Join(err, k.offCopy(name, r))
				case ".jsonl":
					// Lines are changed as they are: nobody approves what lies in a copy.
					err = errors.Join(err, k.place().Rewrite(name, func(o *protocol.Object) (bool, bool, error) {
						return r.Said.EraseObject(o), !slices.Contains(r.IDs, memory.IDOf(*o)), nil
					}))
				}
			}
		}
	}
	return err
}
