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

// What few models use is read as the library documents it: a word that
// is a token whole, and whose side a separator is on.
func TestTokensOfRarerSettings(t *testing.T) {
	t.Parallel()
	const merges = `"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "c": 3, "d": 4, "e": 5}, "merges": []`
	const words = `"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "a": 1, "-": 2, "a-": 3, "-a": 4, "--": 5}`
	split := func(behavior string) string {
		return `{"pre_tokenizer": {"type": "Split", "pattern": {"String": "-"}, "behavior": "` + behavior + `"}, "model": {` + words + `}}`
	}
	for _, c := range []struct {
		name, tokenizer, text string
		want                  []int
	}{
		{"a word is split", `{"model": {` + merges + `}}`, "ab", []int{0, 1}},
		{"a word that is a token is not", `{"model": {` + merges + `, "ignore_merges": true}}`, "ab", []int{2}},
		{"another word is all the same", `{"model": {` + merges + `, "ignore_merges": true}}`, "ba", []int{1, 0}},
		{"a separator by itself", split("Isolated"), "-a-a", []int{2, 1, 2, 1}},
		{"none", split("Removed"), "-a-a", []int{1, 1}},
		{"with what is before it", split("MergedWithPrevious"), "-a-a", []int{2, 3, 1}},
		{"with what is after it", split("MergedWithNext"), "a-a-a", []int{1, 4, 4}},
		{"with what is after it, at the begin", split("MergedWithNext"), "-a-", []int{4, 2}},
		{"several", split("Contiguous"), "a--a", []int{1, 5, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tensors := safetensors(embeddings("F32", "[6,1]", 0, 24), f32(1, 2, 3, 4, 5, 6))
			m, err := converted(t, folder(t, tensors, c.tokenizer, "{}"))
			must.Do(t, err)
			if got := m.IDs(c.text); !slices.Equal(got, c.want) {
				t.Errorf("%q: %v, want %v", c.text, got, c.want)
			}
		})
	}
}
