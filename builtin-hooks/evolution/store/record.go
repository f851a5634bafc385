package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/choose"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Observation is one outcome. It is never changed.
type Observation struct {
	ID       string // of the outcome; one that is known already is not recorded twice. "": a new one is made
	Gene     string // "": a report of a session, which is about no gene
	Session  string
	Scope    string // "": global
	Agent    string
	Signals  []gene.Signal
	Success  bool
	Score    *float64 // 0 to 1, nil if none was given
	Summary  string
	Reason   string // transition_reason
	More     json.RawMessage
	Explicit bool  // somebody looked and said so; else it was concluded
	Followed *bool // whether the suggestion was followed, nil if nobody said
	At       time.Time

	// Set by the store.
	Seq      int64
	Weight   float64
	Worth    float64
	Counted  bool   // it changed what is known of the gene
	Frozen   bool   // it did not, because learning rested
	Replaced string // id of the observation that took its place
	Pushed   time.Time
}

// Outcome is the word for it on the wire.
func (o *Observation) Outcome() string {
	if o.Success {
		return "success"
	}
	return "failed"
}

// Recorded is what came of a record.
type Recorded struct {
	ID         string
	Duplicate  bool // it was known; nothing was done
	Counted    bool
	Frozen     bool
	Weight     float64
	Worth      float64
	Replaces   []string // ids of the observations whose place it took
	Reflect    bool     // an outcome to think about
	Remember   bool     // one worth a note in memory
	Ripe       []string // signals of which a new gene can be distilled
	Visibility gene.Visibility
}

// Record keeps an outcome and learns from it. When it returns, the outcome is on
// the disk.
func (s *Store) Record(ctx context.Context, o Observation) (done Recorded, err error) {
	defer s.db.Within(ctx)()
	if o.ID == "" {
		var b [12]byte
		rand.Read(b[:]) // never fails
		o.ID = "obs_" + hex.EncodeToString(b[:])
	}
	if o.Scope == "" {
		o.Scope = "global"
	}
	o.Summary, o.Reason = redact.Memory.Text(o.Summary), redact.Memory.Text(o.Reason)
	if len(o.More) > 0 {
		if !json.Valid(o.More) {
			o.More = nil
		}
		clean, _ := redact.Memory.JSON(protocol.Raw(o.More), nil)
		o.More = json.RawMessage(clean)
	}
	err = s.db.Write(func() (err error) {
		done, err = s.record(&o)
		return err
	})
	if err == nil && o.Gene != "" {
		err = s.tell(ctx, o.Scope)
	}
	return done, s.fail("recording an outcome", err)
}

func (s *Store) record(o *Observation) (Recorded, error) {
	done := Recorded{ID: o.ID}
	if known, err := s.known(o.ID); err != nil || known != nil {
		if known != nil {
			done.Duplicate, done.Counted, done.Weight, done.Worth = true, known.Counted, known.Weight, known.Worth
		}
		return done, err
	}
	if err := s.mayRecord(o); err != nil {
		return done, err
	}
	later, err := s.takePlace(o, &done)
	if err != nil {
		return done, err
	}
	if err := s.weigh(o, later); err != nil {
		return done, err
	}
	if err := s.insert(o, later); err != nil {
		return done, err
	}
	if len(done.Replaces) > 0 {
		err = s.rebuildOf(o.Gene)
	} else if o.Counted {
		err = s.addEdges(o)
	}
	if err != nil {
		return done, err
	}
	report := o.report()
	done.Counted, done.Frozen, done.Weight, done.Worth = o.Counted, o.Frozen, o.Weight, o.Worth
	done.Reflect, done.Remember = choose.Reflects(report), choose.Remembers(report)
	if o.Gene != "" {
		if done.Visibility, err = s.judge(o.Gene, o.At); err != nil {
			return done, err
		}
	}
	done.Ripe, err = s.ripe(gene.Types(o.Signals), o.At)
	return done, err
}

func (o *Observation) report() choose.Report {
	return choose.Report{Success: o.Success, Signals: gene.Types(o.Signals), Summary: o.Summary, Score: o.Score, Explicit: o.Explicit}
}

// known is the observation of an id, nil if there is none.
func (s *Store) known(id string) (o *Observation, err error) {
	err = s.db.Each("SELECT counted, weight, worth FROM observations WHERE id = ?", []any{id}, func(st *sqlite3.Stmt) error {
		o = &Observation{Counted: st.ColumnBool(0), Weight: st.ColumnFloat(1), Worth: st.ColumnFloat(2)}
		return nil
	})
	return o, err
}

func (s *Store) mayRecord(o *Observation) error {
	if o.Gene == "" {
		return nil
	}
	visibility := ""
	if err := s.db.Each("SELECT visibility FROM genes WHERE id = ? AND NOT deleted", []any{o.Gene}, func(st *sqlite3.Stmt) error {
		visibility = st.ColumnText(0)
		return nil
	}); err != nil {
		return err
	}
	switch {
	case visibility == "":
		return fmt.Errorf("gene %q: %w", o.Gene, ErrNoGene)
	case !gene.Visibility(visibility).Usable():
		return fmt.Errorf("gene %q: %w", o.Gene, ErrQuarantined)
	}
	return nil
}

