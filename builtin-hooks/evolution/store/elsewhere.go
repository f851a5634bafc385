package store

import (
	"context"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// Elsewhere takes in how genes that were made here, or came with the program, did
// elsewhere, as a server tells: their counts without those that were pushed from
// here. Genes that are not in the store, and those that [Store.Merge] takes in,
// are passed over.
func (s *Store) Elsewhere(ctx context.Context, list []gene.Gene) error {
	defer s.db.Within(ctx)()
	return s.fail("taking in counts", s.db.Write(func() error {
		for _, g := range list {
			rest := [2]int{g.Failures, g.Successes}
			for success := range rest {
				ours, err := s.db.One("SELECT count(*) FROM observations o JOIN pushed p ON p.observation = o.id WHERE o.gene = ? AND o.success = ? AND o.counted", g.ID, success)
				if err != nil {
					return err
				}
				rest[success] = max(0, rest[success]-int(ours))
			}
			if err := s.db.Run("UPDATE genes SET elsewhere_good = ?2, elsewhere_bad = ?3, elsewhere_last = ?4 WHERE id = ?1 AND NOT deleted AND origin IN ('local', 'seed')",
				g.ID, float64(rest[1]), float64(rest[0]), g.LastUsed); err != nil {
				return err
			}
		}
		return nil
	}))
}
