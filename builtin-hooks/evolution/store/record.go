package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Observation is one outcome. It is never changed.
type Observation struct {
	ID       string          `json:"id"`             // of the outcome; a known one is not recorded again. "": a new one is made
	Gene     string          `json:"gene,omitempty"` // "": a report of a session without a gene
	Session  string          `json:"session,omitempty"`
	Scope    string          `json:"scope"` // "": global
	Agent    string          `json:"agent,omitempty"`
	Signals  []gene.Signal   `json:"signals"`
	Success  bool            `json:"success"`
	Score    *float64        `json:"score,omitempty"` // 0 to 1, nil if none was given
	Summary  string          `json:"summary,omitempty"`
	Reason   string          `json:"reason,omitempty"` // transition_reason
	More     json.RawMessage `json:"more,omitempty"`
	Explicit bool            `json:"explicit,omitempty"` // somebody looked and said so; otherwise it was inferred
	Followed *bool           `json:"followed,omitempty"` // whether the suggestion was followed, nil if nobody said
	At       time.Time       `json:"at"`
	Evidence *Evidence       `json:"evidence,omitempty"` // nil if there is none

	// Set by the store.
	Seq      int64     `json:"-"`
	Weight   float64   `json:"weight"`
	Worth    float64   `json:"worth"`
	Counted  bool      `json:"counted"`          // it changed what is known about the gene
	Frozen   bool      `json:"frozen,omitempty"` // it did not, because learning was suspended
	Replaced string    `json:"-"`                // id of the observation that replaced it
	Pushed   time.Time `json:"-"`
}

// Outcome is the word for it on the wire.
func (o *Observation) Outcome() string {
	if o.Success {
		return "success"
	}
	return "failed"
}

// Recorded is the result of recording.
type Recorded struct {
	ID         string
	Duplicate  bool // it was known already; nothing was done
	Counted    bool
	Frozen     bool
	Weight     float64
	Replaces   []string // ids of the observations that it replaced
	Reflect    bool     // an outcome that needs thought
	Remember   bool     // one worth a note in memory
	Ripe       []string // signals for which a new gene can be distilled
	Visibility gene.Visibility
}

