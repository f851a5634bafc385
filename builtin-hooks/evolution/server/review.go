package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/screen"
)

// The roles of a person. A reviewer approves genes for the whole team, holds them and
// deletes those of others; an admin also sees the audit log over the network. Only the
// operator of the service gives out keys and roles, and never over the network.
const (
	RoleMember   = "member"
	RoleReviewer = "reviewer"
	RoleAdmin    = "admin"
)

// Roles lists all of them, from the least powerful.
func Roles() []string { return []string{RoleMember, RoleReviewer, RoleAdmin} }

func (c caller) reviews() bool { return c.role == RoleReviewer || c.role == RoleAdmin }

// screened is why a gene is held, "" if it is not.
func screened(g *api.Gene) string {
	fields := []screen.Field{{Name: "title", Text: g.Title}, {Name: "description", Text: g.Description}}
	list := func(name string, texts []string) {
		for i, t := range texts {
			fields = append(fields, screen.Field{Name: fmt.Sprintf("%s[%d]", name, i), Text: t})
		}
	}
	list("strategy", g.Strategy)
	list("preconditions", g.Preconditions)
	for i, signal := range g.SignalsMatch {
		fields = append(fields, screen.Field{Name: fmt.Sprintf("signals_match[%d]", i), Text: signal.Type})
	}
	for _, name := range slices.Sorted(maps.Keys(g.Constraints)) {
		if t, ok := g.Constraints[name].(string); ok {
			fields = append(fields, screen.Field{Name: "constraints." + name, Text: t})
		}
	}
	for _, language := range slices.Sorted(maps.Keys(g.Translations)) {
		t := g.Translations[language]
		fields = append(fields, screen.Field{Name: "translations." + language, Text: t.Title})
		list("translations."+language+".strategy", t.Strategy)
	}
	return screen.Reason(screen.Texts(fields))
}

