package store

import (
	"errors"
	"fmt"
	"os"

	"github.com/ncruces/go-sqlite3"
)

// migrations bring a store from one version to the next; user_version says how
// many were done. What stands here is never changed, only added to.
var migrations = [...]string{
	`
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE genes (
  id TEXT PRIMARY KEY, doc TEXT NOT NULL, title TEXT NOT NULL, category TEXT NOT NULL, visibility TEXT NOT NULL,
  scope TEXT NOT NULL, origin TEXT NOT NULL, elsewhere_good REAL NOT NULL, elsewhere_bad REAL NOT NULL, elsewhere_last INTEGER NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, trial INTEGER NOT NULL, deleted INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE gene_signals (signal TEXT NOT NULL, gene TEXT NOT NULL, PRIMARY KEY (signal, gene)) WITHOUT ROWID;
CREATE TABLE observations (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, gene TEXT NOT NULL, session TEXT NOT NULL, scope TEXT NOT NULL,
  agent TEXT NOT NULL, signals TEXT NOT NULL, types TEXT NOT NULL, success INTEGER NOT NULL, score REAL, summary TEXT NOT NULL,
  reason TEXT NOT NULL, more TEXT NOT NULL, explicit INTEGER NOT NULL, followed INTEGER, weight REAL NOT NULL, worth REAL NOT NULL,
  counted INTEGER NOT NULL, frozen INTEGER NOT NULL, at INTEGER NOT NULL);
CREATE INDEX observations_session ON observations (session, gene);
CREATE INDEX observations_gene ON observations (gene, at);
CREATE INDEX observations_at ON observations (at);
CREATE TRIGGER observations_stay BEFORE DELETE ON observations BEGIN SELECT raise(ABORT, 'an observation is never removed'); END;
CREATE TRIGGER observations_stand BEFORE UPDATE ON observations BEGIN SELECT raise(ABORT, 'an observation is never changed'); END;
CREATE TABLE replaced (observation TEXT PRIMARY KEY, by TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE pushed (observation TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
`, `
CREATE TABLE edges (
  gene TEXT NOT NULL, signal TEXT NOT NULL, scope TEXT NOT NULL, agent TEXT NOT NULL, good REAL NOT NULL, bad REAL NOT NULL,
  runs INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (gene, signal, scope, agent)) WITHOUT ROWID;
CREATE TABLE suggestions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, gene TEXT NOT NULL, session TEXT NOT NULL, scope TEXT NOT NULL, types TEXT NOT NULL,
  action TEXT NOT NULL, confidence REAL NOT NULL, coverage REAL NOT NULL, at INTEGER NOT NULL);
CREATE INDEX suggestions_session ON suggestions (session);
CREATE INDEX suggestions_at ON suggestions (at);
` + rebuildEdges,
}

// insertEdges sums up the observations that count: of a gene, not refused by
// what is learnt from, not replaced. The edge of the signal "" is the gene's sum.
const insertEdges = `
INSERT INTO edges
SELECT o.gene, t.value, o.scope, o.agent, sum(CASE WHEN o.success THEN o.weight ELSE 0 END), sum(CASE WHEN o.success THEN 0 ELSE o.weight END), count(*), max(o.at)
FROM observations o LEFT JOIN replaced r ON r.observation = o.id, json_each(json_insert(o.types, '$[#]', '')) t
WHERE o.counted AND r.observation IS NULL`

const rebuildEdges = "DELETE FROM edges;" + insertEdges + " GROUP BY 1, 2, 3, 4;"

// migrate brings the store to this version. A store that was there before is
// copied aside first.
func (s *Store) migrate() error {
	has, err := s.db.One("PRAGMA user_version")
	if err != nil || int(has) == len(migrations) {
		return err
	}
	if int(has) > len(migrations) {
		return &Newer{s.path, int(has), len(migrations)}
	}
	if has > 0 {
		if err := s.keepCopy(int(has)); err != nil {
			return err
		}
	}
	return s.db.Write(func() error {
		// Another process may have been quicker.
		has, err := s.db.One("PRAGMA user_version")
		if err != nil {
			return err
		}
		for v := int(has); v < len(migrations); v++ {
			if err := s.db.Exec(migrations[v]); err != nil {
				return fmt.Errorf("making version %d of the tables: %w", v+1, err)
			}
		}
		return s.db.Exec(fmt.Sprintf("PRAGMA user_version = %d", max(int(has), len(migrations))))
	})
}

func (s *Store) keepCopy(version int) error {
	copied := fmt.Sprintf("%s.v%d", s.path, version)
	if _, err := os.Stat(copied); err == nil {
		return nil
	}
	part := fmt.Sprintf("%s.%d", copied, os.Getpid())
	if err := s.db.Run("VACUUM INTO ?", part); err != nil {
		return fmt.Errorf("copying the store aside: %w", err)
	}
	return errors.Join(os.Chmod(part, 0o600), os.Rename(part, copied))
}

// Rebuild computes anew, from the observations, all that is known of the genes.
func (s *Store) Rebuild() error {
	return s.fail("rebuilding what is known of the genes", s.db.Write(func() error { return s.db.Exec(rebuildEdges) }))
}

// rebuildOf does so for one gene.
func (s *Store) rebuildOf(id string) error {
	if err := s.db.Run("DELETE FROM edges WHERE gene = ?", id); err != nil {
		return err
	}
	return s.db.Run(insertEdges+" AND o.gene = ? GROUP BY 1, 2, 3, 4", id)
}

// Check looks whether the file is whole.
func (s *Store) Check() error {
	var bad []error
	err := s.db.Each("PRAGMA quick_check", nil, func(st *sqlite3.Stmt) error {
		if text := st.ColumnText(0); text != "ok" {
			bad = append(bad, errors.New(text))
		}
		return nil
	})
	return errors.Join(append(bad, err)...)
}
