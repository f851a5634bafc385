package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// migrations make each version of the schema from the one before. They are never edited
// once released: a change adds another one.
var migrations = [...][]string{
	{ // 1
		`CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)`,
		`CREATE TABLE persons (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created BIGINT NOT NULL)`,
		`CREATE TABLE keys (id TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES persons (id), label TEXT NOT NULL,
			hash TEXT NOT NULL UNIQUE, created BIGINT NOT NULL, used BIGINT NOT NULL, revoked BIGINT NOT NULL)`,
		`CREATE TABLE clock (one BIGINT PRIMARY KEY, n BIGINT NOT NULL)`,
		`INSERT INTO clock (one, n) VALUES (1, 0)`,
		`CREATE TABLE genes (id TEXT PRIMARY KEY, person TEXT NOT NULL, agent TEXT NOT NULL, scope TEXT NOT NULL,
			category TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, signals TEXT NOT NULL, strategy TEXT NOT NULL,
			preconditions TEXT NOT NULL, constraints TEXT NOT NULL, visibility TEXT NOT NULL, parent TEXT NOT NULL,
			generation BIGINT NOT NULL, forks BIGINT NOT NULL, success BIGINT NOT NULL, failure BIGINT NOT NULL,
			last_used BIGINT NOT NULL, created BIGINT NOT NULL, updated BIGINT NOT NULL)`,
		`CREATE INDEX genes_updated ON genes (updated)`,
		`CREATE INDEX genes_person ON genes (person, updated)`,
		`CREATE TABLE observations (person TEXT NOT NULL, id TEXT NOT NULL, agent TEXT NOT NULL, session TEXT NOT NULL, gene TEXT NOT NULL,
			scope TEXT NOT NULL, explicit BIGINT NOT NULL, followed BIGINT NOT NULL, outcome TEXT NOT NULL, score DOUBLE PRECISION NOT NULL,
			summary TEXT NOT NULL, signals TEXT NOT NULL, metadata TEXT NOT NULL, at BIGINT NOT NULL, seq BIGINT NOT NULL,
			PRIMARY KEY (person, id))`,
		`CREATE INDEX observations_use ON observations (person, session, gene)`,
		`CREATE INDEX observations_lately ON observations (person, at)`,
		`CREATE TABLE edges (gene TEXT NOT NULL, signal TEXT NOT NULL, person TEXT NOT NULL, success BIGINT NOT NULL, failure BIGINT NOT NULL,
			last BIGINT NOT NULL, updated BIGINT NOT NULL, PRIMARY KEY (gene, signal, person))`,
		`CREATE INDEX edges_signal ON edges (signal)`,
		`CREATE TABLE reports (id TEXT PRIMARY KEY, person TEXT NOT NULL, agent TEXT NOT NULL, document TEXT NOT NULL, at BIGINT NOT NULL)`,
		`CREATE TABLE files (person TEXT NOT NULL, scope TEXT NOT NULL, path TEXT NOT NULL, id TEXT NOT NULL, content TEXT NOT NULL,
			type TEXT NOT NULL, description TEXT NOT NULL, version BIGINT NOT NULL, updated BIGINT NOT NULL, PRIMARY KEY (person, scope, path))`,
		`CREATE TABLE skills (person TEXT NOT NULL, slug TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, content TEXT NOT NULL,
			version BIGINT NOT NULL, updated BIGINT NOT NULL, PRIMARY KEY (person, slug))`,
		`CREATE TABLE contexts (person TEXT NOT NULL, hash TEXT NOT NULL, url TEXT NOT NULL, hqcc TEXT NOT NULL, raw TEXT NOT NULL,
			meta TEXT NOT NULL, visibility TEXT NOT NULL, saved BIGINT NOT NULL, PRIMARY KEY (person, hash))`,
		`CREATE INDEX contexts_hash ON contexts (hash)`,
	},
	{ // 2
		`CREATE TABLE rooms (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created BIGINT NOT NULL)`,
		`CREATE TABLE members (room TEXT NOT NULL REFERENCES rooms (id), person TEXT NOT NULL REFERENCES persons (id), role TEXT NOT NULL, since BIGINT NOT NULL,
			PRIMARY KEY (room, person))`,
		`CREATE TABLE facts (room TEXT NOT NULL REFERENCES rooms (id), name TEXT NOT NULL, person TEXT NOT NULL, own TEXT NOT NULL, version BIGINT NOT NULL,
			document TEXT NOT NULL, deleter TEXT NOT NULL, seq BIGINT NOT NULL, PRIMARY KEY (room, name))`,
		`CREATE INDEX facts_seq ON facts (room, seq)`,
		`CREATE INDEX facts_person ON facts (room, person)`,
	},
	{ // 3: states, roles, voices, what is gone, and an index of signals
		`ALTER TABLE persons ADD COLUMN role TEXT NOT NULL DEFAULT 'member'`,
		`ALTER TABLE keys ADD COLUMN expires BIGINT NOT NULL DEFAULT 0`,
		`ALTER TABLE keys ADD COLUMN scopes TEXT NOT NULL DEFAULT ''`,
		`ALTER TABLE genes ADD COLUMN held TEXT NOT NULL DEFAULT ''`,
		`ALTER TABLE genes ADD COLUMN reviewed TEXT NOT NULL DEFAULT ''`,
		`ALTER TABLE genes ADD COLUMN more TEXT NOT NULL DEFAULT ''`,
		// Nobody has reviewed what was published, so it is on trial.
		`UPDATE genes SET held = 'its author took it back' WHERE visibility = 'quarantined'`,
		`UPDATE genes SET visibility = CASE visibility WHEN 'private' THEN 'draft' WHEN 'canary' THEN 'trial' WHEN 'published' THEN 'trial' WHEN 'quarantined' THEN 'held' ELSE visibility END`,
		`ALTER TABLE genes ADD COLUMN opened BIGINT NOT NULL DEFAULT 0`,
		`UPDATE genes SET opened = 1 WHERE visibility <> 'draft'`,
		`ALTER TABLE observations ADD COLUMN over BIGINT NOT NULL DEFAULT 0`,
		`CREATE INDEX observations_seq ON observations (person, seq)`,
		`CREATE INDEX observations_gene ON observations (gene)`,
		`CREATE INDEX edges_person ON edges (person, updated)`,
		`CREATE TABLE places (gene TEXT NOT NULL, person TEXT NOT NULL, scope TEXT NOT NULL, n BIGINT NOT NULL, PRIMARY KEY (gene, person, scope))`,
		`INSERT INTO places (gene, person, scope, n) SELECT gene, person, scope, count(*) FROM observations WHERE followed = 1 GROUP BY gene, person, scope`,
		`CREATE TABLE voices (gene TEXT NOT NULL, signal TEXT NOT NULL, person TEXT NOT NULL, helped DOUBLE PRECISION NOT NULL, failed DOUBLE PRECISION NOT NULL,
			PRIMARY KEY (gene, signal, person))`,
		`CREATE TABLE sums (gene TEXT NOT NULL, signal TEXT NOT NULL, helped DOUBLE PRECISION NOT NULL, failed DOUBLE PRECISION NOT NULL, persons BIGINT NOT NULL,
			projects BIGINT NOT NULL, outcomes BIGINT NOT NULL, last BIGINT NOT NULL, stale BIGINT NOT NULL, PRIMARY KEY (gene, signal))`,
		`CREATE INDEX sums_stale ON sums (stale)`,
		`CREATE INDEX sums_signal ON sums (signal, helped)`,
		`CREATE TABLE gene_signals (signal TEXT NOT NULL, kind TEXT NOT NULL, gene TEXT NOT NULL, person TEXT NOT NULL, open BIGINT NOT NULL, standing DOUBLE PRECISION NOT NULL,
			created BIGINT NOT NULL, PRIMARY KEY (gene, signal))`,
		`CREATE INDEX gene_signals_best ON gene_signals (signal, open, standing)`,
		`CREATE INDEX gene_signals_new ON gene_signals (signal, open, created)`,
		`CREATE INDEX gene_signals_own ON gene_signals (signal, person, standing)`,
		`CREATE INDEX gene_signals_kind ON gene_signals (kind, open, standing)`,
		`CREATE TABLE gone (id TEXT PRIMARY KEY, person TEXT NOT NULL, deleter TEXT NOT NULL, at BIGINT NOT NULL, seq BIGINT NOT NULL)`,
		`CREATE INDEX gone_seq ON gone (seq)`,
		`CREATE TABLE audit (id TEXT PRIMARY KEY, at BIGINT NOT NULL, person TEXT NOT NULL, key TEXT NOT NULL, what TEXT NOT NULL, about TEXT NOT NULL, detail TEXT NOT NULL)`,
		`CREATE INDEX audit_at ON audit (at)`,
	},
	{ // 4: the histories of the database
		`CREATE TABLE epochs (nr BIGINT PRIMARY KEY, id TEXT NOT NULL UNIQUE, begun BIGINT NOT NULL)`,
	},
	{ // 5: when a fact of a room was changed, and knowing which version
		`ALTER TABLE facts ADD COLUMN knew BIGINT NOT NULL DEFAULT 0`,
		`ALTER TABLE facts ADD COLUMN edited TEXT NOT NULL DEFAULT ''`,
	},
}

