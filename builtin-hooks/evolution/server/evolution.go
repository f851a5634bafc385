package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
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

// decode reads the body of a request.
func (r request) decode(into any) error {
	if len(r.body) == 0 {
		return bad("the body is empty, want a JSON object")
	}
	if holdsNUL(r.body) {
		return bad("the body: a text holds the character NUL")
	}
	return r.read(into)
}

// read is decode for callers that remove invalid text themselves.
func (r request) read(into any) error {
	if err := json.Unmarshal(r.body, into); err != nil {
		return bad("the body: %v", err)
	}
	return nil
}

// holdsNUL reports whether a JSON text contains an escaped NUL, which PostgreSQL cannot
// store and no text needs.
func holdsNUL(b []byte) bool {
	const nul = `\u0000`
	for from := 0; ; {
		i := bytes.Index(b[from:], []byte(nul))
		if i < 0 {
			return false
		}
		at := from + i
		slashes := 0
		for slashes < at && b[at-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return true
		}
		from = at + 1
	}
}

// maxMillis is the last valid time: the end of the year 9999.
const maxMillis = 253402300799999

// mayPull reports, as an error, that the caller may not pull from a cursor.
func (r request) mayPull(since int64) error {
	if err := r.may(Read); err != nil {
		return err
	}
	if since < 0 || since > maxMillis {
		return bad("since: %d, want a cursor that was given", since)
	}
	return nil
}

// number is a number in the URL within bounds, or the default if there is none.
func (r request) number(name string, usual, least, most int64) (int64, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, bad("%s: %q, want a number from %d to %d", name, oneLine(text, 40), least, most)
	}
	return n, nil
}

// scope is the scope in the URL, for analyze, record and genes.
func (r request) scope() (string, error) {
	scope := r.URL.Query().Get("scope")
	if scope == "" {
		return api.Global, nil
	}
	if !api.ValidScope(scope) {
		return "", refuse(http.StatusBadRequest, "INVALID_INPUT", "Invalid scope format")
	}
	return scope, nil
}

// lenient is the scope of a call that accepts any, the first one named: the original's
// hooks send theirs unchanged.
func (r request) lenient(named ...string) string {
	for _, s := range append([]string{r.URL.Query().Get("scope")}, named...) {
		if s != "" {
			return api.Scope(s)
		}
	}
	return api.Global
}

// oneLine is a foreign text on one line, without anything that a terminal obeys.
func oneLine(s string, most int) string {
	return text.HeadBytes(text.OneLine(protocol.Plain(s)), most)
}

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

// checkOutcome says what is wrong with an outcome, and fills in what it may lack.
func (s *Server) checkOutcome(o *api.Outcome) error {
	if o.Outcome = api.Known(o.Outcome); o.Outcome == "" {
		return bad("outcome: want success or failed")
	}
	if o.GeneID == "" || len(o.GeneID) > 128 {
		return bad("gene_id is missing or too long")
	}
	if err := checkSignals(o.Signals); err != nil {
		return err
	}
	if o.Score != nil && !(*o.Score >= 0 && *o.Score <= 1) {
		return bad("score: want 0 to 1")
	}
	if b, err := json.Marshal(o.Metadata); err != nil || len(b) > 4*textMax {
		return bad("metadata is too large")
	}
	o.Summary = redact.Memory.Text(oneLine(o.Summary, textMax))
	fromMetadata(o)
	if len(o.OutcomeID) > 128 || len(o.SessionID) > 256 {
		return bad("outcome_id or session_id is too long")
	}
	if o.At < 0 || o.At > maxMillis {
		return bad("at: %d, want milliseconds since 1970", o.At)
	}
	if o.OutcomeID == "" {
		o.OutcomeID = "out_" + s.store.random()
	}
	return nil
}

// fromMetadata also looks in the metadata for what has a member of its own: other
// clients may only pass on metadata.
func fromMetadata(o *api.Outcome) {
	for name, to := range map[string]*string{"outcome_id": &o.OutcomeID, "session_id": &o.SessionID} {
		if text, ok := o.Metadata[name].(string); ok && *to == "" {
			*to = text
		}
	}
	if b, ok := o.Metadata["followed"].(bool); ok && o.Followed == nil {
		o.Followed = &b
	}
}

func checkSignals(list []api.Signal) error {
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

// checkGene validates a foreign gene and removes from its texts secrets and what a
// terminal obeys. A gene is nothing but text.
func checkGene(g *api.Gene) error {
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
	switch state := gene.State(g.Visibility); state {
	case gene.Trial, gene.Shared:
		g.Visibility = string(state)
	default:
		g.Visibility = string(gene.Draft)
	}
	return checkBeyond(g)
}

// checkBeyond validates the fields that the original does not know.
func checkBeyond(g *api.Gene) error {
	clean := func(s string, most int) string { return redact.Memory.Text(oneLine(s, most)) }
	if len(g.Cures) > gene.MostCures || len(g.Translations) > 8 {
		return bad("want at most %d cures and 8 translations", gene.MostCures)
	}
	for i := range g.Cures {
		c := &g.Cures[i]
		c.ID, c.Place, c.Count = "", 0, 0
		c.Kind, c.Family, c.Code, c.Text = oneLine(c.Kind, 64), clean(c.Family, 100), clean(c.Code, 100), clean(c.Text, 1000)
		if len(c.Symbols) > 8 {
			return bad("a cure has at most 8 symbols")
		}
		for k := range c.Symbols {
			c.Symbols[k] = clean(c.Symbols[k], 200)
		}
	}
	if w := g.When; w != nil {
		for _, list := range [][]string{w.Says, w.On, w.Unless} {
			if len(list) > 40 {
				return bad("when: want at most 40 phrases")
			}
			for i := range list {
				list[i] = clean(list[i], 200)
			}
		}
	}
	for language, t := range g.Translations {
		if len(language) > 12 || language != oneLine(language, 12) || len(t.Strategy) > stepsMax {
			return bad("translations: the language %q, or too many steps", oneLine(language, 12))
		}
		t.Title = clean(t.Title, 200)
		for i := range t.Strategy {
			t.Strategy[i] = clean(t.Strategy[i], textMax)
		}
		g.Translations[language] = t
	}
	return nil
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
