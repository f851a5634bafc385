package store

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// ForgetCopies removes entries from the copies that [Keeper.Backup] keeps: what is purged must
// not stand in one of them for another month.
func (k Keeper) ForgetCopies(ids []string) error {
	copies, err := k.Within.List(filepath.Join(k.Dir, backupDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, c := range copies {
		// Lines are taken out as they are: nobody approves what lies in a copy.
		of := memory.Place{Root: k.Root, Tree: k.Tree, Dir: filepath.Join(k.Dir, backupDir, c.Name()), Within: k.Within, Waiting: true, EveryBranch: true}
		for _, file := range append(of.FactFiles(), of.SummaryFiles()...) {
			err = errors.Join(err, of.Rewrite(file, func(o *protocol.Object) (changed, stays bool, err error) {
				return false, !slices.Contains(ids, o.Text("id")), nil
			}))
		}
	}
	return err
}
