package serve

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/wire"
)

// A stored gene is a row of the table of genes.
type stored struct {
	wire.Row
	person, agent string
	created       int64
	updated       int64
}

const geneColumns = `id, person, agent, scope, category, title, description, signals, strategy, preconditions, constraints, visibility, parent, generation, forks, success, failure, last_used, created, updated`

func scanGene(r *sql.Rows) (g stored, err error) {
	var signals, strategy, preconditions, constraints string
	err = r.Scan(&g.ID, &g.person, &g.agent, &g.Scope, &g.Category, &g.Title, &g.Description, &signals, &strategy, &preconditions, &constraints,
		&g.Visibility, &g.ParentGeneID, &g.Generation, &g.ForkCount, &g.SuccessCount, &g.FailureCount, (*int64)(&g.LastUsedAt), &g.created, &g.updated)
	if err != nil {
		return g, err
	}
	g.QualityScore = quality(g.ForkCount, g.SuccessCount, g.FailureCount)
	return g, errors.Join(json.Unmarshal([]byte(signals), &g.SignalsMatch), json.Unmarshal([]byte(strategy), &g.StrategySteps),
		json.Unmarshal([]byte(preconditions), &g.Preconditions), json.Unmarshal([]byte(constraints), &g.Constraints))
}

// quality is that of 4.4: forks and success, each up to a half.
func quality(forks, success, failure int) float64 {
	q := min(float64(forks)/10, 0.5)
	if n := success + failure; n > 0 {
		q += min(float64(success)/float64(n), 0.5)
	}
	return q
}

// seen is the gene as a person sees it.
func (g stored) seen(by string) wire.Row {
	mine := g.person == by
	g.Mine = &mine
	g.CreatedBy = g.agent
	if !mine {
		g.CreatedBy, g.Scope = "", wire.Global // who and where is nobody else's business
	}
	return g.Row
}

func (g stored) model(by string) wire.Gene {
	r := g.seen(by)
	return wire.Gene{Type: "Gene", ID: r.ID, Category: r.Category, Title: r.Title, Description: r.Description, Visibility: r.Visibility,
		SignalsMatch: r.SignalsMatch, Strategy: filled(r.StrategySteps), Preconditions: filled(r.Preconditions), Constraints: r.Constraints,
		SuccessCount: r.SuccessCount, FailureCount: r.FailureCount, LastUsedAt: int64(r.LastUsedAt), CreatedBy: r.CreatedBy, ParentGeneID: r.ParentGeneID,
		ForkCount: r.ForkCount, Generation: r.Generation, QualityScore: r.QualityScore, Mine: r.Mine}
}

func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// public reports that others than its person may see a gene.
func public(visibility string) bool {
	return visibility == "published" || visibility == "canary" || visibility == "seed"
}

// geneOf is one gene; ok is false if there is none.
func geneOf(ctx context.Context, q asker, id string) (g stored, ok bool, err error) {
	list, err := all(ctx, q, scanGene, `SELECT `+geneColumns+` FROM genes WHERE id = $1`, id)
	if err != nil || len(list) == 0 {
		return g, false, err
	}
	return list[0], true, nil
}

// texts are the lists of a gene as columns.
func texts(signals []wire.Signal, strategy, preconditions []string, constraints wire.Map) (a, b, c, d string, err error) {
	text := func(v any) string {
		b, merr := json.Marshal(v)
		err = errors.Join(err, merr)
		return string(b)
	}
	return text(signals), text(strategy), text(filled(preconditions)), text(constraints), err
}

var (
	errTaken     = errors.New("another person has a gene of this id")
	errUnknown   = errors.New("unknown gene")
	errForbidden = errors.New("no access to this gene")
)

// addGene keeps a new gene. One of the same person and id is there already: it
// is given back as it is, and made is false.
func (s *Store) addGene(ctx context.Context, c caller, scope string, in wire.Gene) (g stored, made bool, err error) {
	signals, strategy, pre, constraints, err := texts(in.SignalsMatch, in.Strategy, in.Preconditions, in.Constraints)
	if err != nil {
		return g, false, err
	}
	err = s.transaction(ctx, func(tx *sql.Tx) error {
		n, err := s.tick(ctx, tx)
		if err != nil {
			return err
		}
		if in.ID == "" {
			in.ID = "gene_" + in.Category + "_" + strconv.FormatInt(n, 36)
		}
		g, made, err = geneOf(ctx, tx, in.ID)
		if err != nil || made && g.person == c.person {
			made = false
			return err
		}
		if made {
			made = false
			return errTaken
		}
		parent, ok, err := geneOf(ctx, tx, in.ParentGeneID)
		if err != nil {
			return err
		}
		if ok && (parent.person == c.person || public(parent.Visibility)) {
			in.Generation = parent.Generation + 1
			if _, err := tx.ExecContext(ctx, `UPDATE genes SET forks = forks + 1 WHERE id = $1`, parent.ID); err != nil {
				return err
			}
		} else {
			in.ParentGeneID, in.Generation = "", 0
		}
		made = true
		_, err = tx.ExecContext(ctx, `INSERT INTO genes (`+geneColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0, 0, 0, 0, $15, $16)`,
			in.ID, c.person, c.agent, scope, in.Category, in.Title, in.Description, signals, strategy, pre, constraints, in.Visibility, in.ParentGeneID, in.Generation, s.now().UnixMilli(), n)
		if err != nil {
			return err
		}
		g, _, err = geneOf(ctx, tx, in.ID)
		return err
	})
	return g, made, err
}

// genesSince are up to limit genes that a person may use and that changed after a
// cursor, in the order of their changes. since 0 leaves out what is quarantined.
func (s *Store) genesSince(ctx context.Context, person, scope string, since int64, limit int) ([]stored, error) {
	return all(ctx, s.db, scanGene, `SELECT `+geneColumns+` FROM genes
		WHERE updated > $1 AND (person = $2 AND (scope = $3 OR scope = 'global') OR visibility IN ('published', 'canary', 'seed') OR visibility = 'quarantined' AND $1 > 0)
		ORDER BY updated LIMIT $4`, since, person, scope, limit)
}

// usable are the genes that a person may be offered.
func (s *Store) usable(ctx context.Context, person, scope string) ([]stored, error) {
	return all(ctx, s.db, scanGene, `SELECT `+geneColumns+` FROM genes
		WHERE visibility <> 'quarantined' AND (person = $1 AND (scope = $2 OR scope = 'global') OR visibility IN ('published', 'canary', 'seed'))
		ORDER BY success DESC, id LIMIT 2000`, person, scope)
}

// setVisibility publishes a gene of a person, or takes it back.
func (s *Store) setVisibility(ctx context.Context, c caller, id, visibility string) (g stored, err error) {
	err = s.transaction(ctx, func(tx *sql.Tx) error {
		n, err := s.tick(ctx, tx)
		if err != nil {
			return err
		}
		var ok bool
		if g, ok, err = geneOf(ctx, tx, id); err != nil {
			return err
		}
		if !ok {
			return errUnknown
		}
		if g.person != c.person {
			return errForbidden
		}
		g.Visibility = visibility
		_, err = tx.ExecContext(ctx, `UPDATE genes SET visibility = $1, updated = $2 WHERE id = $3`, visibility, n, id)
		return err
	})
	return g, err
}