// screenAll holds unsafe genes that an older program accepted.
func (s *Store) screenAll(ctx context.Context, tx *sql.Tx) error {
	list, err := all(ctx, tx, scanGene, geneQuery+` WHERE g.visibility IN ('draft', 'trial', 'shared')`, "")
	if err != nil {
		return err
	}
	for _, g := range list {
		m := g.model("")
		why := screened(&m)
		if why == "" {
			continue
		}
		n, err := s.tick(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE genes SET visibility = 'held', held = $1, updated = $2 WHERE id = $3`, why, n, g.ID); err != nil {
			return err
		}
	}
	return nil
}

// What a reviewer does with a gene.
const (
	Release = "release" // allow it on trial, though it was held
	Approve = "approve" // share it with the whole team
	Hold    = "hold"    // take it out of use, with a reason
)

var errReason = errors.New("want a reason")

// Review carries out a reviewer's action on a gene. c is the reviewer, or [Operator].
func (s *Store) Review(ctx context.Context, c caller, id, action, reason string) (m api.Gene, err error) {
	var g stored
	state := map[string]string{Release: "trial", Approve: "shared", Hold: "held"}[action]
	if state == "" {
		return m, fmt.Errorf("the action %q: want %s, %s or %s", action, Release, Approve, Hold)
	}
	if reason = oneLine(reason, 300); action == Hold && reason == "" {
		return m, errReason
	}
	err = s.changeGene(ctx, c, id, func(tx *sql.Tx, n int64, was stored, ok bool) (err error) {
		if !ok || was.Visibility == "draft" && was.person != c.person {
			return errUnknown // a draft is nobody else's business
		}
		if was.Visibility == "seed" {
			return errForbidden
		}
		held := ""
		if action == Hold {
			held = "held by " + c.name + ": " + reason
		}
		reviewer := c.person
		if action == Hold {
			reviewer = ""
		}
		if _, err := tx.ExecContext(ctx, `UPDATE genes SET visibility = $1, held = $2, reviewed = $3, updated = $4 WHERE id = $5`, state, held, reviewer, n, id); err != nil {
			return err
		}
		if err := s.index(ctx, tx, id); err != nil {
			return err
		}
		if err := s.audit(ctx, tx, c, "gene "+action, id, reason); err != nil {
			return err
		}
		g, _, err = geneOf(ctx, tx, c.person, id)
		return err
	})
	return g.model(c.person), err
}

// Waiting are genes that no reviewer has read: held, or on trial without a review.
func (s *Store) Waiting(ctx context.Context, c caller, limit int) ([]api.Gene, error) {
	list, err := all(ctx, s.db, scanGene, geneQuery+` WHERE g.visibility = 'held' OR g.visibility = 'trial' AND g.reviewed = '' ORDER BY g.visibility, g.updated DESC LIMIT $2`, c.person, limit)
	out := []api.Gene{}
	for _, g := range list {
		out = append(out, g.model(c.person))
	}
	return out, err
}

// Gene is one gene as seen by the operator of the service.
func (s *Store) Gene(ctx context.Context, id string) (api.Gene, error) {
	g, ok, err := geneOf(ctx, s.db, "", id)
	if err == nil && !ok {
		err = fmt.Errorf("there is no gene %q", id)
	}
	return g.model(""), err
}

func (s *Server) reviewList(r request) (answer, error) {
	if !r.reviews() {
		return answer{}, notReviewer()
	}
	limit, err := r.number("limit", hotMax, 1, pulledMax)
	if err != nil {
		return answer{}, err
	}
	list, err := s.store.Waiting(r.Context(), r.caller, int(limit))
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, data: map[string]any{"genes": list}}, nil
}

func notReviewer() error {
	return refuse(http.StatusForbidden, "FORBIDDEN", "this takes a reviewer or an admin; whoever runs the service gives roles")
}

func (s *Server) review(r request) (answer, error) {
	if !r.reviews() {
		return answer{}, notReviewer()
	}
	var in struct {
		Action string `json:"action"`
		Reason string `json:"reason"`
	}
	if err := r.decode(&in); err != nil {
		return answer{}, err
	}
	if !slices.Contains([]string{Release, Approve, Hold}, in.Action) {
		return answer{}, bad("action: want %s, %s or %s", Release, Approve, Hold)
	}
	g, err := s.store.Review(r.Context(), r.caller, r.PathValue("id"), in.Action, in.Reason)
	if errors.Is(err, errReason) {
		return answer{}, bad("reason: whoever is held up wants to know why")
	}
	if err != nil {
		return answer{}, ofGene(err)
	}
	return answer{status: http.StatusOK, data: g}, nil
}

// ofGene is what a caller is told about an error with a gene.
func ofGene(err error) error {
	switch {
	case errors.Is(err, errUnknown):
		return refuse(http.StatusNotFound, "NOT_FOUND", "unknown gene")
	case errors.Is(err, errForbidden):
		return refuse(http.StatusForbidden, "FORBIDDEN", "no access to this gene")
	case errors.Is(err, errGone):
		return refuse(http.StatusGone, "GONE", "this gene was deleted")
	}
	return err
}

// Delete removes a gene for everybody: its text, its results and what was said about
// it. The fact that it is gone stays, for machines that were away.
func (s *Store) Delete(ctx context.Context, c caller, id string) error {
	err := s.changeGene(ctx, c, id, func(tx *sql.Tx, n int64, g stored, ok bool) error {
		switch {
		case !ok:
			var was int
			if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM gone WHERE id = $1`, id).Scan(&was); err != nil || was > 0 {
				return err // it is gone, as intended
			}
			return errUnknown
		case g.person != c.person && !public(g.Visibility) && g.Visibility != "held":
			return errUnknown
		case g.Visibility == "seed", g.person != c.person && !c.reviews():
			return errForbidden
		}
		for _, table := range []string{"observations", "edges", "places", "voices", "sums", "gene_signals"} {
			if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE gene = $1`, id); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM genes WHERE id = $1`, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO gone (id, person, deleter, at, seq) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (id) DO UPDATE SET deleter = excluded.deleter, at = excluded.at, seq = excluded.seq`, id, g.person, c.person, s.now().UnixMilli(), n); err != nil {
			return err
		}
		return s.audit(ctx, tx, c, "gene delete", id, "")
	})
	if err != nil {
		return err
	}
	return s.wipe(ctx)
}

func (s *Server) deleteGene(r request) (answer, error) {
	id := r.PathValue("id")
	if err := s.store.Delete(r.Context(), r.caller, id); err != nil {
		return answer{}, ofGene(err)
	}
	return answer{status: http.StatusOK, data: map[string]any{"id": id, "deleted": true}}, nil
}

// goneSince are the ids of genes that were deleted after one cursor and up to another,
// and the last of these changes or cursor, whichever is later.
func (s *Store) goneSince(ctx context.Context, since, until, cursor int64) ([]string, int64, error) {
	list, err := all(ctx, s.db, func(r *sql.Rows) (id string, err error) {
		var seq int64
		err = r.Scan(&id, &seq)
		cursor = max(cursor, seq)
		return id, err
	}, `SELECT id, seq FROM gone WHERE seq > $1 AND seq <= $2 ORDER BY seq`, since, until)
	return list, cursor, err
}
