package server

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
)

// Bounds of a voice, so that many keys in one hand weigh no more than one person.
const (
	youngFor    = 7 * 24 * time.Hour // since a person's first key
	youngWeight = 0.5
	placeVoices = 3    // of one project, and of all new persons together
	dayMost     = 1000 // outcomes of a person per day that count
)

// A voice is one person's results with a gene for a signal ("" for all signals),
// however often they used it.
type voice struct {
	person          string
	project         string  // where they used it most
	success, failed int     // their outcomes
	since           int64   // of their first key, ms
	weight          float64 // 0 if others from the project count already
	last            int64
}

func (v voice) share() (helped, failed float64) {
	n := float64(v.success + v.failed)
	return v.weight * float64(v.success) / n, v.weight * float64(v.failed) / n
}

// weigh gives each voice its weight: a half while the person is new, nothing if three
// from the same project or three new ones already count. New ones are limited across
// projects because a client names its project, so a crowd made yesterday could claim
// any number of them. Those who are here longest, and then those with most outcomes,
// come first. again is when a weight will change, 0: never.
func weigh(list []voice, now int64) (again int64) {
	slices.SortFunc(list, func(a, b voice) int {
		return cmp.Or(cmp.Compare(a.since, b.since), cmp.Compare(b.success+b.failed, a.success+a.failed), strings.Compare(a.person, b.person))
	})
	spoken, fresh := map[string]int{}, 0
	for i := range list {
		v := &list[i]
		v.weight = 1
		if old := v.since + youngFor.Milliseconds(); old > now {
			v.weight = youngWeight
			fresh++
			if again == 0 || old < again {
				again = old
			}
		}
		if spoken[v.project]++; spoken[v.project] > placeVoices || v.weight == youngWeight && fresh > placeVoices {
			v.weight = 0
		}
	}
	return again
}

// voicesOf are the weighed voices about a gene for each of some signals.
func (s *Store) voicesOf(ctx context.Context, q asker, id string, signals ...string) (map[string]voices, error) {
	type row struct {
		signal string
		voice
	}
	in, args := list(2, signals)
	rows, err := all(ctx, q, func(r *sql.Rows) (v row, err error) {
		return v, r.Scan(&v.signal, &v.person, &v.success, &v.failed, &v.last, &v.since, &v.project)
	}, `SELECT e.signal, e.person, e.success, e.failure, e.last, coalesce(p.created, 0),
		coalesce((SELECT l.scope FROM places l WHERE l.gene = e.gene AND l.person = e.person ORDER BY l.n DESC, l.scope LIMIT 1), 'global')
		FROM edges e LEFT JOIN persons p ON p.id = e.person WHERE e.gene = $1 AND e.signal IN (`+in+`)`, append([]any{id}, args...)...)
	out := map[string]voices{}
	for _, r := range rows {
		if r.success+r.failed > 0 {
			v := out[r.signal]
			v.list = append(v.list, r.voice)
			out[r.signal] = v
		}
	}
	for signal, v := range out {
		v.again = weigh(v.list, s.now().UnixMilli())
		out[signal] = v
	}
	return out, err
}

// voices are the voices about a gene for a signal, and when one of the weights will
// change, 0: never.
type voices struct {
	list  []voice
	again int64
}

// sum recomputes what all persons together say about a gene for some signals.
func (s *Store) sum(ctx context.Context, tx *sql.Tx, id string, signals []string) error {
	voices, err := s.voicesOf(ctx, tx, id, signals...)
	if err != nil {
		return err
	}
	in, args := list(2, signals)
	if _, err := tx.ExecContext(ctx, `DELETE FROM voices WHERE gene = $1 AND signal IN (`+in+`)`, append([]any{id}, args...)...); err != nil {
		return err
	}
	var weights, sums [][]any
	for _, signal := range signals {
		var helped, failed float64
		var outcomes int
		var last int64
		projects := map[string]bool{}
		all := voices[signal]
		for _, v := range all.list {
			h, f := v.share()
			helped, failed, outcomes, last = helped+h, failed+f, outcomes+v.success+v.failed, max(last, v.last)
			projects[v.project] = true
			weights = append(weights, []any{id, signal, v.person, h, f})
		}
		sums = append(sums, []any{id, signal, helped, failed, len(all.list), len(projects), outcomes, last, all.again})
		if signal == "" {
			if _, err := tx.ExecContext(ctx, `UPDATE gene_signals SET standing = $1 WHERE gene = $2`, standing(helped, failed), id); err != nil {
				return err
			}
		}
	}
	if err := insert(ctx, tx, `INSERT INTO voices (gene, signal, person, helped, failed)`, weights, ``); err != nil {
		return err
	}
	return insert(ctx, tx, `INSERT INTO sums (gene, signal, helped, failed, persons, projects, outcomes, last, stale)`, sums, `
		ON CONFLICT (gene, signal) DO UPDATE SET helped = excluded.helped, failed = excluded.failed, persons = excluded.persons, projects = excluded.projects,
		outcomes = excluded.outcomes, last = excluded.last, stale = excluded.stale`)
}

