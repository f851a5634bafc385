package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/screen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/server"
)

// origin marks genes that came from a server.
const origin = "remote"

// take adds a page of changes to the store.
func (s *Sync) take(ctx context.Context, p *api.Pulled, r *Result) error {
	k, err := s.known()
	if err != nil {
		return err
	}
	here := map[string]string{} // ids here by ids at the server
	for id, at := range k.Genes {
		here[at.ID] = id
	}
	var trusted, held, counts []gene.Gene
	waiting := k.Waiting
	for _, row := range p.Genes {
		if id := here[row.ID]; id != "" {
			row.ID = id
		}
		g, err := s.gene(row)
		if err != nil {
			s.Log("sync: a gene is not taken in: %s", oneLine(err.Error(), 300))
			r.Skipped++
			continue
		}
		counts = append(counts, g)
		mine := row.Mine == nil || *row.Mine
		if mine && g.Visibility == gene.Held && g.HeldFor != "" {
			s.Log("sync: the server holds the gene %q until a reviewer has read it: %s", g.ID, oneLine(g.HeldFor, 300))
		}
		waiting = slices.DeleteFunc(waiting, func(id string) bool { return id == g.ID })
		if !mine && g.Reviewed == "" && g.Visibility != gene.Seed {
			waiting = append(waiting, g.ID)
		}
		if g.HeldFor = s.heldFor(&g, mine); g.HeldFor != "" {
			g.Visibility = gene.Held
			held = append(held, g)
		} else {
			trusted = append(trusted, g)
		}
	}
	now := s.Now()
	for _, part := range []struct {
		list    []gene.Gene
		trusted bool
	}{{trusted, true}, {held, false}} {
		if len(part.list) == 0 {
			continue
		}
		m, err := s.Store.Merge(ctx, part.list, origin, part.trusted, now)
		if err != nil {
			return err
		}
		r.Added, r.Updated, r.Skipped = r.Added+m.Added, r.Updated+m.Updated, r.Skipped+m.Skipped
		if !part.trusted {
			r.Held += m.Added + m.Updated
		}
	}
	if err := s.Store.Elsewhere(ctx, counts); err != nil {
		return err
	}
	if !slices.Equal(waiting, k.Waiting) {
		const most = 500 // if a server has more, they are read there
		if err := s.know(func(k *known) { k.Waiting = waiting[max(0, len(waiting)-most):] }); err != nil {
			return err
		}
	}
	if err := s.quarantine(ctx, p.Quarantines, now); err != nil {
		return err
	}
	return s.gone(ctx, p.Gone, here, r, now)
}

// heldFor says why a gene may not be used here before somebody has read it, "" if it
// may. A reviewer of the team has read what they approved.
func (s *Sync) heldFor(g *gene.Gene, mine bool) string {
	if g.Visibility == gene.Held {
		return cmp.Or(g.HeldFor, "the server holds it")
	}
	by := cmp.Or(g.Author, "somebody else")
	switch {
	case !mine && s.Team == TeamHold, !mine && g.Visibility == gene.Draft:
		return "it is by " + by + ", and nobody here has read it"
	case !mine && g.Reviewed != "", g.Visibility == gene.Seed:
		return ""
	}
	if why := screen.Reason(gene.Screen(g)); why != "" {
		return why
	}
	if !mine && s.Team != TeamUse {
		return "it is on trial by " + by + ", and no reviewer has read it"
	}
	return ""
}

// gone deletes what was deleted for everybody, even if it was made here: the person's
// other agent or a reviewer of the team may have done it.
func (s *Sync) gone(ctx context.Context, ids []string, here map[string]string, r *Result, now time.Time) error {
	for _, id := range ids {
		err := s.Store.Delete(ctx, cmp.Or(here[id], id), now)
		if errors.Is(err, store.ErrNoGene) {
			continue
		}
		if err != nil {
			return err
		}
		r.Deleted++
	}
	return nil
}

