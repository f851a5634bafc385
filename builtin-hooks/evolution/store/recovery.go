package store

import (
	"context"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
)

// Evidence is the basis of an outcome: facts from the journal, and nothing from inside
// files or variables.
type Evidence struct {
	Failure     string   `json:"failure,omitempty"` // its identity
	Proof       string   `json:"proof,omitempty"`   // the command that had failed and then succeeded
	Files       []string `json:"files,omitempty"`   // edited or written in between
	Commands    []string `json:"commands,omitempty"`
	Environment []string `json:"environment,omitempty"` // variables that were set only then
	Steps       int      `json:"steps,omitempty"`       // from the second occurrence on
	Worse       bool     `json:"worse,omitempty"`       // there were more failures than before
}

// A Recovery is a failure that occurred at least twice in a session.
type Recovery struct {
	ID      string    `json:"id"`
	Session string    `json:"session"`
	Scope   string    `json:"scope,omitempty"`
	Failure string    `json:"failure"`
	Gene    string    `json:"gene,omitempty"` // the one that was suggested for it
	Held    bool      `json:"held,omitempty"` // none was, by chance
	Over    bool      `json:"over,omitempty"`
	Steps   int       `json:"steps"`
	At      time.Time `json:"at"`
}

// Recovered records how failures of a session ended, each only once.
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

// Compare compares failures with a suggestion to those without. If some were held out,
// only these are used for comparison.
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
			continue // no gene fitted: not comparable
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

// worse counts, for each gene, the outcomes that made things worse.
func (s *Store) worse() map[string]int {
	out := map[string]int{}
	for i := range s.Seen {
		if o := &s.Seen[i]; o.tried() && o.Evidence != nil && o.Evidence.Worse {
			out[o.Gene]++
		}
	}
	return out
}

// helped counts, for each gene, the outcomes in which it helped.
func (s *Store) helped() map[string]int {
	out := map[string]int{}
	for i := range s.Seen {
		if o := &s.Seen[i]; o.tried() && o.Success {
			out[o.Gene]++
		}
	}
	return out
}

// mostWorse is how often a gene may make things worse before it is no longer offered,
// unless it has helped more often.
const mostWorse = 2
