package client

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// analyzeLimit leaves the hook that waits for it enough time to say something.
const analyzeLimit = 2 * time.Second

// Advice is a gene that the server suggests.
type Advice struct {
	Gene       gene.Gene
	Action     string
	Confidence float64
	Coverage   float64
	Reason     string
}

// Analyze asks the server for a gene that fits signals which none here fits. The gene
// is added to the store, so that an outcome for it can be recorded. ok is false if
// there is none that may be used: other people's are held like any other.
func (s *Sync) Analyze(ctx context.Context, signals []gene.Signal) (a Advice, ok bool, err error) {
	event := make([]api.Signal, len(signals))
	for i, g := range signals {
		event[i] = api.Signal(g)
	}
	var got api.Advice
	err = s.scoped(func(scope string) error {
		got = api.Advice{}
		return s.Client.Call(ctx, analyzeLimit, http.MethodPost, "/api/im/evolution/analyze", url.Values{"scope": {scope}}, map[string]any{"signals": event}, &got)
	})
	if err != nil || got.Gene == nil || got.Gene.ID == "" {
		return a, false, err
	}
	mine := got.Gene.Mine != nil && *got.Gene.Mine
	g := got.Gene
	row := api.Row{ID: g.ID, Title: g.Title, Category: g.Category, Description: g.Description, SignalsMatch: g.SignalsMatch, StrategySteps: g.Strategy, Preconditions: g.Preconditions, Visibility: g.Visibility,
		SuccessCount: g.SuccessCount, FailureCount: g.FailureCount, LastUsedAt: api.Moment(g.LastUsedAt), CreatedBy: g.CreatedBy, ParentGeneID: g.ParentGeneID, ForkCount: g.ForkCount, Generation: g.Generation, QualityScore: g.QualityScore, Mine: &mine, Beyond: g.Beyond}
	r := NewResult()
	if err := s.take(ctx, &api.Pulled{Genes: []api.Row{row}}, r); err != nil {
		return a, false, err
	}
	here := g.ID
	if k, err := s.known(); err == nil {
		for id, at := range k.Genes {
			if at.ID == g.ID {
				here = id
			}
		}
	}
	kept, err := s.Store.Get(ctx, here)
	if err != nil || !kept.Visibility.Usable() {
		return a, false, nil // refused, deleted here, or held
	}
	return Advice{kept.Gene, got.Action, min(max(got.Confidence, 0), 1), got.Coverage, oneLine(got.Reason, 200)}, true, nil
}
