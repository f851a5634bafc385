package fill

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// vector is one for a text, about the first axis as much as lean says.
func vector(text string, lean float32) []float32 {
	v := make([]float32, 16)
	for i := range v {
		v[i] = float32(search.Key(text+string(rune('a'+i)))%2000)/1000 - 1
	}
	v[0] += lean
	return search.Unit(v)
}

func texts() (out []search.Entry) {
	for _, t := range Background() {
		out = append(out, search.Entry{Key: search.Key(t), Text: t, Vector: search.Pack(vector(t+"by the lexicon", 1))})
	}
	return out
}

// A model that finds everything alike is scaled as the lexicon is, so that what is weak
// means the same.
func TestModelsAreScaledAlike(t *testing.T) {
	t.Parallel()
	for _, lean := range []float32{0, 4, 20} {
		f := filling{now: map[uint64][]byte{}, ask: func(list []string) (out [][]float32, err error) {
			for _, text := range list {
				out = append(out, vector(text, lean))
			}
			return out, nil
		}}
		entries := texts()
		must.Do(t, f.part(entries))
		scale, shift := f.scale(entries)
		var ours, theirs moments
		for i := range entries {
			for j := range i {
				ours.add(float64(search.Alike(entries[i].Vector, entries[j].Vector)))
				theirs.add(float64(scale*search.Alike(f.now[entries[i].Key], f.now[entries[j].Key]) + shift))
			}
		}
		if math.Abs(ours.middle()-theirs.middle()) > 0.05 || math.Abs(ours.wide()-theirs.wide()) > 0.05 {
			t.Errorf("leaning by %v: about %.2f, %.2f wide; the lexicon %.2f, %.2f", lean, theirs.middle(), theirs.wide(), ours.middle(), ours.wide())
		}
	}
}

// What was made before a failure is kept, and vectors that do not fit are none.
func TestWhatCameBeforeAFailureIsKept(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "sub", "vectors")
	down := errors.New("down")
	asked := 0
	made, err := Fill(file, "m", texts(), 4, func(list []string) (out [][]float32, err error) {
		if asked++; asked > 2 {
			return nil, down
		}
		for _, text := range list {
			out = append(out, vector(text, 0))
		}
		return out, nil
	})
	kept := search.OpenKept(file, "m")
	defer kept.Close()
	if made != 8 || !errors.Is(err, down) || kept.Count() != 8 {
		t.Errorf("made %d, %v, kept %d", made, err, kept.Count())
	}
	for _, bad := range [][][]float32{{{1}}, {{1, 2}, {1, 2, 3}, {1}, {2}}} {
		if _, err := Fill(filepath.Join(t.TempDir(), "v"), "m", texts()[:4], 4, func([]string) ([][]float32, error) { return bad, nil }); err == nil {
			t.Errorf("%v are vectors of four texts", bad)
		}
	}
	if k := search.OpenKept(file, "other"); k != nil {
		t.Error("vectors of another model are taken for its own")
	}
}
