package store

import (
	"context"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
)

// Evidence is what an outcome rests on: facts of the journal, and nothing of what files or
// variables hold.
type Evidence struct {
	Failure     string   `json:"failure,omitempty"` // its identity
	Proof       string   `json:"proof,omitempty"`   // the command that had failed and succeeded
	Files       []string `json:"files,omitempty"`   // that were edited or written in between
	Commands    []string `json:"commands,omitempty"`
	Environment []string `json:"environment,omitempty"` // variables that were set then, and not before
	Steps       int      `json:"steps,omitempty"`       // from the second time on
	Worse       bool     `json:"worse,omitempty"`       // there were more failures than before
}

// A Recovery is a failure that came at least twice in a session.
type Recovery struct {
	ID      string    `json:"id"`
	Session string    `json:"session"`
	Scope   string    `json:"scope,omitempty"`
	Failure string    `json:"failure"`
	Gene    string    `json:"gene,omitempty"` // that was suggested for it
	Held    bool      `json:"held,omitempty"` // none was, by chance
	Over    bool      `json:"over,omitempty"`
	Steps   int       `json:"steps"`
	At      time.Time `json:"at"`
}

// Recovered keeps how failures of a session ended; one that is known is kept once.
func (s *Store) Recovered(ctx context.Context, list []Recovery) error {
	if len(list) == 0 {
		return nil
	}
	return s.fail("noting how failures ended", s.write(ctx, func() error {
		for _, r := range list {
			if r.At = stamp(r.At); !s.recovered[r.ID] {
				s.stage(entry{Recoveries: []Recovery{r}})
			}
		}
		return nil
	}))
}

// Compare compares failures with a suggestion to those without. Where some were held out,
// these alone are what is compared with.
func (s *Store) Compare(ctx context.Context) (selector.Recovery, error) {
	if err := s.read(ctx); err != nil {
		return selector.Recovery{}, s.fail("reading how failures ended", err)
	}
	held := 0
	for _, r := range s.Recoveries {
		if r.Held {
			held++
		}
	}
	var steps [2][]int
	var not [2]int
	for _, r := range s.Recoveries {
		side := 0
		switch {
		case r.Gene != "" && !r.Held:
			side = 1
		case held > 0 && !r.Held:
			continue // nothing fitted it: it is of another kind
		}
		if r.Over {
			steps[side] = append(steps[side], r.Steps)
		} else {
			not[side]++
		}
	}
	c := selector.Compare(steps[1], steps[0])
	c.With.Not, c.Without.Not, c.HeldOut = not[1], not[0], held
	return c, nil
}

// worse counts the outcomes of each gene that made things worse.
func (s *Store) worse() map[string]int {
	out := map[string]int{}
	for i := range s.Seen {
		if o := &s.Seen[i]; o.tried() && o.Evidence != nil && o.Evidence.Worse {
			out[o.Gene]++
		}
	}
	return out
}

// helped counts those of each gene that helped.
func (s *Store) helped() map[string]int {
	out := map[string]int{}
	for i := range s.Seen {
		if o := &s.Seen[i]; o.tried() && o.Success {
			out[o.Gene]++
		}
	}
	return out
}

// mostWorse is how often a gene may make things worse before it is not offered any more,
// unless it has helped more often.
const mostWorse = 2
