package view

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/approval"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/page"
)

// A decision is the user's answer to an item, based on what was shown of it.
type decision struct {
	Project string   `json:"project"`
	Name    string   `json:"name"`
	Hash    string   `json:"hash"`
	Answer  string   `json:"answer"` // approve or refuse
	Unseen  []string `json:"unseen"` // files accepted without having been shown
}

// decide carries out the user's decision, and answers with the resulting state.
func (s *server) decide(w http.ResponseWriter, r *http.Request) {
	var d decision
	if !asked(w, r, &d) {
		return
	}
	// If two windows decide, one comes first.
	s.deciding.Lock()
	status, why := s.settle(d)
	s.options.may.kept.forget()
	s.watch.stale()
	part, _ := seeApprovals(r.Context(), s.sh, s.options)
	s.deciding.Unlock()
	reply(w, status, map[string]any{"error": why}, part)
}

// asked reads the one document that a page sent, or answers with the error.
func asked(w http.ResponseWriter, r *http.Request, to any) bool {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "want application/json")
		return false
	}
	in := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	in.DisallowUnknownFields()
	if err := in.Decode(to); err != nil || in.Decode(new(any)) != io.EOF {
		refuse(w, http.StatusBadRequest, "want one document of what to do")
		return false
	}
	return true
}

// reply answers a page with the result of a request, and with a part's present state.
func reply(w http.ResponseWriter, status int, answer map[string]any, part page.Part) {
	if b, err := part.JSON(); err == nil {
		answer["part"] = json.RawMessage(b)
	}
	b, err := page.JSON(answer)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b)
}

// settle carries out a decision, or says why not. It approves exactly what was shown, which it
// finds again by its hash.
func (s *server) settle(d decision) (status int, why string) {
	if s.options.may.why != "" {
		return http.StatusForbidden, s.options.may.why
	}
	all, err := approval.Look(s.sh, s.options.dir, nil)
	if err != nil {
		return http.StatusInternalServerError, err.Error()
	}
	one, ok := all.Only(d.Project, d.Name, d.Hash)
	if !ok {
		return http.StatusConflict, "it is not what was shown any more: it changed, or was decided elsewhere"
	}
	switch d.Answer {
	case "approve":
		for _, u := range one.Cards(s.sh)[0].Unseen {
			if !slices.Contains(d.Unseen, u.Path) {
				return http.StatusConflict, "a file of it was not shown, and not agreed to: " + shell.Plain(u.Path)
			}
		}
		_, err = approval.Approve(s.sh, one, approval.Options{Yes: true})
	case "refuse":
		_, err = approval.Refuse(s.sh, one)
	default:
		return http.StatusBadRequest, "want approve or refuse"
	}
	if err != nil {
		if errors.Is(err, shell.ErrReported) {
			err = errors.New("see the terminal where agents-hooks ui runs")
		}
		return http.StatusInternalServerError, shell.Plain(err.Error())
	}
	said := map[string]string{"approve": "approved", "refuse": "refused"}[d.Answer]
	s.sh.Say("ui: %s %s of %s", said, shell.Plain(d.Name), s.sh.Short(d.Project))
	return http.StatusOK, ""
}