// further is what a step of the schema does besides statements.
func (s *Store) further(ctx context.Context, tx *sql.Tx, version int) error {
	if version != 3 {
		return nil
	}
	if err := s.totals(ctx, tx); err != nil {
		return err
	}
	if err := s.screenAll(ctx, tx); err != nil {
		return err
	}
	return s.recount(ctx, tx)
}

// migrate brings the schema to the newest version, once: instances that start together
// wait for the first one. A schema newer than this program is left alone, with an
// error.
func (s *Store) migrate(ctx context.Context) error {
	return s.transaction(ctx, func(tx *sql.Tx) error {
		if s.postgres {
			// The number is the program's own; the lock ends with the transaction.
			if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(7310579184366510963)`); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY, at BIGINT NOT NULL)`); err != nil {
			return err
		}
		var have int
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM schema_migrations`).Scan(&have); err != nil {
			return err
		}
		if have > len(migrations) {
			return fmt.Errorf("the database has schema %d, made by a newer agents-hooks; this one knows %d", have, len(migrations))
		}
		for v := have; v < len(migrations); v++ {
			for _, statement := range migrations[v] {
				if _, err := tx.ExecContext(ctx, statement); err != nil {
					return fmt.Errorf("schema %d: %w", v+1, err)
				}
			}
			if err := s.further(ctx, tx, v+1); err != nil {
				return fmt.Errorf("schema %d: %w", v+1, err)
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO schema_migrations (version, at) VALUES ($1, $2)`, v+1, s.now().UnixMilli()); err != nil {
				return err
			}
		}
		if err := s.begin(ctx, tx); err != nil {
			return fmt.Errorf("beginning a time of the database: %w", err)
		}
		return s.seed(ctx, tx)
	})
}

