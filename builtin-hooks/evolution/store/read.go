package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/choose"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// Candidates are the genes that may be chosen for signals, of a scope and of all
// scopes. What is known of each is what was seen on the one of the signals that
// is known best, and what its origin told.
func (s *Store) Candidates(ctx context.Context, signals []gene.Signal, scope, agent string, now time.Time) ([]choose.Candidate, error) {
	defer s.db.Within(ctx)()
	var out []choose.Candidate
	at := map[string]int{}
	err := s.db.Each(`SELECT id, doc, visibility, elsewhere_good, elsewhere_bad, elsewhere_last FROM genes
  WHERE NOT deleted AND visibility <> 'quarantined' AND scope IN ('', 'global', ?) ORDER BY id`, []any{scope}, func(st *sqlite3.Stmt) error {
		var c choose.Candidate
		if err := json.Unmarshal([]byte(st.ColumnText(1)), &c.Gene); err != nil {
			return err
		}
		c.Gene.Visibility = gene.Visibility(st.ColumnText(2))
		c.Global = choose.Tally{Successes: st.ColumnFloat(3), Failures: st.ColumnFloat(4), Last: timeOf(st.ColumnInt64(5))}
		c.Others = c.Global.N()
		at[st.ColumnText(0)] = len(out)
		out = append(out, c)
		return nil
	})
	if err != nil {
		return nil, s.fail("reading genes", err)
	}
	known, err := s.onSignals(signals, scope, agent)
	if err != nil {
		return nil, s.fail("reading what is known of genes", err)
	}
	for id, k := range known {
		if i, ok := at[id]; ok {
			c := &out[i]
			c.Local, c.Global, c.Others = k.local, c.Global.Add(k.all), c.Others+k.others
		}
	}
	return out, s.fail("reading what happened lately", s.addRecent(out, at, now))
}

// A knowledge is what was seen of a gene on one signal.
type knowledge struct {
	local, all choose.Tally
	others     float64
}

// onSignals is what was seen of genes on signals: of several, the one with most. (An
// outcome with two signals is one outcome.)
func (s *Store) onSignals(signals []gene.Signal, scope, agent string) (map[string]knowledge, error) {
	types, err := json.Marshal(gene.Types(signals))
	if err != nil {
		return nil, err
	}
	if scope == "" {
		scope = "global"
	}
	out := map[string]knowledge{}
	err = s.db.Each(`SELECT gene, sum(good), sum(bad), max(last),
    sum(CASE WHEN scope = ?2 THEN good ELSE 0 END), sum(CASE WHEN scope = ?2 THEN bad ELSE 0 END), max(CASE WHEN scope = ?2 THEN last ELSE 0 END),
    sum(CASE WHEN agent <> ?3 THEN good + bad ELSE 0 END)
  FROM edges WHERE signal IN (SELECT value FROM json_each(?1)) GROUP BY gene, signal ORDER BY gene, signal`, []any{string(types), scope, agent}, func(st *sqlite3.Stmt) error {
		k := knowledge{
			choose.Tally{Successes: st.ColumnFloat(4), Failures: st.ColumnFloat(5), Last: timeOf(st.ColumnInt64(6))},
			choose.Tally{Successes: st.ColumnFloat(1), Failures: st.ColumnFloat(2), Last: timeOf(st.ColumnInt64(3))},
			st.ColumnFloat(7),
		}
		if id := st.ColumnText(0); k.all.N() > out[id].all.N() {
			out[id] = k
		}
		return nil
	})
	return out, err
}

// addRecent adds the offers and outcomes of the last hour, for the breaker.
func (s *Store) addRecent(list []choose.Candidate, at map[string]int, now time.Time) error {
	from := now.Add(-choose.BreakerLooksBack)
	return s.db.Each(`SELECT gene, at, kind FROM (
    SELECT o.gene, o.at, CASE WHEN o.success THEN 1 ELSE 2 END AS kind FROM observations o LEFT JOIN replaced r ON r.observation = o.id
      WHERE o.at > ?1 AND r.observation IS NULL AND coalesce(o.followed, 1)
    UNION ALL SELECT gene, at, 0 FROM suggestions WHERE at > ?1) ORDER BY at`, []any{from}, func(st *sqlite3.Stmt) error {
		if i, ok := at[st.ColumnText(0)]; ok {
			list[i].Recent = append(list[i].Recent, choose.Mark{At: timeOf(st.ColumnInt64(1)), Kind: choose.Kind(st.ColumnInt(2))})
		}
		return nil
	})
}

// A Suggestion is a gene that was offered.
type Suggestion struct {
	Gene, Session, Scope string
	Signals              []string
	Action               choose.Action
	Confidence, Coverage float64
	At                   time.Time
}