// takePlace finds what of the same session and gene an explicit record replaces,
// or which explicit one an implicit comes too late for.
func (s *Store) takePlace(o *Observation, done *Recorded) (later string, err error) {
	if o.Session == "" || o.Gene == "" {
		return "", nil
	}
	err = s.db.Each(`SELECT o.id, o.explicit FROM observations o LEFT JOIN replaced r ON r.observation = o.id
  WHERE o.session = ? AND o.gene = ? AND r.observation IS NULL ORDER BY o.seq`, []any{o.Session, o.Gene}, func(st *sqlite3.Stmt) error {
		switch id, explicit := st.ColumnText(0), st.ColumnBool(1); {
		case o.Explicit:
			done.Replaces = append(done.Replaces, id)
		case explicit:
			later = id
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	for _, id := range done.Replaces {
		if err := s.db.Run("INSERT INTO replaced VALUES (?, ?)", id, o.ID); err != nil {
			return "", err
		}
	}
	return later, nil
}

// weigh says what the outcome counts.
func (s *Store) weigh(o *Observation, later string) error {
	repeats, err := s.db.One(`SELECT count(*) FROM observations o LEFT JOIN replaced r ON r.observation = o.id
  WHERE o.gene = ? AND o.at > ? AND o.at <= ? AND r.observation IS NULL`, o.Gene, o.At.Add(-choose.RepeatsWithin), o.At)
	if err != nil {
		return err
	}
	o.Weight, o.Worth = choose.Weight(int(repeats)), choose.Worth(o.report())
	if o.Frozen, err = s.frozen(o); err != nil {
		return err
	}
	notFollowed := o.Followed != nil && !*o.Followed
	o.Counted = o.Gene != "" && later == "" && !notFollowed && !o.Frozen && choose.Learns(o.Weight, o.Worth)
	return nil
}

// frozen reports whether learning rests with this outcome.
func (s *Store) frozen(o *Observation) (bool, error) {
	n, failed := int64(1), int64(0)
	if !o.Success {
		failed = 1
	}
	err := s.db.Each("SELECT count(*), coalesce(sum(NOT success), 0) FROM observations WHERE at > ? AND at <= ? AND gene <> ''", []any{o.At.Add(-choose.FreezeWithin), o.At}, func(st *sqlite3.Stmt) error {
		n, failed = n+st.ColumnInt64(0), failed+st.ColumnInt64(1)
		return nil
	})
	if err != nil {
		return false, err
	}
	was, err := s.meta("frozen")
	if err != nil {
		return false, err
	}
	is := choose.Freeze(was != "", int(n), int(failed))
	if is == (was != "") {
		return is, nil
	}
	since := ""
	if is {
		since = o.At.UTC().Format(time.RFC3339)
	}
	return is, s.setMeta("frozen", since)
}

// Frozen is since when learning rests, zero if it does not.
func (s *Store) Frozen() (time.Time, error) {
	text, err := s.meta("frozen")
	if err != nil || text == "" {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339, text)
}

func (s *Store) insert(o *Observation, later string) error {
	signals, err := json.Marshal(o.Signals)
	if err != nil {
		return err
	}
	types, err := json.Marshal(gene.Types(o.Signals))
	if err != nil {
		return err
	}
	var score, followed any
	if o.Score != nil {
		score = *o.Score
	}
	if o.Followed != nil {
		followed = *o.Followed
	}
	if err := s.db.Run("INSERT INTO observations VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		o.ID, o.Gene, o.Session, o.Scope, o.Agent, string(signals), string(types), o.Success, score, o.Summary, o.Reason, string(o.More),
		o.Explicit, followed, o.Weight, o.Worth, o.Counted, o.Frozen, o.At); err != nil {
		return err
	}
	if later != "" {
		return s.db.Run("INSERT INTO replaced VALUES (?, ?)", o.ID, later)
	}
	return nil
}

func (s *Store) addEdges(o *Observation) error {
	good, bad := 0.0, o.Weight
	if o.Success {
		good, bad = o.Weight, 0
	}
	for _, t := range append(gene.Types(o.Signals), "") {
		if err := s.db.Run(`INSERT INTO edges VALUES (?, ?, ?, ?, ?5, ?6, 1, ?7) ON CONFLICT (gene, signal, scope, agent)
  DO UPDATE SET good = good + ?5, bad = bad + ?6, runs = runs + 1, last = max(last, ?7)`, o.Gene, t, o.Scope, o.Agent, good, bad, o.At); err != nil {
			return err
		}
	}
	return nil
}

// judge promotes or demotes a gene on trial (4.4).
func (s *Store) judge(id string, now time.Time) (gene.Visibility, error) {
	r, err := s.get(id)
	if err != nil || r.Visibility != gene.Canary {
		return r.Visibility, err
	}
	t := choose.Trial{Since: r.Trial}
	agents := map[string]bool{}
	if err := s.db.Each(`SELECT o.success, o.agent FROM observations o LEFT JOIN replaced r ON r.observation = o.id
  WHERE o.gene = ? AND r.observation IS NULL AND coalesce(o.followed, 1) ORDER BY o.seq`, []any{id}, func(st *sqlite3.Stmt) error {
		agents[st.ColumnText(1)] = true
		if st.ColumnBool(0) {
			t.Successes, t.FailuresInRow = t.Successes+1, 0
		} else {
			t.Failures, t.FailuresInRow = t.Failures+1, t.FailuresInRow+1
		}
		return nil
	}); err != nil {
		return r.Visibility, err
	}
	t.Agents = len(agents)
	if v := gene.Visibility(t.Judge(now)); v != r.Visibility {
		return v, s.set(id, v, now)
	}
	return r.Visibility, nil
}
