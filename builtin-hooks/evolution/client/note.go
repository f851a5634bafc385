package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/match"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
)

// Note records in the store what became of suggestions according to a session's
// journal, with the evidence, and how each recurring failure ended; what is there
// already stays. Nobody looked closer, so each outcome is a guess that a judgement
// replaces. It needs no network.
func Note(ctx context.Context, st *store.Store, dir, session, scope, agent string, now time.Time) (n int, err error) {
	j := journal.Of(dir, session).Read()
	w := noting{Context: ctx, st: st, session: session, now: now, episodes: j.Episodes()}
	w.basis = store.Observation{Session: session, Scope: scope, Agent: agent, Summary: "seen in the session's journal", At: now}
	var all []gene.Signal
	for _, c := range j.Signals() {
		all = append(all, gene.Signal{Type: string(c.Key)})
	}
	judged := map[string]bool{}
	for i, e := range j.Entries {
		for k, f := range e.Feedback {
			if f.Gene == "" {
				continue // nobody knows what it is about
			}
			judged[f.Gene] = true
			o := w.basis
			o.ID, o.Gene, o.Signals, o.Success = "jrn_"+hash(fmt.Sprint(session, " ", i, " ", k, " ", f.Gene)), f.Gene, all, f.Outcome == journal.Success
			about := e.Failure
			if o.Success {
				about = failedBefore(j.Entries[:i], e.Command)
			}
			if err := w.outcome(o, about); err != nil {
				return w.n, err
			}
		}
	}
	offers, err := st.Offered(ctx, session, time.Time{})
	if err == nil {
		err = w.late(offers, judged)
	}
	if err == nil {
		err = w.recovered(offers, scope)
	}
	return w.n, err
}

// A noting is one session being noted.
type noting struct {
	context.Context
	st       *store.Store
	session  string
	now      time.Time
	episodes []journal.Episode
	basis    store.Observation
	n        int // new outcomes
}

// episode is the last episode of a failure.
func (w *noting) episode(id string) *journal.Episode {
	for i := len(w.episodes) - 1; i >= 0 && id != ""; i-- {
		if w.episodes[i].Failure.ID == id {
			return &w.episodes[i]
		}
	}
	return nil
}

// outcome records an outcome with its evidence.
func (w *noting) outcome(o store.Observation, about failure.Failure) error {
	if ep := w.episode(about.ID); ep != nil {
		o.Evidence = &store.Evidence{Failure: about.ID, Steps: ep.Steps, Worse: ep.Worse && !o.Success}
		if o.Success && ep.Over {
			o.Evidence.Proof, o.Evidence.Files, o.Evidence.Commands, o.Evidence.Environment = ep.Diff.Proof, ep.Diff.Files, ep.Diff.Commands, ep.Diff.Environment
		}
	}
	if o.Success && about.ID != "" {
		if err := w.st.Cured(w, o.Gene, match.Named(about), w.now); err != nil && !errors.Is(err, store.ErrNoGene) {
			return err
		}
	}
	done, err := w.st.Record(w, o)
	switch {
	case errors.Is(err, store.ErrNoGene), errors.Is(err, store.ErrHeld):
		return nil // the gene was deleted, or taken out of use
	case err == nil && !done.Duplicate:
		w.n++
	}
	return err
}

// late records what became of suggestions that nobody was waiting for any more: the
// failed command was run again, whenever that was.
func (w *noting) late(offers []store.Suggestion, judged map[string]bool) error {
	for _, g := range offers {
		ep := w.episode(g.Failure)
		if g.Held || judged[g.Gene] || ep == nil || !ep.Again {
			continue
		}
		judged[g.Gene] = true
		o := w.basis
		o.ID, o.Gene, o.Success = "epi_"+hash(fmt.Sprint(w.session, " ", g.Failure, " ", g.Gene)), g.Gene, ep.Over
		for _, k := range ep.Signals {
			o.Signals = append(o.Signals, gene.Signal{Type: string(k)})
		}
		if err := w.outcome(o, ep.Failure); err != nil {
			return err
		}
	}
	return nil
}

// recovered records how recurring failures ended.
func (w *noting) recovered(offers []store.Suggestion, scope string) error {
	var list []store.Recovery
	for _, ep := range w.episodes {
		if ep.Times < journal.Enough {
			continue
		}
		r := store.Recovery{ID: "rec_" + hash(w.session+" "+ep.Failure.ID), Session: w.session, Scope: scope, Failure: ep.Failure.ID, Over: ep.Over, Steps: ep.Steps, At: w.now}
		if i := slices.IndexFunc(offers, func(g store.Suggestion) bool { return g.Failure == ep.Failure.ID }); i >= 0 {
			r.Gene, r.Held = offers[i].Gene, offers[i].Held
		}
		list = append(list, r)
	}
	return w.st.Recovered(w, list)
}

// failedBefore is the failure that a command overcame: the last one of its kind.
func failedBefore(before []journal.Entry, command string) failure.Failure {
	now := signal.Read(command)
	for i := len(before) - 1; i >= 0; i-- {
		if e := &before[i]; e.Failure.ID != "" && now.Same(signal.Read(e.Command)) {
			return e.Failure
		}
	}
	return failure.Failure{}
}