// seed adds the genes that come with the program, if they have changed: their results
// are worth sharing too. They belong to nobody.
func (s *Store) seed(ctx context.Context, tx *sql.Tx) error {
	var have string
	err := tx.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = 'seeds'`).Scan(&have)
	if err != nil && !errors.Is(err, sql.ErrNoRows) || have == gene.SeedVersion() {
		return err
	}
	list, err := gene.Seeds()
	if err != nil {
		return err
	}
	// A server finds genes by signals, while those for a single cause are found by
	// phrases alone: whoever can use them has them, and they would fill the pages of
	// everybody else.
	list = slices.DeleteFunc(list, func(g gene.Gene) bool { return g.When.Literal })
	for _, g := range list {
		n, err := s.tick(ctx, tx)
		if err != nil {
			return err
		}
		r := row(g)
		signals, strategy, pre, constraints, err := texts(r.SignalsMatch, r.Strategy, r.Preconditions, r.Constraints)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO genes (`+geneColumns+`) VALUES ($1, '', '', 'global', $2, $3, $4, $5, $6, $7, $8, 'seed', '', 0, 0, 0, 0, 0, $9, $10)
			ON CONFLICT (id) DO UPDATE SET title = excluded.title, description = excluded.description, signals = excluded.signals, strategy = excluded.strategy,
			preconditions = excluded.preconditions, updated = excluded.updated`,
			r.ID, r.Category, r.Title, r.Description, signals, strategy, pre, constraints, s.now().UnixMilli(), n); err != nil {
			return err
		}
		if err := s.index(ctx, tx, r.ID); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO meta (key, value) VALUES ('seeds', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, gene.SeedVersion())
	return err
}