// Suggested notes that a gene was offered.
func (s *Store) Suggested(ctx context.Context, g Suggestion) error {
	defer s.db.Within(ctx)()
	types, err := json.Marshal(g.Signals)
	if err != nil {
		return err
	}
	return s.fail("noting a suggestion", s.db.Write(func() error {
		return s.db.Run("INSERT INTO suggestions VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", g.Gene, g.Session, g.Scope, string(types), string(g.Action), g.Confidence, g.Coverage, g.At)
	}))
}

// Suggestions are those of a session ("": of all) since a time, the oldest first.
func (s *Store) Suggestions(ctx context.Context, session string, since time.Time) (out []Suggestion, err error) {
	defer s.db.Within(ctx)()
	err = s.db.Each("SELECT gene, session, scope, types, action, confidence, coverage, at FROM suggestions WHERE (?1 = '' OR session = ?1) AND at >= ?2 ORDER BY seq", []any{session, since}, func(st *sqlite3.Stmt) error {
		g := Suggestion{st.ColumnText(0), st.ColumnText(1), st.ColumnText(2), nil, choose.Action(st.ColumnText(4)), st.ColumnFloat(5), st.ColumnFloat(6), timeOf(st.ColumnInt64(7))}
		out = append(out, g)
		return json.Unmarshal([]byte(st.ColumnText(3)), &out[len(out)-1].Signals)
	})
	return out, s.fail("reading suggestions", err)
}

// A Search says which observations are wanted; its zero value means all.
type Search struct {
	Gene, Session string
	Since         time.Time
	Standing      bool // without those that were replaced
	Unpushed      bool // what a server has not got yet: standing outcomes of genes that were followed, as far as anybody said
	Max           int  // the last so many; 0: all
}

// Observations are those of a search, the oldest first.
func (s *Store) Observations(ctx context.Context, q Search) (out []Observation, err error) {
	defer s.db.Within(ctx)()
	if q.Max <= 0 {
		q.Max = -1
	}
	err = s.db.Each(`SELECT * FROM (
    SELECT o.*, coalesce(r.by, ''), coalesce(p.at, 0) FROM observations o LEFT JOIN replaced r ON r.observation = o.id LEFT JOIN pushed p ON p.observation = o.id
    WHERE (?1 = '' OR o.gene = ?1) AND (?2 = '' OR o.session = ?2) AND o.at >= ?3 AND (NOT ?4 OR r.observation IS NULL)
      AND (NOT ?5 OR p.observation IS NULL AND r.observation IS NULL AND o.gene <> '' AND coalesce(o.followed, 1))
    ORDER BY o.seq DESC LIMIT ?6) ORDER BY seq`, []any{q.Gene, q.Session, q.Since, q.Standing, q.Unpushed, q.Max}, func(st *sqlite3.Stmt) error {
		o, err := readObservation(st)
		out = append(out, o)
		return err
	})
	return out, s.fail("reading outcomes", err)
}

func readObservation(st *sqlite3.Stmt) (Observation, error) {
	o := Observation{
		Seq: st.ColumnInt64(0), ID: st.ColumnText(1), Gene: st.ColumnText(2), Session: st.ColumnText(3), Scope: st.ColumnText(4), Agent: st.ColumnText(5),
		Success: st.ColumnBool(8), Summary: st.ColumnText(10), Reason: st.ColumnText(11), Explicit: st.ColumnBool(13),
		Weight: st.ColumnFloat(15), Worth: st.ColumnFloat(16), Counted: st.ColumnBool(17), Frozen: st.ColumnBool(18), At: timeOf(st.ColumnInt64(19)),
		Replaced: st.ColumnText(20), Pushed: timeOf(st.ColumnInt64(21)),
	}
	if more := st.ColumnText(12); more != "" {
		o.More = json.RawMessage(more)
	}
	if st.ColumnType(9) != sqlite3.NULL {
		score := st.ColumnFloat(9)
		o.Score = &score
	}
	if st.ColumnType(14) != sqlite3.NULL {
		followed := st.ColumnBool(14)
		o.Followed = &followed
	}
	return o, json.Unmarshal([]byte(st.ColumnText(6)), &o.Signals)
}

