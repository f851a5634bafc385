package server

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
)

// row converts a gene of package gene to its form on the wire.
func row(g gene.Gene) api.Gene {
	var signals []api.Signal
	for _, s := range g.SignalsMatch {
		signals = append(signals, api.Signal(s))
	}
	return api.Gene{Type: "Gene", ID: g.ID, Category: string(g.Category), Title: g.Title, Description: g.Description, Visibility: g.Visibility.Original(),
		SignalsMatch: signals, Strategy: g.Strategy, Preconditions: g.Preconditions,
		Constraints: api.Map{"max_credits": g.Constraints.MaxCredits, "max_retries": g.Constraints.MaxRetries, "required_capabilities": filled(g.Constraints.Capabilities)}}
}

// known converts a stored gene to one for package selector.
func known(g stored) gene.Gene {
	return gene.Gene{ID: g.ID, Category: gene.Category(g.Category), Title: g.Title, Visibility: gene.State(g.Visibility), SignalsMatch: signalsOf(g.SignalsMatch), Strategy: g.StrategySteps,
		Successes: g.SuccessCount, Failures: g.FailureCount, Forks: g.ForkCount}
}

func signalsOf(list []api.Signal) []gene.Signal {
	out := make([]gene.Signal, len(list))
	for i, s := range list {
		out[i] = gene.Signal(s)
	}
	return out
}

// An enquiry is the body of analyze.
type enquiry struct {
	Signals        []api.Signal `json:"signals"`
	Error          string       `json:"error"`
	TaskStatus     string       `json:"task_status"`
	TaskCapability string       `json:"task_capability"`
	Tags           []string     `json:"tags"`
	Provider       string       `json:"provider"`
	Stage          string       `json:"stage"`
	Severity       string       `json:"severity"`
}

// event is what an enquiry is about: its signals, or those found in its error and its
// task.
func (q enquiry) event() []api.Signal {
	if len(q.Signals) > 0 {
		return q.Signals
	}
	var out []api.Signal
	add := func(kind string) {
		out = append(out, api.Signal{Type: kind, Provider: q.Provider, Stage: q.Stage, Severity: q.Severity})
	}
	if q.Error != "" {
		for _, key := range signal.Of("", q.Error) {
			add(string(key))
		}
	}
	if q.TaskStatus == "failed" {
		add("task:failed")
	}
	if q.TaskCapability != "" {
		add("capability:" + oneLine(q.TaskCapability, 64))
	}
	for _, tag := range q.Tags {
		if tag = oneLine(tag, 128); tag != "" {
			add(tag)
		}
	}
	return out
}

func (s *Server) analyze(r request) (answer, error) {
	scope, err := r.scope()
	if err != nil {
		return answer{}, err
	}
	var q enquiry
	if err := r.decode(&q); err != nil {
		return answer{}, err
	}
	event := q.event()
	if err := checkSignals(event); err != nil {
		return answer{}, err
	}
	list, err := s.store.candidates(r.Context(), r.person, scope, event)
	if err != nil {
		return answer{}, err
	}
	now := s.store.now()
	choice := selector.Choose(signalsOf(event), list, selector.Options{Now: now, Random: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), Creativity: selector.Creativity})
	var types []string
	for _, g := range event {
		types = append(types, g.Type)
	}
	memories, err := s.store.memories(r.Context(), r.person, scope, types)
	if err != nil {
		return answer{}, err
	}
	data, err := s.chosen(r, choice, event)
	if err != nil {
		return answer{}, err
	}
	data["relatedMemories"] = memories
	return answer{status: http.StatusOK, data: data}, nil
}

// chosen is a choice in the form of the contract.
func (s *Server) chosen(r request, c selector.Choice, event []api.Signal) (map[string]any, error) {
	data := map[string]any{"action": c.Action, "gene_id": nil, "gene": nil, "strategy": []string{}, "confidence": 0.0, "coverageScore": 0.0, "alternatives": []any{}, "rank": []any{}, "reason": c.Reason, "suggestion": nil}
	best := c.Chosen()
	if best != nil {
		g, ok, err := geneOf(r.Context(), s.store.db, r.person, best.Gene.ID)
		if err != nil || !ok {
			return nil, fmt.Errorf("reading gene %q: %w", best.Gene.ID, err)
		}
		data["gene_id"], data["gene"], data["strategy"], data["confidence"], data["coverageScore"] = g.ID, g.model(r.person), filled(g.StrategySteps), best.Confidence, best.Coverage
	}
	ranks, others := []map[string]any{}, []map[string]any{}
	for i, x := range c.Ranked[:min(10, len(c.Ranked))] {
		m := map[string]any{"gene_id": x.Gene.ID, "title": x.Gene.Title, "confidence": x.Confidence, "coverageScore": x.Coverage, "rank": x.Rank}
		ranks = append(ranks, m)
		if (i > 0 || best == nil) && len(others) < 3 {
			others = append(others, m)
		}
	}
	data["rank"], data["alternatives"] = ranks, others
	if c.Action == selector.Suggest {
		data["suggestion"] = map[string]any{"category": "repair", "signals_match": event, "title": "", "description": c.Reason, "similar_genes": others}
	}
	return data, nil
}

