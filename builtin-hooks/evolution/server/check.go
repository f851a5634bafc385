package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
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
