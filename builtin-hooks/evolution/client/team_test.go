package client

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/server"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

func (s *Sync) has(t *testing.T, id string) (store.Row, bool) {
	t.Helper()
	row, err := s.Store.Get(t.Context(), id)
	if err != nil && !errors.Is(err, store.ErrNoGene) {
		t.Fatal(err)
	}
	return row, err == nil
}

// One person shares, one reviewer reads and approves on their own machine, and everybody
// else has it in use, with its author, who let it in and what it cured: nobody else
// approves anything. Until then it waits with its reason; who wants it on trial has it
// so. EV-SHR-10.
func TestWhatAReviewerApprovesServesTheTeam(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	ada, rev, cyd, eager := machine(t, v.url, v.key(t, "ada")), machine(t, v.url, v.key(t, "rev")), machine(t, v.url, v.key(t, "cyd")), machine(t, v.url, v.key(t, "eve"))
	for _, s := range []*Sync{ada, rev, cyd} {
		s.Team = TeamReviewed
	}
	eager.Team = TeamUse
	must.Do(t, v.store.Appoint(t.Context(), "rev", server.RoleReviewer))
	g := ada.learn(t)
	f := failure.Of("go build ./...", "cache entry for module example.org/zz is corrupt", 1)
	must.Do(t, ada.Store.Cured(t.Context(), g.ID, f, time.Now()))
	must.Do(t, ada.Store.Set(t.Context(), g.ID, gene.Trial, time.Now()))
	ada.end(t)
	for _, s := range []*Sync{rev, cyd, eager} {
		s.start(t)
	}
	if row, ok := cyd.has(t, g.ID); !ok || row.Visibility != gene.Held || !strings.Contains(row.HeldFor, "on trial by ada") {
		t.Errorf("%+v", row)
	}
	if row, ok := eager.has(t, g.ID); !ok || row.Visibility != gene.Trial || row.Author != "ada" {
		t.Errorf("a trial reaches others as a trial: %+v", row)
	}
	if err := rev.Store.Set(t.Context(), g.ID, gene.Draft, time.Now()); err != nil { // evolution approve
		t.Fatal(err)
	}
	rev.end(t)
	cyd.start(t)
	row, _ := cyd.has(t, g.ID)
	if row.Visibility != gene.Shared || row.Author != "ada" || row.Reviewed != "rev" || len(row.Cures) != 1 || row.Cures[0].Kind != f.Kind {
		t.Errorf("%+v", row)
	}
	n := v.calls("/review")
	if n != 1 {
		t.Errorf("%d reviews are sent of one gene: what comes with the program waits for nobody", n)
	}
	rev.end(t)
	if v.calls("/review") != n {
		t.Error("a review is sent again")
	}
	// A member's approval serves the member.
	h := ada.learnAs(t, "Ask the registry twice")
	must.Do(t, ada.Store.Set(t.Context(), h.ID, gene.Trial, time.Now()))
	ada.end(t)
	cyd.start(t)
	must.Do(t, cyd.Store.Set(t.Context(), h.ID, gene.Draft, time.Now()))
	cyd.end(t)
	rev.start(t)
	if row, _ := rev.has(t, h.ID); row.Visibility != gene.Held {
		t.Errorf("%+v", row)
	}
}

func (s *Sync) learnAs(t *testing.T, step string) gene.Gene {
	t.Helper()
	row, err := s.Store.Put(t.Context(), gene.Gene{Category: gene.Repair, Title: step, SignalsMatch: gene.Signals("error:build_failure"), Strategy: []string{step}, Constraints: gene.DefaultConstraints(), Scope: s.Scope}, "local", time.Now())
	must.Do(t, err)
	return row.Gene
}

// What is deleted here is deleted at the server and on every machine, at its next sync,
// and comes back on none; what a reviewer deletes there is deleted on its author's
// machine too. EV-SHR-09.
func TestDeletedHereIsDeletedEverywhere(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	ada, other, bob := machine(t, v.url, v.key(t, "ada")), machine(t, v.url, v.key(t, "ada")), machine(t, v.url, v.key(t, "bob"))
	bob.Team = TeamUse
	var ids []string
	for _, step := range []string{"Ask once", "Look at the clock"} {
		g := ada.learnAs(t, step)
		must.Do(t, ada.Store.Set(t.Context(), g.ID, gene.Trial, time.Now()))
		ids = append(ids, g.ID)
	}
	ada.end(t)
	other.start(t)
	bob.start(t)
	for _, s := range []*Sync{other, bob} {
		for _, id := range ids {
			if _, ok := s.has(t, id); !ok {
				t.Fatalf("%s did not come", id)
			}
		}
	}
	must.Do(t, ada.Store.Delete(t.Context(), ids[0], time.Now()))
	ada.end(t)
	must.Do(t, v.store.Delete(t.Context(), server.Operator(), ids[1]))
	for _, s := range []*Sync{ada, other, bob} {
		if r := s.start(t); r.Deleted == 0 && s != ada {
			t.Errorf("%+v", r)
		}
		for _, id := range ids {
			if row, ok := s.has(t, id); ok {
				t.Errorf("%+v is still there", row)
			}
		}
	}
	ada.end(t)
	bob.start(t)
	for _, id := range ids {
		if _, ok := bob.has(t, id); ok {
			t.Errorf("%s came back", id)
		}
	}
}

// What could harm is held on a machine whatever a server says of it, as long as no
// reviewer has read it. EV-SHR-08.
func TestHarmIsHeldHereToo(t *testing.T) {
	t.Parallel()
	s := &Sync{Team: TeamUse}
	g := gene.Gene{Visibility: gene.Trial, Author: "ada", Title: "Start over", Strategy: []string{"Run rm -rf ~/"}}
	for _, mine := range []bool{true, false} {
		if why := s.heldFor(&g, mine); !strings.Contains(why, "strategy[0]") {
			t.Errorf("mine %v: %q", mine, why)
		}
	}
	g.Reviewed = "rev"
	if why := s.heldFor(&g, false); why != "" {
		t.Errorf("%q", why)
	}
}
