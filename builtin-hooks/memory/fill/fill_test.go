package fill

import (
	"cmp"
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

// Too few pairs tell nothing of a model, nor does one to which all texts are the same: its
// cosines stay as they are.
func TestWhatTellsNothingScalesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		entries []search.Entry
		text    string // what the model takes every text for; "": for what it is
	}{"six pairs": {entries: texts()[:4]}, "all the same": {entries: texts(), text: "x"}} {
		t.Run(name, func(t *testing.T) {
			f := filling{now: map[uint64][]byte{}, ask: func(list []string) (out [][]float32, err error) {
				for _, text := range list {
					out = append(out, vector(cmp.Or(c.text, text), 0))
				}
				return out, nil
			}}
			must.Do(t, f.part(c.entries))
			if scale, shift := f.scale(c.entries); scale != 1 || shift != 0 {
				t.Errorf("times %v, and %v", scale, shift)
			}
		})
	}
}

// A model is asked for what has no vector yet, and for one text that it answered before: if that
// has another vector now, all are made anew. What is there no more goes, also where as much came.
func TestFillAsksForWhatIsNew(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "vectors")
	all, model := texts(), "one"
	var asked []string
	ask := func(list []string) (out [][]float32, err error) {
		if len(list) == 0 {
			return nil, errors.New("asked for nothing")
		}
		asked = append(asked, list...)
		for _, text := range list {
			out = append(out, vector(model+text, 0))
		}
		return out, nil
	}
	for _, c := range []struct {
		what, model string
		entries     []search.Entry
		made        int
		asked       int // for the text that tells models apart, too
	}{
		{"at first, and one twice", "one", append(all[:6:6], all[5]), 6, 6},
		{"again", "one", all[:6], 0, 0},
		{"one for one", "one", append(all[:5:5], all[6]), 1, 2},
		{"one less", "one", all[:5], 0, 0},
		{"another model, and nothing new", "other", all[:5], 0, 0},
		{"another model", "other", all[:6], 6, 7},
	} {
		model, asked = c.model, nil
		made, err := Fill(file, "m", c.entries, 4, ask)
		kept := search.OpenKept(file, "m")
		has := map[uint64]bool{}
		for _, e := range c.entries {
			if has[e.Key] = true; kept.Of(e.Key) == nil {
				t.Errorf("%s: %q has none", c.what, e.Text)
			}
		}
		if made != c.made || err != nil || len(asked) != c.asked || kept.Count() != len(has) {
			t.Errorf("%s: made %d, %v; asked for %q; %d are kept", c.what, made, err, asked, kept.Count())
		}
		kept.Close()
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
	for want, bad := range map[string][][]float32{
		"4 texts have 1 vectors":                         {{1}},
		"a vector of 3 numbers, and those before have 2": {{1, 2}, {1, 2, 3}, {1}, {2}},
	} {
		if _, err := Fill(filepath.Join(t.TempDir(), "v"), "m", texts()[:4], 4, func([]string) ([][]float32, error) { return bad, nil }); err == nil || err.Error() != want {
			t.Errorf("%v are vectors of four texts: %v, want %s", bad, err, want)
		}
	}
	if k := search.OpenKept(file, "other"); k != nil {
		t.Error("vectors of another model are taken for its own")
	}
}
