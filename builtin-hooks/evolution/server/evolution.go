package server

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/internal/redact"
)

// Limits of one call.
const (
	outcomesMax = 200
	signalsMax  = 32
	stepsMax    = 20
	textMax     = 2000
	pulledMax   = 500
	snapshotMax = 500
	hotMax      = 50
)

func (s *Server) sync(r request) (answer, error) {
	var in api.SyncRequest
	if err := r.decode(&in); err != nil {
		return answer{}, err
	}
	out := api.SyncAnswer{Role: r.role}
	if in.Push != nil {
		if err := r.may(Write); err != nil {
			return answer{}, err
		}
		if len(in.Push.Outcomes) > outcomesMax {
			return answer{}, bad("%d outcomes, at most %d", len(in.Push.Outcomes), outcomesMax)
		}
		out.Pushed = &api.Pushed{Rejected: []string{}}
		scope := r.lenient(in.Push.Scope)
		list, err := s.take(r, scope, in.Push.Outcomes...)
		if err != nil {
			return answer{}, err
		}
		for i, o := range list {
			if o.err != nil {
				out.Pushed.Rejected = append(out.Pushed.Rejected, fmt.Sprintf("outcome[%d]: %s", i, o.err))
			} else {
				out.Pushed.Accepted++
			}
		}
	}
	if in.Pull != nil {
		if err := r.mayPull(in.Pull.Since); err != nil {
			return answer{}, err
		}
		p, err := s.pull(r, r.lenient(in.Pull.Scope), in.Pull.Since, pulledMax)
		if err != nil {
			return answer{}, err
		}
		out.Pulled = &p
	}
	return answer{status: http.StatusOK, data: out}, nil
}

func (s *Server) snapshot(r request) (answer, error) {
	since, err := r.number("since", 0, 0, maxMillis)
	if err != nil {
		return answer{}, err
	}
	p, err := s.pull(r, r.lenient(), since, snapshotMax)
	return answer{status: http.StatusOK, data: p}, err
}

// pull returns what changed after a cursor. Genes that must not be used any more are
// listed by id only. A cursor that was never given out, as after a restore of an older
// back-up, starts over.
func (s *Server) pull(r request, scope string, since int64, most int) (api.Pulled, error) {
	p := api.Pulled{Genes: []api.Row{}, Promotions: []string{}, Quarantines: []string{}}
	ctx := r.Context()
	until, err := s.store.clock(ctx)
	if err != nil {
		return p, err
	}
	now := until
	if since > until {
		since, p.Reset = 0, true
	}
	p.Mark = compat.Mark{Cursor: since}
	list, err := s.store.genesSince(ctx, r.person, scope, since, until, most)
	if err != nil {
		return p, err
	}
	for _, g := range list {
		p.Cursor = g.updated
		mine := g.person == r.person
		switch {
		case g.Visibility == "shared":
			p.Promotions = append(p.Promotions, g.ID)
		case !public(g.Visibility) && !mine || g.Visibility == "held" && g.HeldFor == tookBack:
			p.Quarantines = append(p.Quarantines, g.ID)
			continue
		}
		p.Genes = append(p.Genes, g.seen(r.person))
	}
	if p.More = len(list) == most; p.More {
		until = p.Cursor
	}
	if p.Gone, p.Cursor, err = s.store.goneSince(ctx, since, until, p.Cursor); err != nil {
		return p, err
	}
	if p.Edges, err = s.store.edgesSince(ctx, r.person, since, p.Cursor); err != nil {
		return p, err
	}
	p.GlobalPrior, err = s.store.priors(ctx, now)
	return p, err
}

// take checks outcomes and stores the valid ones, all of them or none; the others get
// an error that says what is wrong.
func (s *Server) take(r request, scope string, outcomes ...api.Outcome) ([]*told, error) {
	list, good := make([]*told, len(outcomes)), []*told{}
	for i, o := range outcomes {
		list[i] = &told{Outcome: o}
		if list[i].err = s.checkOutcome(&list[i].Outcome); list[i].err == nil {
			good = append(good, list[i])
		}
	}
	if err := s.store.observe(r.Context(), r.caller, scope, good); err != nil {
		return nil, err
	}
	for _, o := range good {
		switch o.err {
		case errUnknown:
			o.err = refuse(http.StatusNotFound, "NOT_FOUND", "unknown gene %q", oneLine(o.GeneID, 128))
		case errForbidden:
			o.err = refuse(http.StatusForbidden, "FORBIDDEN", "no access to gene %q", oneLine(o.GeneID, 128))
		}
	}
	return list, nil
}