// Record stores an outcome and learns from it. When it returns, the outcome is on disk.
func (s *Store) Record(ctx context.Context, o Observation) (done Recorded, err error) {
	if o.ID == "" {
		var b [12]byte
		rand.Read(b[:]) // never fails
		o.ID = "obs_" + hex.EncodeToString(b[:])
	}
	o.Scope = cmp.Or(o.Scope, "global")
	o.Summary, o.Reason = redact.Memory.Text(o.Summary), redact.Memory.Text(o.Reason)
	if len(o.More) > 0 {
		if !json.Valid(o.More) {
			o.More = nil
		}
		clean, _ := redact.Memory.JSON(protocol.Raw(o.More), nil)
		o.More = json.RawMessage(clean)
	}
	o.At = stamp(o.At)
	err = s.write(ctx, func() (err error) {
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
	if i, ok := s.seen[o.ID]; ok {
		was := &s.Seen[i]
		done.Duplicate, done.Counted, done.Weight = true, was.Counted, was.Weight
		return done, nil
	}
	if err := s.mayRecord(o); err != nil {
		return done, err
	}
	replaced := map[string]string{}
	later := s.takePlace(o, &done, replaced)
	s.stage(entry{Replaced: replaced})
	s.weigh(o, later)
	e := entry{Outcomes: []Observation{*o}}
	if later != "" {
		e.Replaced = map[string]string{o.ID: later}
	}
	s.stage(e)
	report := o.report()
	done.Counted, done.Frozen, done.Weight = o.Counted, o.Frozen, o.Weight
	done.Reflect, done.Remember = selector.Reflects(report), selector.Remembers(report)
	if o.Gene != "" {
		var err error
		if done.Visibility, err = s.judge(o.Gene, o.At); err != nil {
			return done, err
		}
	}
	done.Ripe = s.ripe(gene.Types(o.Signals), o.At)
	return done, nil
}

func (o *Observation) report() selector.Report {
	return selector.Report{Success: o.Success, Signals: gene.Types(o.Signals), Summary: o.Summary, Score: o.Score, Explicit: o.Explicit}
}

func (s *Store) mayRecord(o *Observation) error {
	if o.Gene == "" {
		return nil
	}
	switch k := s.gene(o.Gene); {
	case k == nil:
		return fmt.Errorf("gene %q: %w", o.Gene, ErrNoGene)
	case !k.Gene.Visibility.Usable():
		return fmt.Errorf("gene %q: %w", o.Gene, ErrHeld)
	}
	return nil
}

// takePlace finds the observations of the same session and gene that an explicit one
// replaces, or the explicit one that an inferred one comes too late for.
func (s *Store) takePlace(o *Observation, done *Recorded, replaced map[string]string) (later string) {
	if o.Session == "" || o.Gene == "" {
		return ""
	}
	for i := range s.Seen {
		switch was := &s.Seen[i]; {
		case was.Session != o.Session || was.Gene != o.Gene || was.Replaced != "":
		case o.Explicit:
			done.Replaces = append(done.Replaces, was.ID)
			replaced[was.ID] = o.ID
		case was.Explicit:
			later = was.ID
		}
	}
	return later
}

// weigh sets the weight of the outcome.
func (s *Store) weigh(o *Observation, later string) {
	repeats, from := 0, o.At.Add(-selector.RepeatsWithin)
	for i := range s.Seen {
		if was := &s.Seen[i]; was.Gene == o.Gene && was.Replaced == "" && was.At.After(from) && !was.At.After(o.At) {
			repeats++
		}
	}
	o.Weight, o.Worth, o.Frozen = selector.Weight(repeats), selector.Worth(o.report()), s.freezes(o)
	notFollowed := o.Followed != nil && !*o.Followed
	o.Counted = o.Gene != "" && later == "" && !notFollowed && !o.Frozen && selector.Learns(o.Weight, o.Worth)
}

// factFrozen is since when learning has been suspended.
const factFrozen = "frozen"

// freezes reports whether this outcome suspends learning.
func (s *Store) freezes(o *Observation) bool {
	n, failed, from := 1, 0, o.At.Add(-selector.FreezeWithin)
	if !o.Success {
		failed = 1
	}
	for i := range s.Seen {
		if was := &s.Seen[i]; was.Gene != "" && was.At.After(from) && !was.At.After(o.At) {
			if n++; !was.Success {
				failed++
			}
		}
	}
	was := s.Facts[factFrozen] != ""
	is := selector.Freeze(was, n, failed)
	switch {
	case is && !was:
		s.setFact(factFrozen, o.At.UTC().Format(time.RFC3339))
	case was && !is:
		s.setFact(factFrozen, "")
	}
	return is
}

// Frozen is since when learning has been suspended, zero if it is not.
func (s *Store) Frozen() (time.Time, error) {
	text := s.Facts[factFrozen]
	if text == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339, text)
}

// judge promotes or demotes a gene on trial.
func (s *Store) judge(id string, now time.Time) (gene.Visibility, error) {
	k := s.gene(id)
	if k == nil {
		return "", ErrNoGene
	}
	if k.Gene.Visibility != gene.Trial {
		return k.Gene.Visibility, nil
	}
	t := selector.Trial{Since: k.Trial}
	agents := map[string]bool{}
	for i := range s.Seen {
		o := &s.Seen[i]
		if o.Gene != id || !o.tried() {
			continue
		}
		agents[o.Agent] = true
		if o.Success {
			t.Successes, t.FailuresInRow = t.Successes+1, 0
		} else {
			t.Failures, t.FailuresInRow = t.Failures+1, t.FailuresInRow+1
		}
	}
	t.Agents = len(agents)
	if v := gene.Visibility(t.Judge(now)); v != k.Gene.Visibility {
		return v, s.set(id, v, now)
	}
	return k.Gene.Visibility, nil
}
