package store

import (
	"strconv"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// seed brings the genes that come with the program into the store, when they
// are others than last time. One that was deleted here stays deleted.
func (s *Store) seed() error {
	version := gene.SeedVersion()
	if has, err := s.meta("seeds"); err != nil || has == version {
		return err
	}
	seeds, err := gene.Seeds()
	if err != nil {
		return err
	}
	return s.db.Write(func() error {
		deleted, were := map[string]bool{}, map[string]gene.Gene{}
		if err := s.db.Each("SELECT id, deleted, elsewhere_good, elsewhere_bad, elsewhere_last FROM genes WHERE origin = 'seed'", nil, func(st *sqlite3.Stmt) error {
			deleted[st.ColumnText(0)] = st.ColumnBool(1)
			were[st.ColumnText(0)] = gene.Gene{Successes: st.ColumnInt(2), Failures: st.ColumnInt(3), LastUsed: timeOf(st.ColumnInt64(4))}
			return nil
		}); err != nil {
			return err
		}
		for i, g := range seeds {
			if deleted[g.ID] {
				continue
			}
			was := were[g.ID]
			g.Successes, g.Failures, g.LastUsed = was.Successes, was.Failures, was.LastUsed
			// Their order is that of the file; no clock is needed for it.
			if err := s.put(g, "seed", time.UnixMilli(int64(i+1))); err != nil {
				return err
			}
		}
		// A seed that is no more one, but was used, stays; nobody offers it.
		if err := s.db.Run("UPDATE genes SET deleted = 1 WHERE origin = 'seed' AND id NOT IN (SELECT value FROM json_each(?))", ids(seeds)); err != nil {
			return err
		}
		return s.setMeta("seeds", version)
	})
}

// ids are the ids of genes as a JSON array.
func ids(list []gene.Gene) string {
	out := []byte{'['}
	for i, g := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendQuote(out, g.ID)
	}
	return string(append(out, ']'))
}
