package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/wire"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/originals"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What one call may carry.
const (
	outcomesMax = 200
	signalsMax  = 32
	stepsMax    = 20
	textMax     = 2000
	pulledMax   = 200
	snapshotMax = 500
	hotMax      = 50
)

// decode reads the body of a request.
func (r request) decode(into any) error {
	if len(r.body) == 0 {
		return bad("the body is empty, want a JSON object")
	}
	if err := json.Unmarshal(r.body, into); err != nil {
		return bad("the body: %v", err)
	}
	return nil
}

// scope is that of the address, as analyze, record and genes want it (EVO-5).
func (r request) scope() (string, error) {
	scope := r.URL.Query().Get("scope")
	if scope == "" {
		return wire.Global, nil
	}
	if !wire.ValidScope(scope) {
		return "", refuse(http.StatusBadRequest, "INVALID_INPUT", "Invalid scope format")
	}
	return scope, nil
}

// lenient is the scope of a call that takes any, the first that is named: the
// original's hooks send theirs as it is.
func (r request) lenient(named ...string) string {
	for _, s := range append([]string{r.URL.Query().Get("scope")}, named...) {
		if s != "" {
			return wire.Scope(s)
		}
	}
	return wire.Global
}

// oneLine is a text from outside on one line, without what a terminal obeys.
func oneLine(s string, most int) string {
	return text.HeadBytes(text.OneLine(protocol.Plain(s)), most)
}

func (s *Server) sync(r request) (answer, error) {
	var in wire.SyncRequest
	if err := r.decode(&in); err != nil {
		return answer{}, err
	}
	var out wire.SyncAnswer
	if in.Push != nil {
		if len(in.Push.Outcomes) > outcomesMax {
			return answer{}, bad("%d outcomes, at most %d", len(in.Push.Outcomes), outcomesMax)
		}
		out.Pushed = &wire.Pushed{Rejected: []string{}}
		scope := r.lenient(in.Push.Scope)
		for i, o := range in.Push.Outcomes {
			_, err := s.take(r, scope, o)
			var f failure
			switch {
			case errors.As(err, &f):
				out.Pushed.Rejected = append(out.Pushed.Rejected, fmt.Sprintf("outcome[%d]: %s", i, f.Message))
			case err != nil:
				// What was taken already is taken again without harm.
				return answer{}, err
			default:
				out.Pushed.Accepted++
			}
		}
	}
	if in.Pull != nil {
		p, err := s.pull(r, r.lenient(in.Pull.Scope), in.Pull.Since, pulledMax)
		if err != nil {
			return answer{}, err
		}
		out.Pulled = &p
	}
	return answer{status: http.StatusOK, data: out}, nil
}

func (s *Server) snapshot(r request) (answer, error) {
	var since int64
	if text := r.URL.Query().Get("since"); text != "" {
		if _, err := fmt.Sscan(text, &since); err != nil {
			return answer{}, bad("since: want milliseconds")
		}
	}
	p, err := s.pull(r, r.lenient(), since, snapshotMax)
	return answer{status: http.StatusOK, data: p}, err
}

// pull is what changed after a cursor. Genes that are not to be used any more are
// named, and nothing else is told of them.
func (s *Server) pull(r request, scope string, since int64, most int) (wire.Pulled, error) {
	p := wire.Pulled{Genes: []wire.Row{}, Promotions: []string{}, Quarantines: []string{}, Mark: originals.Mark{Cursor: since}}
	ctx := r.Context()
	list, err := s.store.genesSince(ctx, r.person, scope, since, most)
	if err != nil {
		return p, err
	}
	for _, g := range list {
		p.Cursor = g.updated
		switch g.Visibility {
		case "quarantined":
			p.Quarantines = append(p.Quarantines, g.ID)
			continue
		case "published":
			p.Promotions = append(p.Promotions, g.ID)
		}
		p.Genes = append(p.Genes, g.seen(r.person))
	}
	p.More = len(list) == most
	if p.Edges, err = s.store.edgesSince(ctx, r.person, since, p.Cursor); err != nil {
		return p, err
	}
	p.GlobalPrior, err = s.store.priors(ctx)
	return p, err
}

// take checks one outcome and keeps it.
func (s *Server) take(r request, scope string, o wire.Outcome) (result, error) {
	if o.Outcome = wire.Known(o.Outcome); o.Outcome == "" {
		return result{}, bad("outcome: want success or failed")
	}
	if o.GeneID == "" || len(o.GeneID) > 128 {
		return result{}, bad("gene_id is missing or too long")
	}
	if err := checkSignals(o.Signals); err != nil {
		return result{}, err
	}
	if o.Score != nil && !(*o.Score >= 0 && *o.Score <= 1) {
		return result{}, bad("score: want 0 to 1")
	}
	if b, err := json.Marshal(o.Metadata); err != nil || len(b) > 4*textMax {
		return result{}, bad("metadata is too large")
	}
	o.Summary = redact.Memory.Text(oneLine(o.Summary, textMax))
	fromMetadata(&o)
	if len(o.OutcomeID) > 128 || len(o.SessionID) > 256 {
		return result{}, bad("outcome_id or session_id is too long")
	}
	if o.OutcomeID == "" {
		o.OutcomeID = "out_" + s.store.random()
	}
	res, err := s.store.observe(r.Context(), r.caller, scope, o)
	switch {
	case errors.Is(err, errUnknown):
		return res, refuse(http.StatusNotFound, "NOT_FOUND", "unknown gene %q", oneLine(o.GeneID, 128))
	case errors.Is(err, errForbidden):
		return res, refuse(http.StatusForbidden, "FORBIDDEN", "no access to gene %q", oneLine(o.GeneID, 128))
	}
	return res, err
}

