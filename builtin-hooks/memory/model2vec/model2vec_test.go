package model2vec_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/model2vec"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/static"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// converted is a model as it is searched with.
func converted(t *testing.T, path string) (*static.Model, error) {
	t.Helper()
	s, err := model2vec.Open(path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	f, err := os.Create(filepath.Join(t.TempDir(), "model.bin"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Convert(f)
	must.Do(t, f.Close())
	if err != nil {
		return nil, err
	}
	m, err := static.Open(f.Name())
	if err != nil {
		t.Fatalf("what was converted cannot be read: %v", err)
	}
	t.Cleanup(m.Close)
	if err := m.Check(); err != nil {
		t.Errorf("what was converted: %v", err)
	}
	return m, nil
}

// What testdata holds was made by the tokenizers library itself: see reference.mjs.
// BM-MDL-06.
func TestVectorsAreThoseOfTheLibraries(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*/expected.json")
	if err != nil || len(names) < 5 {
		t.Fatalf("the models: %v, %v", names, err)
	}
	for _, name := range names {
		m, err := converted(t, filepath.Dir(name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var list []struct {
			Text   string
			IDs    []int
			Vector []float64
		}
		if err := json.Unmarshal(b, &list); err != nil || len(list) < 20 {
			t.Fatalf("%s: %d texts, %v", name, len(list), err)
		}
		for _, want := range list {
			if got := m.IDs(want.Text); !slices.Equal(got, want.IDs) {
				t.Errorf("%s: the tokens of %.60q are\n%v, want\n%v", name, want.Text, got, want.IDs)
				continue
			}
			got := m.Raw(want.Text)
			if len(got) != len(want.Vector) {
				t.Errorf("%s: %.60q has %d numbers, want %d", name, want.Text, len(got), len(want.Vector))
			}
			for i := range got {
				if math.Abs(float64(got[i])-want.Vector[i]) > 1e-3 {
					t.Errorf("%s: number %d of %.60q is %v, want %v", name, i, want.Text, got[i], want.Vector[i])
				}
			}
		}
	}
}
