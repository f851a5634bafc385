package store

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

const (
	toldRuns = 3 // outcomes that make a gene proven
	toldMost = 20
	toldRate = 0.5
	toldWait = time.Second
)

// A told gene is what the hooks know about one that is proven in a scope, without
// opening the store.
type told struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	TitleZ string   `json:"title_zh,omitempty"`
	Helped int      `json:"helped"`
	Runs   int      `json:"runs"`
	On     []string `json:"on"` // families of commands, or programs
}

// tell writes, for the hooks, what is proven in a scope: a gene may have helped with
// the command that is about to run.
func (s *Store) tell(ctx context.Context, scope string) error {
	rows, err := s.Proven(ctx, scope, nil, toldRuns, toldMost)
	if err != nil {
		return err
	}
	list := []told{}
	for i := range rows {
		r := &rows[i]
		if r.All().Rate() < toldRate {
			continue
		}
		t := told{ID: r.ID, Title: r.Title, TitleZ: r.Translations["zh"].Title, Helped: r.Successes, Runs: r.Uses}
		for _, f := range r.Cures {
			t.On = append(t.On, f.Family)
		}
		t.On = append(t.On, strings.Split(s.Facts["families "+r.ID], ",")...)
		if !r.When.Broad {
			t.On = append(t.On, slices.DeleteFunc(slices.Clone(r.When.On), func(w string) bool { return strings.Contains(w, ":") })...)
		}
		slices.Sort(t.On)
		t.On = slices.DeleteFunc(slices.Compact(t.On), func(w string) bool { return w == "" })
		t.Helped = min(int(float64(r.Uses)*r.All().Rate()+0.5), r.Uses)
		if len(t.On) > 0 {
			list = append(list, t)
		}
	}
	return statefile.Update(filepath.Join(filepath.Dir(s.path), evolution.ProvenFile), toldWait, func(old []byte) ([]byte, error) {
		scopes := map[string][]told{}
		_ = json.Unmarshal(old, &scopes) // if it cannot be read it is rewritten
		scopes[scope] = list
		return json.Marshal(scopes)
	})
}

// family records that a gene helped with a kind of command.
func (s *Store) family(id, family string) {
	if family == "" || strings.Contains(family, ",") {
		return
	}
	have := s.Facts["families "+id]
	if list := strings.Split(have, ","); !slices.Contains(list, family) && len(list) <= 8 {
		s.setFact("families "+id, strings.Trim(have+","+family, ","))
	}
}
