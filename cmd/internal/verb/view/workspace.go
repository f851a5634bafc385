package view

import (
	"errors"
	"net/http"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	workspaceops "github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// said is the user's answer to something that waits for one, based on what was shown of it.
type said struct {
	Workspace string `json:"workspace"`
	Kind      string `json:"kind"`
	Node      string `json:"node"`
	Token     string `json:"token"`
	Way       string `json:"way"`
	Text      string `json:"text"`
	Seen      string `json:"seen"`
}

// workspace carries out the user's answer, by the operations and with the tokens that an agent
// would use to pass it on, and answers with the resulting state.
func (s *server) workspace(w http.ResponseWriter, r *http.Request) {
	var a said
	if !asked(w, r, &a) {
		return
	}
	// If two windows decide, one comes first.
	s.deciding.Lock()
	status, why, stale := s.reply(r, a)
	s.watch.stale()
	part, _ := seeWorkspaces(r.Context(), s.sh, s.options)
	s.deciding.Unlock()
	reply(w, status, map[string]any{"error": why, "stale": stale}, part)
}

func (s *server) reply(r *http.Request, a said) (status int, why string, stale bool) {
	if s.options.may.why != "" {
		return http.StatusForbidden, s.options.may.why, false
	}
	call := builtin.Call(s.sh.Host, s.options.dir)
	call.Person = true // whoever can open the page is the user
	d := workspaceops.At(builtin.Standalone(s.sh.Host), call)
	err := d.Reply(r.Context(), a.Workspace, workspaceops.Reply{
		Wait: workspaceops.Wait{Kind: a.Kind, Node: a.Node, Token: a.Token}, Text: a.Text, Way: a.Way, Seen: a.Seen,
	})
	var e *op.Error
	switch {
	case err == nil:
		s.sh.Say("ui: workspace: %s of %s answered", shell.Plain(a.Kind), shell.Plain(a.Node))
		return http.StatusOK, "", false
	case !errors.As(err, &e):
		return http.StatusInternalServerError, shell.Plain(err.Error()), false
	}
	switch e.Code {
	case "CHANGED", "INVALID_CONFIRMATION_TOKEN", "CONFIRMATION_MISMATCH", "NODE_NOT_FOUND", "WORKSPACE_NOT_FOUND":
		return http.StatusConflict, shell.Plain(e.Message), true
	}
	return http.StatusUnprocessableEntity, shell.Plain(e.Message), false
}
