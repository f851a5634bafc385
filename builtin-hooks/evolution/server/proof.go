package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
)

// A Proof is what a sceptic can check about a gene: its text by a hash, its supporters,
// each voice with its weight, and their sums.
type Proof struct {
	Gene     api.Gene   `json:"gene"`
	SHA256   string     `json:"sha256"` // of Text
	Text     string     `json:"text"`   // title, description, steps and preconditions as JSON
	Created  int64      `json:"created"`
	Voices   []Voice    `json:"voices"`
	Helped   float64    `json:"helped"`
	Failed   float64    `json:"failed"`
	Rules    ProofRules `json:"rules"`
	Screened string     `json:"screened"` // what the screen finds in it now, "" if nothing
}

// A Voice is the part of one person.
type Voice struct {
	Person  string  `json:"person"`  // a pseudonym, the same within one proof
	Project string  `json:"project"` // likewise
	Mine    bool    `json:"mine"`
	Success int     `json:"success"` // their outcomes
	Failed  int     `json:"failed"`
	Days    int     `json:"days"` // since their first key
	Weight  float64 `json:"weight"`
}

// ProofRules are the numbers used to weigh voices.
type ProofRules struct {
	YoungDays    int     `json:"young_days"`
	YoungWeight  float64 `json:"young_weight"`
	ProjectMost  int     `json:"voices_a_project"`
	OutcomesADay int     `json:"outcomes_a_day"`
}

// Prove assembles the proof of a gene that a person may see.
func (s *Store) Prove(ctx context.Context, c caller, id string) (p Proof, err error) {
	g, ok, err := geneOf(ctx, s.db, c.person, id)
	if err == nil && (!ok || g.person != c.person && !public(g.Visibility) && !c.reviews()) {
		err = errUnknown
	}
	if err != nil {
		return p, err
	}
	text, err := json.Marshal(map[string]any{"title": g.Title, "description": g.Description, "strategy": filled(g.StrategySteps), "preconditions": filled(g.Preconditions)})
	if err != nil {
		return p, err
	}
	sum := sha256.Sum256(text)
	m := g.model(c.person)
	p = Proof{Gene: m, SHA256: hex.EncodeToString(sum[:]), Text: string(text), Created: g.created, Voices: []Voice{}, Screened: screened(&m),
		Rules: ProofRules{int(youngFor.Hours() / 24), youngWeight, placeVoices, dayMost}}
	voices, err := s.voicesOf(ctx, s.db, id, "")
	day, now := int64(24*3600_000), s.now().UnixMilli()
	sign := func(kind, x string) string {
		h := sha256.Sum256([]byte("agents-hooks proof\n" + id + "\n" + kind + "\n" + x))
		return hex.EncodeToString(h[:6])
	}
	for _, v := range voices[""].list {
		helped, failed := v.share()
		p.Helped, p.Failed = p.Helped+helped, p.Failed+failed
		p.Voices = append(p.Voices, Voice{sign("person", v.person), sign("project", v.project), v.person == c.person, v.success, v.failed, int(max(0, now-v.since) / day), v.weight})
	}
	return p, err
}

func (s *Server) proof(r request) (answer, error) {
	p, err := s.store.Prove(r.Context(), r.caller, r.PathValue("id"))
	if err != nil {
		return answer{}, ofGene(err)
	}
	return answer{status: http.StatusOK, data: p}, nil
}