// standing orders genes: the rate of success, with one more success and failure.
func standing(helped, failed float64) float64 { return (helped + 1) / (helped + failed + 2) }

// refresh recomputes what has changed by time alone: somebody is no longer new.
func (s *Store) refresh(ctx context.Context) error {
	type row struct{ gene, signal string }
	now := s.now().UnixMilli()
	list, err := all(ctx, s.db, func(r *sql.Rows) (x row, err error) { return x, r.Scan(&x.gene, &x.signal) },
		`SELECT gene, signal FROM sums WHERE stale > 0 AND stale <= $1 LIMIT 500`, now)
	if err != nil || len(list) == 0 {
		return err
	}
	return s.transaction(ctx, func(tx *sql.Tx) error {
		for _, x := range list {
			n, err := s.tick(ctx, tx)
			if err != nil {
				return err
			}
			if err := s.sum(ctx, tx, x.gene, []string{x.signal}); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `UPDATE genes SET updated = $1 WHERE id = $2`, n, x.gene); err != nil {
				return err
			}
		}
		return nil
	})
}

// index lists a gene under its signals.
func (s *Store) index(ctx context.Context, tx *sql.Tx, id string) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM gene_signals WHERE gene = $1`, id); err != nil {
		return err
	}
	var person, visibility, text string
	var created int64
	var helped, failed float64
	err := tx.QueryRowContext(ctx, `SELECT g.person, g.visibility, g.signals, g.created, coalesce(t.helped, 0), coalesce(t.failed, 0)
		FROM genes g LEFT JOIN sums t ON t.gene = g.id AND t.signal = '' WHERE g.id = $1`, id).Scan(&person, &visibility, &text, &created, &helped, &failed)
	if err != nil {
		return err
	}
	var signals []api.Signal
	if err := json.Unmarshal([]byte(text), &signals); err != nil {
		return err
	}
	if visibility == "held" {
		return nil
	}
	for _, g := range signals {
		kind, _, _ := strings.Cut(g.Type, ":")
		if _, err := tx.ExecContext(ctx, `INSERT INTO gene_signals (signal, kind, gene, person, open, standing, created) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (gene, signal) DO NOTHING`,
			g.Type, kind, id, person, digit(public(visibility)), standing(helped, failed), created); err != nil {
			return err
		}
	}
	return nil
}

// totals makes the edge for all signals (""), which older schemas did not have, from
// the observations.
func (s *Store) totals(ctx context.Context, tx *sql.Tx) error {
	type row struct {
		observation
		person, session, gene, id string
	}
	list, err := all(ctx, tx, func(r *sql.Rows) (o row, err error) {
		var signals string
		var explicit, followed int
		if err := r.Scan(&o.person, &o.session, &o.gene, &o.id, &explicit, &followed, &o.outcome, &signals, &o.at); err != nil {
			return o, err
		}
		o.explicit, o.followed = explicit != 0, followed != 0
		return o, json.Unmarshal([]byte(signals), &o.signals)
	}, `SELECT person, session, gene, id, explicit, followed, outcome, signals, at FROM observations ORDER BY person, gene, session, seq, id`)
	if err != nil {
		return err
	}
	type key struct{ gene, person string }
	sums, last := map[key]count{}, map[key]int64{}
	for i := 0; i < len(list); {
		k := i + 1
		for k < len(list) && list[i].session != "" && list[k].person == list[i].person && list[k].session == list[i].session && list[k].gene == list[i].gene {
			k++
		}
		var use []observation
		at := key{list[i].gene, list[i].person}
		for _, o := range list[i:k] {
			use, last[at] = append(use, o.observation), max(last[at], o.at)
		}
		total, _ := counted(use)
		sums[at] = sums[at].plus(total)
		i = k
	}
	for at, c := range sums {
		if _, err := tx.ExecContext(ctx, `INSERT INTO edges (gene, signal, person, success, failure, last, updated) VALUES ($1, '', $2, $3, $4, $5, 0)`, at.gene, at.person, c.success, c.failure, last[at]); err != nil {
			return err
		}
	}
	return nil
}

// recount lists every gene under its signals, and sums up all voices.
func (s *Store) recount(ctx context.Context, tx *sql.Tx) error {
	type row struct{ gene, signal string }
	list, err := all(ctx, tx, func(r *sql.Rows) (x row, err error) { return x, r.Scan(&x.gene, &x.signal) }, `SELECT DISTINCT gene, signal FROM edges ORDER BY gene, signal`)
	if err != nil {
		return err
	}
	for _, x := range list {
		if err := s.sum(ctx, tx, x.gene, []string{x.signal}); err != nil {
			return err
		}
	}
	ids, err := all(ctx, tx, func(r *sql.Rows) (id string, err error) { return id, r.Scan(&id) }, `SELECT id FROM genes`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.index(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}
