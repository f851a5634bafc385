package server

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
)

// An observation is one reported outcome.
type observation struct {
	explicit, followed bool
	outcome            string
	signals            []string
	at                 int64
	over               bool // its person reported too many that day: it does not count
}

// A count is the results of a gene for a signal.
type count struct{ success, failure int }

// counted is what observations of one person, session and gene, in the order of their
// arrival, say about the gene: if somebody judged it, only the last judgement, or
// nothing if the gene was not followed; else all of them.
func counted(list []observation) (total count, edges map[string]count) {
	edges = map[string]count{}
	holds := list
	for i, o := range slices.Backward(list) {
		if o.explicit {
			holds = list[i : i+1]
			break
		}
	}
	for _, o := range holds {
		if !o.followed || o.over {
			continue
		}
		one := count{success: 1}
		if o.outcome != "success" {
			one = count{failure: 1}
		}
		total = total.plus(one)
		for _, s := range o.signals {
			edges[s] = edges[s].plus(one)
		}
	}
	return total, edges
}

func (c count) plus(d count) count  { return count{c.success + d.success, c.failure + d.failure} }
func (c count) minus(d count) count { return count{c.success - d.success, c.failure - d.failure} }

// A result is what became of one outcome.
type result struct {
	again   bool   // it was there already
	changed bool   // the counts have changed
	gene    stored // if it was reported alone
}

// A told is an outcome on its way into the database, and its result.
type told struct {
	api.Outcome
	result
	err error // why it is not accepted; the others of its transaction are
}

// observe stores outcomes with ids in one transaction. The sums of a gene are computed
// once at the end: everybody else who changes something is waiting.
func (s *Store) observe(ctx context.Context, c caller, scope string, list []*told) error {
	if len(list) == 0 {
		return nil
	}
	return s.transaction(ctx, func(tx *sql.Tx) error {
		n, err := s.ticks(ctx, tx, len(list))
		if err != nil {
			return err
		}
		day, err := s.dayOf(ctx, tx, c.person)
		if err != nil {
			return err
		}
		changed := map[string][]string{}
		for i, o := range list {
			signals, err := s.observeOne(ctx, tx, c, scope, o, n+int64(i), day >= dayMost)
			if errors.Is(err, errUnknown) || errors.Is(err, errForbidden) {
				o.err = err // found before anything was written
				continue
			}
			if err != nil {
				return err
			}
			if !o.again {
				day++
				changed[o.GeneID] = append(changed[o.GeneID], signals...)
			}
		}
		for _, id := range slices.Sorted(maps.Keys(changed)) {
			slices.Sort(changed[id])
			if err := s.sum(ctx, tx, id, slices.Compact(changed[id])); err != nil {
				return err
			}
		}
		if one := list[0]; len(list) == 1 && one.err == nil { // whoever reports a single one is told the gene's new counts
			one.gene, _, err = geneOf(ctx, tx, c.person, one.GeneID)
		}
		return err
	})
}