// fromMetadata also finds there what has a member of its own: clients of others
// may pass on metadata only.
func fromMetadata(o *wire.Outcome) {
	for name, to := range map[string]*string{"outcome_id": &o.OutcomeID, "session_id": &o.SessionID} {
		if text, ok := o.Metadata[name].(string); ok && *to == "" {
			*to = text
		}
	}
	if b, ok := o.Metadata["followed"].(bool); ok && o.Followed == nil {
		o.Followed = &b
	}
}

func checkSignals(list []wire.Signal) error {
	if len(list) == 0 || len(list) > signalsMax {
		return bad("signals: want 1 to %d", signalsMax)
	}
	for _, g := range list {
		if g.Type == "" || len(g.Type) > 128 || g.Type != oneLine(g.Type, 128) {
			return bad("signals: the type %q", oneLine(g.Type, 128))
		}
	}
	return nil
}

func (s *Server) record(r request) (answer, error) {
	scope, err := r.scope()
	if err != nil {
		return answer{}, err
	}
	var o wire.Outcome
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
	res, err := s.take(r, scope, o)
	if err != nil {
		return answer{}, err
	}
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
	var g wire.Gene
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
	if err != nil {
		return answer{}, err
	}
	status := http.StatusCreated
	if !fresh {
		status = http.StatusOK
	}
	return answer{status: status, data: made.model(r.person)}, nil
}

// checkGene holds the form of a gene that comes from outside; its texts lose
// secrets and what a terminal obeys. A gene is text and nothing else (EVO-33).
func checkGene(g *wire.Gene) error {
	if !slices.Contains([]string{"repair", "optimize", "innovate", "diagnostic"}, g.Category) {
		return bad("category: want repair, optimize, innovate or diagnostic")
	}
	if err := checkSignals(g.SignalsMatch); err != nil {
		return bad("signals_match: want 1 to %d of them, each with a type", signalsMax)
	}
	if len(g.ID) > 128 || g.ID != oneLine(g.ID, 128) || strings.ContainsAny(g.ID, " /\\") {
		return bad("id: %q", oneLine(g.ID, 128))
	}
	if len(g.Strategy) == 0 || len(g.Strategy) > stepsMax || len(g.Preconditions) > stepsMax {
		return bad("strategy: want 1 to %d steps", stepsMax)
	}
	if b, err := json.Marshal(g.Constraints); err != nil || len(b) > 2*textMax {
		return bad("constraints are too large")
	}
	for _, list := range [][]string{g.Strategy, g.Preconditions} {
		for i, text := range list {
			if utf8.RuneCountInString(text) > textMax {
				return bad("a step of more than %d characters", textMax)
			}
			if list[i] = redact.Memory.Text(oneLine(text, 4*textMax)); list[i] == "" {
				return bad("a step is empty")
			}
		}
	}
	g.Title, g.Description = redact.Memory.Text(oneLine(g.Title, 200)), redact.Memory.Text(oneLine(g.Description, textMax))
	if g.Title == "" {
		g.Title = oneLine(g.Strategy[0], 80)
	}
	if g.Visibility != "published" {
		g.Visibility = "private"
	}
	return nil
}

// publishGene lets everybody who has a key use a gene, or no longer.
func (s *Server) publishGene(r request) (answer, error) {
	in := struct {
		Visibility string `json:"visibility"`
	}{"published"}
	if len(r.body) > 0 {
		if err := r.decode(&in); err != nil {
			return answer{}, err
		}
	}
	if !slices.Contains([]string{"published", "private", "quarantined"}, in.Visibility) {
		return answer{}, bad("visibility: want published, private or quarantined")
	}
	g, err := s.store.setVisibility(r.Context(), r.caller, r.PathValue("id"), in.Visibility)
	switch {
	case errors.Is(err, errUnknown):
		return answer{}, refuse(http.StatusNotFound, "NOT_FOUND", "unknown gene")
	case errors.Is(err, errForbidden):
		return answer{}, refuse(http.StatusForbidden, "FORBIDDEN", "no access to this gene")
	case err != nil:
		return answer{}, err
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
	if text == "" || wire.Known(outcome) == "" {
		return answer{}, bad("want raw_context, and outcome success or failed")
	}
	in["raw_context"], in["outcome"] = redact.Memory.Text(text), wire.Known(outcome)
	given, _ := in["report_id"].(string)
	id, err := s.store.report(r.Context(), r.caller, oneLine(given, 128), in)
	return answer{status: http.StatusOK, data: map[string]any{"trace_id": id, "status": "stored"}}, err
}

func (s *Server) hot(r request) (answer, error) {
	limit := 3
	if text := r.URL.Query().Get("limit"); text != "" {
		if _, err := fmt.Sscan(text, &limit); err != nil || limit < 1 || limit > hotMax {
			return answer{}, bad("limit: want 1 to %d", hotMax)
		}
	}
	list, err := s.store.usable(r.Context(), "", wire.Global)
	if err != nil {
		return answer{}, err
	}
	out := []map[string]any{}
	for _, g := range list[:min(limit, len(list))] {
		m := g.model(r.person)
		out = append(out, map[string]any{"id": m.ID, "title": m.Title, "category": m.Category, "success_count": m.SuccessCount, "failure_count": m.FailureCount, "signals_match": m.SignalsMatch})
	}
	return answer{status: http.StatusOK, data: out}, nil
}