func (s *Server) record(r request) (answer, error) {
	scope, err := r.scope()
	if err != nil {
		return answer{}, err
	}
	var o api.Outcome
	if err := r.decode(&o); err != nil {
		return answer{}, err
	}
	o.Explicit = true
	if o.OutcomeID == "" {
		if key := r.Header.Get("Idempotency-Key"); key != "" {
			sum := sha256.Sum256([]byte(key))
			o.OutcomeID = "key_" + hex.EncodeToString(sum[:])
		}
	}
	list, err := s.take(r, scope, o)
	if err == nil {
		err = list[0].err
	}
	if err != nil {
		return answer{}, err
	}
	res := list[0].result
	return answer{status: http.StatusOK, data: map[string]any{
		"edge_updated": res.changed, "personality_adjusted": false, "distill_ready": res.gene.SuccessCount >= 10, "duplicate": res.again,
		"gene_id": res.gene.ID, "success_count": res.gene.SuccessCount, "failure_count": res.gene.FailureCount,
	}}, nil
}

func (s *Server) createGene(r request) (answer, error) {
	scope, err := r.scope()
	if err != nil {
		return answer{}, err
	}
	var g api.Gene
	if err := r.decode(&g); err != nil {
		return answer{}, err
	}
	if err := checkGene(&g); err != nil {
		return answer{}, err
	}
	made, fresh, err := s.store.addGene(r.Context(), r.caller, scope, g)
	if errors.Is(err, errTaken) {
		return answer{}, refuse(http.StatusConflict, "CONFLICT", "another person has a gene of this id")
	}
	if errors.Is(err, errGone) {
		return answer{}, ofGene(err)
	}
	if err != nil {
		return answer{}, err
	}
	status := http.StatusCreated
	if !fresh {
		status = http.StatusOK
	}
	return answer{status: status, data: made.model(r.person)}, nil
}

// publishGene lets everybody with a key use a gene, or no longer.
func (s *Server) publishGene(r request) (answer, error) {
	in := struct {
		Visibility string `json:"visibility"`
	}{"published"}
	if len(r.body) > 0 {
		if err := r.decode(&in); err != nil {
			return answer{}, err
		}
	}
	state := gene.State(in.Visibility)
	if !slices.Contains([]gene.Visibility{gene.Draft, gene.Trial, gene.Shared, gene.Held}, state) {
		return answer{}, bad("visibility: want published, canary, private or quarantined")
	}
	g, err := s.store.setVisibility(r.Context(), r.caller, r.PathValue("id"), state)
	if err != nil {
		return answer{}, ofGene(err)
	}
	return answer{status: http.StatusOK, data: g.model(r.person)}, nil
}

func (s *Server) takeReport(r request) (answer, error) {
	in := map[string]any{}
	if err := r.decode(&in); err != nil {
		return answer{}, err
	}
	text, _ := in["raw_context"].(string)
	outcome, _ := in["outcome"].(string)
	if text == "" || api.Known(outcome) == "" {
		return answer{}, bad("want raw_context, and outcome success or failed")
	}
	in["raw_context"], in["outcome"] = redact.Memory.Text(text), api.Known(outcome)
	given, _ := in["report_id"].(string)
	id, err := s.store.report(r.Context(), r.caller, oneLine(given, 128), in)
	return answer{status: http.StatusOK, data: map[string]any{"trace_id": id, "status": "stored"}}, err
}

func (s *Server) hot(r request) (answer, error) {
	limit, err := r.number("limit", 3, 1, hotMax)
	if err != nil {
		return answer{}, err
	}
	list, err := s.store.best(r.Context(), "", api.Global, int(limit))
	if err != nil {
		return answer{}, err
	}
	out := []map[string]any{}
	for _, g := range list {
		m := g.model(r.person)
		out = append(out, map[string]any{"id": m.ID, "title": m.Title, "category": m.Category, "success_count": m.SuccessCount, "failure_count": m.FailureCount, "signals_match": m.SignalsMatch})
	}
	return answer{status: http.StatusOK, data: out}, nil
}