// dayOf is how many outcomes a person reported in the last 24 hours, at most dayMost.
func (s *Store) dayOf(ctx context.Context, tx *sql.Tx, person string) (n int, err error) {
	return n, tx.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM observations WHERE person = $1 AND seq > $2 LIMIT $3) x`,
		person, s.now().UnixMilli()-24*3600_000, dayMost).Scan(&n)
}

// observeOne stores an outcome as the change n; over means that its person reported too
// many today. It returns the signals for which the counts of the gene have changed.
func (s *Store) observeOne(ctx context.Context, tx *sql.Tx, c caller, scope string, o *told, n int64, over bool) (changed []string, err error) {
	var types []string
	for _, g := range o.Signals {
		types = append(types, g.Type)
	}
	slices.Sort(types)
	types = slices.Compact(types)
	signals, err := json.Marshal(types)
	metadata, merr := json.Marshal(o.Metadata)
	if err = errors.Join(err, merr); err != nil {
		return nil, err
	}
	now := s.now().UnixMilli()
	at := o.At
	if at == 0 || at > now { // no client's clock makes an outcome later than its arrival
		at = now
	}
	followed := o.Followed == nil || *o.Followed
	score := -1.0
	if o.Score != nil {
		score = *o.Score
	}
	if err := mayTell(ctx, tx, c.person, o.GeneID); err != nil {
		return nil, err
	}
	before, err := s.uses(ctx, tx, c, o.Outcome)
	if err != nil {
		return nil, err
	}
	done, err := tx.ExecContext(ctx, `INSERT INTO observations (person, id, agent, session, gene, scope, explicit, followed, outcome, score, summary, signals, metadata, at, seq, over)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT (person, id) DO NOTHING`,
		c.person, o.OutcomeID, c.agent, o.SessionID, o.GeneID, scope, digit(o.Explicit), digit(followed), o.Outcome.Outcome, score, o.Summary, string(signals), string(metadata), at, n, digit(over))
	if err != nil {
		return nil, err
	}
	if rows, err := done.RowsAffected(); err != nil || rows == 0 {
		// Whoever sends it again may have pulled the counts before they knew that it
		// had arrived: they get them once more.
		o.again = true
		_, uerr := tx.ExecContext(ctx, `UPDATE genes SET updated = $1 WHERE id = $2`, n, o.GeneID)
		return nil, errors.Join(err, uerr)
	}
	after := append(before[:len(before):len(before)], observation{o.Explicit, followed, o.Outcome.Outcome, types, at, over})
	if followed && !over {
		if _, err := tx.ExecContext(ctx, `INSERT INTO places (gene, person, scope, n) VALUES ($1, $2, $3, 1) ON CONFLICT (gene, person, scope) DO UPDATE SET n = places.n + 1`, o.GeneID, c.person, scope); err != nil {
			return nil, err
		}
	}
	return s.settle(ctx, tx, c, o, before, after, at, n)
}

// mayTell is an error if a person cannot see a gene.
func mayTell(ctx context.Context, tx *sql.Tx, person, id string) error {
	var owner, visibility string
	err := tx.QueryRowContext(ctx, `SELECT person, visibility FROM genes WHERE id = $1`, id).Scan(&owner, &visibility)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return errUnknown
	case err == nil && owner != person && !public(visibility):
		return errForbidden
	}
	return err
}

// uses are the observations of the same use of a gene: of the person, the session and
// the gene. Without a session each one is a use of its own.
func (s *Store) uses(ctx context.Context, tx *sql.Tx, c caller, o api.Outcome) ([]observation, error) {
	if o.SessionID == "" {
		return nil, nil
	}
	return all(ctx, tx, func(r *sql.Rows) (u observation, err error) {
		var signals string
		var explicit, followed, over int
		if err := r.Scan(&explicit, &followed, &u.outcome, &signals, &u.at, &over); err != nil {
			return u, err
		}
		u.explicit, u.followed, u.over = explicit != 0, followed != 0, over != 0
		return u, json.Unmarshal([]byte(signals), &u.signals)
	}, `SELECT explicit, followed, outcome, signals, at, over FROM observations WHERE person = $1 AND session = $2 AND gene = $3 ORDER BY seq`, c.person, o.SessionID, o.GeneID)
}

// settle adds the difference that an observation makes to the counts, and returns the
// signals concerned: their sums have to be computed again even if no count has changed,
// since the project where the gene was used may have.
func (s *Store) settle(ctx context.Context, tx *sql.Tx, c caller, o *told, before, after []observation, at, n int64) (signals []string, err error) {
	oldTotal, oldEdges := counted(before)
	newTotal, newEdges := counted(after)
	total := newTotal.minus(oldTotal)
	oldEdges[""], newEdges[""] = oldTotal, newTotal // for all signals
	_, err = tx.ExecContext(ctx, `UPDATE genes SET success = success + $1, failure = failure + $2, last_used = CASE WHEN last_used > $3 THEN last_used ELSE $3 END, updated = $4 WHERE id = $5`,
		total.success, total.failure, at, n, o.GeneID)
	if err != nil {
		return nil, err
	}
	signals = slices.Concat(slices.Collect(maps.Keys(oldEdges)), slices.Collect(maps.Keys(newEdges)))
	slices.Sort(signals)
	signals = slices.Compact(signals)
	var edges [][]any
	for _, name := range signals {
		if d := newEdges[name].minus(oldEdges[name]); d != (count{}) {
			edges = append(edges, []any{o.GeneID, name, c.person, d.success, d.failure, at, n})
		}
	}
	o.changed = len(edges) > 0
	return signals, insert(ctx, tx, `INSERT INTO edges (gene, signal, person, success, failure, last, updated)`, edges, `
		ON CONFLICT (gene, signal, person) DO UPDATE SET success = edges.success + excluded.success, failure = edges.failure + excluded.failure,
		last = CASE WHEN edges.last > excluded.last THEN edges.last ELSE excluded.last END, updated = excluded.updated`)
}

func digit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// edgesSince are a person's edges that changed after one cursor and up to another.
func (s *Store) edgesSince(ctx context.Context, person string, since, until int64) ([]api.Edge, error) {
	return all(ctx, s.db, scanEdge, `SELECT gene, signal, success, failure, last FROM edges WHERE person = $1 AND updated > $2 AND updated <= $3 AND signal <> '' ORDER BY updated, gene, signal`, person, since, until)
}

// edgesOf are the results of some genes for a signal: the person's own, and the
// weighted voices of all others.
func (s *Store) edgesOf(ctx context.Context, person, signal string, genes []string) (mine, others map[string]selector.Tally, err error) {
	mine, others = map[string]selector.Tally{}, map[string]selector.Tally{}
	in, args := list(3, genes)
	_, err = all(ctx, s.db, func(r *sql.Rows) (none struct{}, err error) {
		var id string
		var good, bad, helped, failed, ownHelped, ownFailed float64
		var last, all int64
		if err := r.Scan(&id, &good, &bad, &last, &helped, &failed, &all, &ownHelped, &ownFailed); err != nil {
			return none, err
		}
		if good+bad > 0 {
			mine[id] = selector.Tally{Successes: good, Failures: bad, Last: time.UnixMilli(last)}
		}
		if t := (selector.Tally{Successes: max(0, helped-ownHelped), Failures: max(0, failed-ownFailed), Last: time.UnixMilli(all)}); t.N() > 1e-9 {
			others[id] = t
		}
		return none, nil
	}, `SELECT t.gene, coalesce(m.success, 0), coalesce(m.failure, 0), coalesce(m.last, 0), t.helped, t.failed, t.last, coalesce(v.helped, 0), coalesce(v.failed, 0)
		FROM sums t LEFT JOIN edges m ON m.gene = t.gene AND m.signal = t.signal AND m.person = $1 LEFT JOIN voices v ON v.gene = t.gene AND v.signal = t.signal AND v.person = $1
		WHERE t.signal = $2 AND t.gene IN (`+in+`)`, append([]any{person, signal}, args...)...)
	return mine, others, err
}

func scanEdge(r *sql.Rows) (e api.Edge, err error) {
	return e, r.Scan(&e.GeneID, &e.Signal, &e.SuccessCount, &e.FailureCount, &e.LastUsedAt)
}

// priorsAt are priors as of a change, or a later one.
type priorsAt struct {
	clock int64
	list  map[string]api.Prior
}

// priors are what all persons together observed about the most important signals. They
// are a sum over all genes, and most machines pull when nothing has changed since
// another one did: it is computed once per change.
func (s *Store) priors(ctx context.Context, clock int64) (map[string]api.Prior, error) {
	if p := s.seen.Load(); p != nil && p.clock == clock {
		return p.list, nil
	}
	list, err := s.sumPriors(ctx)
	if err == nil {
		s.seen.Store(&priorsAt{clock, list})
	}
	return list, err
}

func (s *Store) sumPriors(ctx context.Context) (map[string]api.Prior, error) {
	type row struct {
		signal string
		api.Prior
	}
	list, err := all(ctx, s.db, func(r *sql.Rows) (p row, err error) {
		err = r.Scan(&p.signal, &p.Alpha, &p.Beta)
		p.Alpha++
		p.Beta++
		return p, err
	}, `SELECT signal, sum(helped), sum(failed) FROM sums WHERE signal <> '' GROUP BY signal ORDER BY sum(helped) + sum(failed) DESC, signal LIMIT 200`)
	out := map[string]api.Prior{}
	for _, p := range list {
		out[p.signal] = p.Prior
	}
	return out, err
}

// lately are the recent outcomes of a person's agents by gene, the oldest first, for
// the breaker.
func (s *Store) lately(ctx context.Context, person string, since int64) (map[string][]observation, error) {
	type row struct {
		gene string
		observation
	}
	list, err := all(ctx, s.db, func(r *sql.Rows) (o row, err error) {
		return o, r.Scan(&o.gene, &o.outcome, &o.at)
	}, `SELECT gene, outcome, at FROM observations WHERE person = $1 AND at > $2 ORDER BY seq`, person, since)
	out := map[string][]observation{}
	for _, o := range list {
		out[o.gene] = append(out[o.gene], o.observation)
	}
	return out, err
}