// quarantine takes genes out of use that the server no longer vouches for.
func (s *Sync) quarantine(ctx context.Context, ids []string, now time.Time) error {
	for _, id := range ids {
		row, err := s.Store.Get(ctx, id)
		if errors.Is(err, store.ErrNoGene) || err == nil && (row.Origin != origin || row.Visibility == gene.Held) {
			continue
		}
		if err == nil {
			err = s.Store.Set(ctx, id, gene.Held, now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// gene converts a row to a gene: nothing but text.
func (s *Sync) gene(row api.Row) (gene.Gene, error) {
	g := gene.Gene{
		ID: row.ID, Category: gene.Category(row.Category), Title: row.Title, Description: row.Description, Visibility: gene.State(row.Visibility),
		Strategy: row.StrategySteps, Preconditions: row.Preconditions, Constraints: gene.DefaultConstraints(),
		Successes: max(0, row.SuccessCount), Failures: max(0, row.FailureCount), CreatedBy: row.CreatedBy, Parent: row.ParentGeneID, Forks: row.ForkCount, Generation: row.Generation, Quality: row.QualityScore, Scope: row.Scope,
	}
	if g.Scope == s.wire() || g.Scope == api.Scope(s.Scope) {
		g.Scope = s.Scope
	}
	for _, x := range row.SignalsMatch {
		g.SignalsMatch = append(g.SignalsMatch, gene.Signal(x))
	}
	if row.LastUsedAt > 0 {
		g.LastUsed = time.UnixMilli(int64(row.LastUsedAt)).UTC()
	}
	g.Author, g.Reviewed, g.HeldFor, g.Evidence = row.Author, row.ReviewedBy, row.HeldFor, row.Evidence
	g.Cures, g.Translations, g.Platitude = row.Cures, row.Translations, row.Platitude
	if row.When != nil {
		g.When = *row.When
	}
	if !slices.Contains([]gene.Visibility{gene.Draft, gene.Trial, gene.Shared, gene.Held, gene.Seed}, g.Visibility) {
		g.Visibility = gene.Draft
	}
	g.Clean()
	gene.Redact(&g)
	if g.ID == "" {
		return g, errors.New("it has no id")
	}
	for _, p := range gene.Check(&g, "") {
		if !p.Forceable() {
			return g, fmt.Errorf("gene %q: %s", g.ID, p)
		}
	}
	return g, nil
}

// pushGenes sends the server the genes that were made here, so that the person's other
// agents get them and outcomes for them can be recorded.
func (s *Sync) pushGenes(ctx context.Context) error {
	list, err := s.Store.List(ctx, store.Filter{Origin: "local"})
	if err != nil {
		return err
	}
	k, err := s.known()
	if err != nil {
		return err
	}
	if err := s.pushDeletions(ctx, k, list); err != nil {
		return err
	}
	if err := s.pushReviews(ctx, k); err != nil {
		return err
	}
	for _, row := range list {
		at, has := k.Genes[row.ID]
		if row.Visibility == gene.Held || has && (at.ID == "" || gene.State(at.Visibility) == row.Visibility) {
			continue
		}
		if !has {
			at, err = s.create(ctx, row.Gene)
		}
		if err == nil && at.ID != "" && gene.State(at.Visibility) != row.Visibility {
			at, err = s.publish(ctx, at, row.Visibility)
		}
		if err != nil {
			return err
		}
		if err := s.know(func(k *known) { k.Genes[row.ID] = at }); err != nil {
			return err
		}
	}
	return nil
}

// pushDeletions deletes at the server, and so for everybody, what was made and deleted
// here.
func (s *Sync) pushDeletions(ctx context.Context, k known, list []store.Row) error {
	for _, id := range slices.Sorted(maps.Keys(k.Genes)) {
		if at := k.Genes[id]; at.ID == "" || slices.ContainsFunc(list, func(r store.Row) bool { return r.ID == id }) {
			continue
		}
		err := s.Client.Call(ctx, endLimit, http.MethodDelete, "/api/im/evolution/genes/"+url.PathEscape(k.Genes[id].ID), nil, nil, nil)
		if err != nil && !final(err) && !unknownCall(err) {
			return err
		}
		if err := s.know(func(k *known) { delete(k.Genes, id) }); err != nil {
			return err
		}
	}
	return nil
}

// unknownCall reports that a server, like the original's, does not have such a call.
func unknownCall(err error) bool {
	var f *server.Failure
	return errors.As(err, &f) && f.Status == http.StatusMethodNotAllowed
}

// pushReviews tells the server what a reviewer approved or rejected here, for the whole
// team.
func (s *Sync) pushReviews(ctx context.Context, k known) error {
	if k.Role != "reviewer" && k.Role != "admin" {
		return nil
	}
	for _, id := range k.Waiting {
		row, err := s.Store.Get(ctx, id)
		body := map[string]string{"action": "approve"}
		switch {
		case errors.Is(err, store.ErrNoGene):
			body = map[string]string{"action": "hold", "reason": "a reviewer rejected it"}
		case err != nil:
			return err
		case row.Visibility == gene.Held || s.Team == TeamUse && row.Visibility != gene.Draft:
			continue // nobody has read it yet
		}
		err = s.Client.Call(ctx, endLimit, http.MethodPost, "/api/im/evolution/genes/"+url.PathEscape(id)+"/review", nil, body, nil)
		if err != nil && !final(err) && !unknownCall(err) {
			return err
		}
		if err := s.know(func(k *known) { k.Waiting = slices.DeleteFunc(k.Waiting, func(x string) bool { return x == id }) }); err != nil {
			return err
		}
	}
	return nil
}

// create makes a local gene at the server, under the same id if the server allows it.
// It is safe to repeat. A gene that the server refuses is not sent again.
func (s *Sync) create(ctx context.Context, g gene.Gene) (sent, error) {
	gene.Redact(&g)
	body := api.Gene{ID: g.ID, Category: string(g.Category), Title: g.Title, Description: g.Description, Strategy: g.Strategy, Preconditions: append([]string{}, g.Preconditions...), ParentGeneID: g.Parent,
		Constraints: api.Map{"max_credits": g.Constraints.MaxCredits, "max_retries": g.Constraints.MaxRetries, "required_capabilities": append([]string{}, g.Constraints.Capabilities...)},
		Beyond:      api.Beyond{Cures: g.Cures, Translations: g.Translations, Platitude: g.Platitude}}
	if len(g.When.Says) > 0 {
		body.When = &g.When
	}
	for _, x := range g.SignalsMatch {
		body.SignalsMatch = append(body.SignalsMatch, api.Signal(x))
	}
	var made api.Gene
	err := s.scoped(func(scope string) error {
		if g.Scope == "" || g.Scope == api.Global {
			scope = api.Global
		}
		return s.Client.Call(ctx, endLimit, http.MethodPost, "/api/im/evolution/genes", url.Values{"scope": {scope}}, body, &made)
	})
	var f *server.Failure
	if final(err) || errors.As(err, &f) && (f.Status == http.StatusConflict || f.Status == http.StatusGone) {
		s.Log("sync: the server does not take the gene %q: %s", g.ID, oneLine(err.Error(), 300))
		return sent{Visibility: string(g.Visibility)}, nil
	}
	if err == nil && made.ID == "" {
		err = errors.New("the server made a gene without an id")
	}
	return sent{made.ID, cmp.Or(made.Visibility, gene.Draft.Original())}, err
}

// publish tells the server who may see a gene. A server without such a call keeps what
// it has.
func (s *Sync) publish(ctx context.Context, at sent, v gene.Visibility) (sent, error) {
	word := v.Original()
	if at.Visibility != word {
		err := s.Client.Call(ctx, endLimit, http.MethodPost, "/api/im/evolution/genes/"+url.PathEscape(at.ID)+"/publish", nil, map[string]string{"visibility": word}, nil)
		if err != nil && !final(err) {
			return at, err
		}
	}
	at.Visibility = string(v)
	return at, nil
}

// translated are outcomes with the ids that the genes have at the server.
func (s *Sync) translated(list []api.Outcome) []api.Outcome {
	k, err := s.known()
	if err != nil {
		return list
	}
	out := slices.Clone(list)
	for i := range out {
		if at := k.Genes[out[i].GeneID]; at.ID != "" {
			out[i].GeneID = at.ID
		}
	}
	return out
}
