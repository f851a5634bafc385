package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/redact"
)

// retry sends the entries of the queue, the oldest first. It stops at the first one
// that cannot be sent.
func (s *Sync) retry(ctx context.Context, r *Result) {
	if list, err := s.queue(); err != nil || len(list) == 0 {
		s.problem(r, "retry queue", err)
		return
	}
	release, err := s.hold(100 * time.Millisecond)
	if err != nil {
		return // another process is doing it
	}
	defer release()
	// An outcome may be waiting because the server lacks its gene.
	if err := s.pushGenes(ctx); err != nil {
		s.problem(r, "retry queue", err)
		return
	}
	list, err := s.queue()
	s.problem(r, "retry queue", err)
	for _, e := range list {
		if ctx.Err() != nil {
			s.problem(r, "retry queue", ctx.Err())
			return
		}
		if err := s.send(ctx, retryLimit, e, r); err != nil && !final(err) {
			s.problem(r, "retry queue", err)
			return
		} else if err != nil {
			s.Log("sync: an entry of the retry queue is dropped: %s", oneLine(err.Error(), 300))
		}
		if err := s.dequeue(e); err != nil {
			s.problem(r, "retry queue", err)
			return
		}
	}
}

// send sends one entry and marks what the server accepted.
func (s *Sync) send(ctx context.Context, limit time.Duration, e entry, r *Result) error {
	if e.Report != nil {
		err := s.Client.Call(ctx, limit, http.MethodPost, "/api/im/evolution/report", nil, e.Report, nil)
		if err != nil && !final(err) {
			return err
		}
		if err := s.know(func(k *known) { k.Reported = add(k.Reported, e.Report.ID) }); err != nil {
			return err
		}
	}
	if len(e.Outcomes) == 0 {
		return nil
	}
	out, err := s.exchange(ctx, limit, s.translated(e.Outcomes), nil)
	if err != nil && !final(err) {
		return err
	}
	// What the server refuses it would refuse again: it is dropped, with a line in the
	// log.
	if err == nil && out.Pushed != nil {
		r.Pushed += len(e.Outcomes) - len(out.Pushed.Rejected)
		for _, why := range out.Pushed.Rejected {
			why = oneLine(why, 300)
			r.Rejected = append(r.Rejected, why)
			s.Log("sync: the server does not take an outcome: %s", why)
		}
	}
	var ids []string
	for _, o := range e.Outcomes {
		if o.OutcomeID != "" {
			ids = append(ids, o.OutcomeID)
		}
	}
	return errors.Join(err, s.Store.Pushed(ctx, ids, s.Now()))
}

// push sends the outcomes that the server lacks.
func (s *Sync) push(ctx context.Context, r *Result) {
	release, err := s.hold(time.Second)
	if err != nil {
		s.problem(r, "push", err) // they stay in the store
		return
	}
	defer release()
	if err := s.pushGenes(ctx); err != nil {
		// Outcomes for genes that the server lacks would be refused.
		s.problem(r, "push of genes", err)
		s.queueAll(ctx, r)
		return
	}
	list, err := s.waiting(ctx)
	if err != nil {
		s.problem(r, "push", err)
		return
	}
	for i, e := range list {
		err := s.send(ctx, endLimit, e, r)
		if err == nil {
			continue
		}
		s.problem(r, "push", err)
		if final(err) {
			continue
		}
		for _, rest := range list[i:] {
			s.problem(r, "retry queue", s.enqueue(rest))
			r.Queued += len(rest.Outcomes)
		}
		return
	}
}

// queueAll puts into the queue what would have been pushed.
func (s *Sync) queueAll(ctx context.Context, r *Result) {
	// Time may be up, but reading a file costs little.
	list, err := s.waiting(context.WithoutCancel(ctx))
	s.problem(r, "push", err)
	for _, e := range list {
		s.problem(r, "retry queue", s.enqueue(e))
		r.Queued += len(e.Outcomes)
	}
}

// waiting is what has to be pushed and is not in the queue yet: outcomes of genes, in
// batches, and the report of a session that met no gene.
func (s *Sync) waiting(ctx context.Context) ([]entry, error) {
	queued, err := s.queue()
	if err != nil {
		return nil, err
	}
	has := map[string]bool{}
	for _, e := range queued {
		for _, o := range e.Outcomes {
			has[o.OutcomeID] = true
		}
	}
	k, err := s.known()
	if err != nil {
		return nil, err
	}
	observed, err := s.Store.Observations(ctx, store.Search{Unpushed: true})
	if err != nil {
		return nil, err
	}
	var out []entry
	mine := false
	for _, o := range observed {
		mine = mine || o.Session == s.Session
		if has[o.ID] || !o.Explicit && !s.PushAfterReview && slices.Contains(k.Reviewed, o.Session) {
			continue
		}
		if n := len(out); n == 0 || len(out[n-1].Outcomes) == batch {
			out = append(out, entry{})
		}
		last := &out[len(out)-1]
		last.Outcomes = append(last.Outcomes, outcome(o))
	}
	if e, ok := s.reportOf(k, mine); ok && !slices.ContainsFunc(queued, func(q entry) bool { return q.Report != nil && q.Report.ID == e.Report.ID }) {
		out = append(out, e)
	}
	return out, nil
}

// outcome converts an observation to its form on the wire.
func outcome(o store.Observation) api.Outcome {
	w := api.Outcome{GeneID: o.Gene, Outcome: o.Outcome(), Summary: redact.Memory.Text(o.Summary), Score: o.Score, OutcomeID: o.ID, SessionID: hash(o.Session), Followed: o.Followed, Explicit: o.Explicit, At: o.At.UnixMilli(),
		Metadata: api.Map{"outcome_id": o.ID}}
	for _, g := range o.Signals {
		w.Signals = append(w.Signals, api.Signal(g))
	}
	if len(w.Signals) == 0 {
		w.Signals = []api.Signal{{Type: "session:end"}}
	}
	return w
}

// hash makes of a local id one that tells others nothing.
func hash(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("agents-hooks " + text))
	return hex.EncodeToString(sum[:12])
}

// reportOf is the report of a session with signals and no gene: which signals, and how
// often; nothing about what was done.
func (s *Sync) reportOf(k known, has bool) (entry, bool) {
	id := hash("report " + s.Session)
	if s.Session == "" || has || slices.Contains(k.Reported, id) {
		return entry{}, false
	}
	j := journal.Of(s.Dir, s.Session).Read()
	counts := map[string]int{}
	var names []string
	last := false
	for _, e := range j.Entries {
		for _, g := range e.Signals {
			name := string(g.Key)
			if counts[name] == 0 {
				names = append(names, name)
			}
			counts[name]++
		}
		last = e.Failed()
		if len(e.Feedback) > 0 {
			return entry{}, false
		}
	}
	if len(names) == 0 {
		return entry{}, false
	}
	order.By(names, func(a, b string) int { return counts[b] - counts[a] })
	text := ""
	for _, n := range names {
		text += fmt.Sprintf("%s x%d\n", n, counts[n])
	}
	word := "success"
	if last {
		word = "failed"
	}
	return entry{Outcomes: []api.Outcome{}, Report: &report{ID: id, RawContext: text, Outcome: word, Task: "session"}}, true
}

// Waiting is how many entries the retry queue has.
func Waiting(dir string) (int, error) {
	list, err := readJSON[[]entry](filepath.Join(dir, queueFile))
	return len(list), err
}
