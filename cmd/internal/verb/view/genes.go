package view

import (
	"errors"
	"net/http"

	evolutionops "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// A verdict is what the user did to a gene, based on what was shown of it.
type verdict struct {
	Do    string   `json:"do"`
	Gene  string   `json:"gene"`
	Seen  string   `json:"seen"`
	Title string   `json:"title"`
	Steps []string `json:"steps"`
}

// genes carries out the user's decision about a gene, and answers with the resulting state.
func (s *server) genes(w http.ResponseWriter, r *http.Request) {
	var v verdict
	if !asked(w, r, &v) {
		return
	}
	// If two windows decide, one comes first.
	s.deciding.Lock()
	status, why := s.judge(r, v)
	s.watch.stale()
	part, _ := seeEvolution(r.Context(), s.sh, s.options)
	s.deciding.Unlock()
	reply(w, status, map[string]any{"error": why, "stale": status == http.StatusConflict}, part)
}

func (s *server) judge(r *http.Request, v verdict) (status int, why string) {
	if s.options.may.why != "" {
		return http.StatusForbidden, s.options.may.why
	}
	call := builtin.Call(s.sh.Host, s.options.dir)
	call.Person = true // whoever can open the page is the user
	err := evolutionops.At(builtin.Standalone(s.sh.Host), call).Decide(r.Context(), evolutionops.Decision{
		Do: v.Do, Gene: v.Gene, Seen: v.Seen, Title: v.Title, Strategy: v.Steps,
	})
	var e *op.Error
	switch {
	case err == nil:
		s.sh.Say("ui: evolution: %s %s", shell.Plain(v.Do), shell.Plain(v.Gene))
		return http.StatusOK, ""
	case !errors.As(err, &e) || e.Code == "STORE":
		return http.StatusInternalServerError, shell.Plain(err.Error())
	case e.Code == "CHANGED" || e.Code == "NO_GENE":
		return http.StatusConflict, shell.Plain(e.Message)
	}
	return http.StatusUnprocessableEntity, shell.Plain(e.Message)
}