// Pushed notes that a server has outcomes.
func (s *Store) Pushed(ctx context.Context, ids []string, now time.Time) error {
	defer s.db.Within(ctx)()
	return s.fail("noting what was pushed", s.db.Write(func() error {
		for _, id := range ids {
			if err := s.db.Run("INSERT INTO pushed VALUES (?, ?) ON CONFLICT DO NOTHING", id, now); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Proven are the genes of a scope with at least so many outcomes, the best rate
// of success first: what is known of them in all and, in Here, in the scope
// (EVO-8). signals narrows it to genes that name one of them.
func (s *Store) Proven(ctx context.Context, scope string, signals []string, least, most int) (out []Row, err error) {
	defer s.db.Within(ctx)()
	types := ""
	if len(signals) > 0 {
		b, err := json.Marshal(signals)
		if err != nil {
			return nil, err
		}
		types = string(b)
	}
	if scope == "" {
		scope = "global"
	}
	err = s.db.Each(`SELECT g.doc, g.visibility, g.origin, g.elsewhere_good + coalesce(sum(e.good), 0) AS wins, g.elsewhere_bad + coalesce(sum(e.bad), 0) AS losses,
    max(g.elsewhere_last, coalesce(max(e.last), 0)), coalesce(sum(CASE WHEN e.scope = ?1 THEN e.good END), 0), coalesce(sum(CASE WHEN e.scope = ?1 THEN e.bad END), 0),
    coalesce(max(CASE WHEN e.scope = ?1 THEN e.last END), 0), g.elsewhere_good + g.elsewhere_bad + coalesce(sum(e.runs), 0) AS uses
  FROM genes g LEFT JOIN edges e ON e.gene = g.id AND e.signal = ''
  WHERE NOT g.deleted AND g.visibility <> 'quarantined' AND g.scope IN ('', 'global', ?1)
    AND (?2 = '' OR g.id IN (SELECT gene FROM gene_signals WHERE signal IN (SELECT value FROM json_each(CASE ?2 WHEN '' THEN '[]' ELSE ?2 END))))
  GROUP BY g.id HAVING uses >= ?3 ORDER BY wins / max(wins + losses, 0.000001) DESC, uses DESC, g.id LIMIT ?4`, []any{scope, types, least, most}, func(st *sqlite3.Stmt) error {
		var r Row
		if err := json.Unmarshal([]byte(st.ColumnText(0)), &r.Gene); err != nil {
			return err
		}
		r.Visibility, r.Origin = gene.Visibility(st.ColumnText(1)), st.ColumnText(2)
		all := choose.Tally{Successes: st.ColumnFloat(3), Failures: st.ColumnFloat(4), Last: timeOf(st.ColumnInt64(5))}
		r.Here = choose.Tally{Successes: st.ColumnFloat(6), Failures: st.ColumnFloat(7), Last: timeOf(st.ColumnInt64(8))}
		r.Elsewhere = choose.Tally{Successes: all.Successes - r.Here.Successes, Failures: all.Failures - r.Here.Failures, Last: all.Last}
		r.Uses = st.ColumnInt(9)
		r.Successes, r.Failures, r.LastUsed = int(all.Successes+0.5), int(all.Failures+0.5), all.Last
		out = append(out, r)
		return nil
	})
	return out, s.fail("reading genes", err)
}

// ripe are those of signals of which a new gene can be distilled.
func (s *Store) ripe(types []string, now time.Time) (out []string, err error) {
	for _, t := range types {
		ok, err := s.ripeFor(t, now)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, t)
		}
	}
	return out, nil
}

func (s *Store) ripeFor(signal string, now time.Time) (bool, error) {
	successes, good, n := 0, 0, 0
	err := s.db.Each(`SELECT o.success FROM observations o LEFT JOIN replaced r ON r.observation = o.id
  WHERE o.gene <> '' AND r.observation IS NULL AND coalesce(o.followed, 1) AND instr(o.types, json_quote(?)) ORDER BY o.seq DESC LIMIT 1000`, []any{signal}, func(st *sqlite3.Stmt) error {
		ok := st.ColumnBool(0)
		if ok {
			successes++
		}
		if n < choose.RecentOutcomes {
			n++
			if ok {
				good++
			}
		}
		return nil
	})
	if err != nil || n == 0 {
		return false, err
	}
	text, err := s.meta("distilled " + signal)
	if err != nil {
		return false, err
	}
	last, _ := time.Parse(time.RFC3339, text)
	return choose.Ripe(successes, float64(good)/float64(n), last, now), nil
}

// Ripe reports whether a new gene can be distilled of a signal.
func (s *Store) Ripe(ctx context.Context, signal string, now time.Time) (bool, error) {
	defer s.db.Within(ctx)()
	ok, err := s.ripeFor(signal, now)
	return ok, s.fail("reading outcomes", err)
}

// Distilled notes that one was, so that the next waits a day.
func (s *Store) Distilled(ctx context.Context, signal string, now time.Time) error {
	defer s.db.Within(ctx)()
	return s.fail("noting a distillation", s.db.Write(func() error { return s.setMeta("distilled "+signal, now.UTC().Format(time.RFC3339)) }))
}