// How many genes are considered for a signal: those that helped most, the person's own
// and the newest; and, if these are few, those for a signal of the same kind. So the
// cost does not grow with what a team has.
const (
	bestOf    = 24
	ownOf     = 24
	newestOf  = 8
	kindOf    = 24
	fewGenes  = 8
	typesMost = 12 // signals of an event that are looked up
)

// candidates are the genes that may be chosen, each with what is known about it for the
// one signal with most results.
func (s *Store) candidates(ctx context.Context, person, scope string, event []api.Signal) ([]selector.Candidate, error) {
	types := typesOf(event)
	ids, err := s.found(ctx, person, types)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	genes, err := s.genesOf(ctx, person, ids)
	if err != nil {
		return nil, err
	}
	genes = slices.DeleteFunc(genes, func(g stored) bool { return !g.usableBy(person, scope) })
	list := make([]selector.Candidate, len(genes))
	at := map[string]int{}
	for i, g := range genes {
		list[i].Gene = known(g)
		at[g.ID] = i
	}
	for _, signal := range types {
		local, elsewhere, err := s.edgesOf(ctx, person, signal, ids)
		if err != nil {
			return nil, err
		}
		for id, i := range at {
			all := local[id].Add(elsewhere[id])
			if c := &list[i]; all.N() > c.Global.N() {
				c.Local, c.Global, c.Others = local[id], all, elsewhere[id].N()
			}
		}
	}
	recent, err := s.lately(ctx, person, s.now().Add(-10*time.Minute).UnixMilli())
	for id, marks := range recent {
		i, ok := at[id]
		if !ok {
			continue
		}
		for _, o := range marks {
			kind := selector.Failed
			if o.outcome == "success" {
				kind = selector.Succeeded
			}
			list[i].Recent = append(list[i].Recent, selector.Mark{At: time.UnixMilli(o.at), Kind: kind})
		}
	}
	return unseeded(event, list), err
}

// unseeded leaves out seeds that nobody has tried, if somebody wrote a gene about the
// same signals: the client has the seeds, and chance would choose one of them.
func unseeded(event []api.Signal, list []selector.Candidate) []selector.Candidate {
	about := signalsOf(event)
	seed := func(c selector.Candidate) bool { return c.Gene.Visibility == gene.Seed }
	written := slices.ContainsFunc(list, func(c selector.Candidate) bool {
		_, layer := gene.Coverage(about, c.Gene.SignalsMatch)
		return layer == gene.Exact && !seed(c)
	})
	if !written {
		return list
	}
	return slices.DeleteFunc(list, func(c selector.Candidate) bool { return seed(c) && c.Global.N() == 0 })
}

func typesOf(event []api.Signal) (types []string) {
	for _, e := range event {
		if !slices.Contains(types, e.Type) && len(types) < typesMost {
			types = append(types, e.Type)
		}
	}
	return types
}

// found returns the ids of genes about signals, without duplicates.
func (s *Store) found(ctx context.Context, person string, types []string) (ids []string, err error) {
	seen := map[string]bool{}
	look := func(query string, args ...any) {
		if err != nil {
			return
		}
		var list []string
		list, err = all(ctx, s.db, func(r *sql.Rows) (id string, err error) { return id, r.Scan(&id) }, query, args...)
		for _, id := range list {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	for _, t := range types {
		look(`SELECT gene FROM gene_signals WHERE signal = $1 AND open = 1 ORDER BY standing DESC LIMIT $2`, t, bestOf)
		look(`SELECT gene FROM gene_signals WHERE signal = $1 AND person = $2 ORDER BY standing DESC LIMIT $3`, t, person, ownOf)
		look(`SELECT gene FROM gene_signals WHERE signal = $1 AND open = 1 ORDER BY created DESC LIMIT $2`, t, newestOf)
	}
	if len(ids) < fewGenes {
		for _, t := range types {
			kind, _, _ := strings.Cut(t, ":")
			look(`SELECT gene FROM gene_signals WHERE kind = $1 AND open = 1 ORDER BY standing DESC LIMIT $2`, kind, kindOf)
		}
	}
	return ids, err
}
