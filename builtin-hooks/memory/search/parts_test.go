package search

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A file counts as read if that very file was: not one of its name in another folder, nor one that
// is outside of what may be read.
func TestAFileIsTheOneThatWasRead(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	old := time.Now().Add(-time.Hour)
	for path, text := range map[string]string{filepath.Join(one, "f"): "1", filepath.Join(two, "f"): "22", filepath.Join(one, "g"): "333"} {
		must.Write(t, path, text)
		must.Do(t, os.Chtimes(path, old, old))
	}
	seen := func(size int64) Seen { return Seen{Size: size, MTime: old.UnixNano(), At: time.Now().UnixNano()} }
	var look glance
	defer look.close()
	for _, c := range []struct {
		what string
		path string
		in   *beneath.Root
		size int64
		same bool
	}{
		{"it", filepath.Join(one, "f"), nil, 1, true},
		{"another in the same folder", filepath.Join(one, "g"), nil, 3, true},
		{"grown", filepath.Join(one, "g"), nil, 2, false},
		{"of another folder", filepath.Join(two, "f"), nil, 2, true},
		{"of another folder, as the first was", filepath.Join(one, "f"), nil, 2, false},
		{"below what may be read", filepath.Join(one, "f"), beneath.At(one), 1, true},
		{"outside of that", filepath.Join(one, "f"), beneath.At(two), 1, false},
		{"gone", filepath.Join(one, "h"), nil, 0, false},
	} {
		same := c.same && runtime.GOOS != "windows" // which tells nothing at a glance
		if got := look.same(Source{Path: c.path, In: c.in}, seen(c.size)); got != same {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	young := seen(1)
	young.At = old.Add(settle).UnixNano()
	if look.same(Source{Path: filepath.Join(one, "f")}, young) {
		t.Error("one that was read as soon as it was written may have been written again")
	}
}

// A model's vectors are read as they were written, be it one of one number; a file of another
// model, of none, or of another length is none.
// BM-MDL-07.
func TestVectorsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	pack := func(numbers ...float32) []byte { return Pack(numbers) }
	one := map[uint64][]byte{Key("a"): pack(1)}
	three := map[uint64][]byte{Key("a"): pack(1, 2), Key("b"): pack(3, 4), Key("c"): pack(-1, 0)}
	whole := func(v map[uint64][]byte) []byte { return KeptFile("m", v, 1, 0) }
	for name, c := range map[string]struct {
		file []byte
		want map[uint64][]byte
		dims int
	}{
		"one":              {whole(one), one, 1},
		"three":            {whole(three), three, 2},
		"none":             {whole(nil), nil, 0},
		"of another model": {KeptFile("n", three, 1, 0), nil, 0},
		"of a longer name": {KeptFile("mm", three, 1, 0), nil, 0},
		"cut":              {whole(three)[:len(whole(three))-1], nil, 0},
		"longer":           {append(whole(three), 0), nil, 0},
		"a head alone":     {whole(three)[:keptHead], nil, 0},
		"head and name":    {whole(three)[:keptHead+1], nil, 0},
		"half a head":      {whole(three)[:keptHead-1], nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "kept")
			must.Write(t, path, string(c.file))
			k := OpenKept(path, "m")
			defer k.Close()
			if k.Count() != len(c.want) || (k == nil) != (c.want == nil) {
				t.Fatalf("%d of %d", k.Count(), len(c.want))
			}
			for key, v := range c.want {
				if !slices.Equal(k.Of(key), v) || k.Dims() != c.dims || k.Of(key+1) != nil {
					t.Errorf("%v of %d numbers, want %v; beside it %v", k.Of(key), k.Dims(), v, k.Of(key+1))
				}
			}
		})
	}
}

// A run of characters is cut where words of the lexicon end: of two that overlap, the one that
// more certainly means a word of English is taken.
func TestARunIsCutIntoWords(t *testing.T) {
	t.Parallel()
	l := lexiconOf(t, t.TempDir())
	s := &Sense{lexicon: l, words: New("", l), made: map[string]wordVector{}}
	for _, want := range []string{"校验 算法 是", "高德 返回 的 是", "对账 文件 必须 是", "中心 的", "前端 表格 一律 用", "", "的"} {
		t.Run(want, func(t *testing.T) {
			if got := strings.Join(s.Cut(strings.ReplaceAll(want, " ", "")), " "); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// What an entry says of a query by words is all of it if it has each word and is no longer than
// usual; less, the longer it is; more, the more often it has a word; and a part if it has a part.
// BM-FND-04.
func TestWhatAnEntrySaysOfAQuery(t *testing.T) {
	t.Parallel()
	filler := strings.Fields("amber birch cedar dusk ember fjord grove heath islet jetty knoll lagoon marsh nook orchard pond quarry ridge shore tarn")
	long := strings.Join(filler, " ")
	docs := []Doc{
		{ID: "short", Content: "zeppelin hangar"},
		{ID: "usual", Content: "zeppelin hangar " + strings.Join(filler[:8], " ")},
		{ID: "long", Content: "zeppelin hangar " + long},
		{ID: "often", Content: "zeppelin hangar zeppelin hangar " + strings.Join(filler[:18], " ")},
		{ID: "half", Content: "zeppelin"},
		{ID: "none", Content: strings.Join(filler[:9], " ")},
	}
	for i := range docs {
		docs[i].Kind = "fact"
	}
	s := snapshotOf(t, docs, nil)
	w := &search{of: s, q: Query{Text: "zeppelin hangar", Max: 9}, aims: s.aims("zeppelin hangar"), said: newMarks(s.base.docs + len(s.fresh))}
	w.byWords()
	said := map[string]float32{}
	for _, c := range w.found {
		said[s.Entry(int(c.n)).ID] = c.text
	}
	if _, none := said["none"]; none || said["short"] < 0.999 || said["usual"] < 0.999 || said["short"] > 1.001 {
		t.Errorf("%v", said)
	}
	if !(said["long"] > 0.5 && said["long"] < said["often"] && said["often"] <= 1 && said["half"] > 0.2 && said["half"] < 0.6) {
		t.Errorf("%v", said)
	}
}

// A question is about its words, of Chinese in pairs of characters: a single one counts where it
// stands alone, or is of the trade.
func TestWhatAQuestionIsAbout(t *testing.T) {
	t.Parallel()
	s := New("", nil)
	for query, want := range map[string]string{
		"数据库":                      "数据 据库 库",
		"火锅店":                      "火锅 锅店",
		"茶":                        "茶",
		"is the zeppelin":          "zeppelin",
		"zeppelin zeppelin hangar": "zeppelin hangar",
		"the":                      "the",
		"":                         "",
	} {
		t.Run(query, func(t *testing.T) {
			var got []string
			for _, a := range s.aims(query) {
				got = append(got, a.word)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// A fact that alone has a name of the text's is near though no search finds it, in a long text
// beside many short ones: but only three of them are, those that were saved last.
// BM-TRU-23.
func TestANameIsNearThoughNoSearchFindsIt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The invoice generator rounds amounts, masks names, prints labels for parcels and mails the archive to its readers. ", 6)
	names := []string{"kestrelbox", "plumgate", "quollhaven", "brindleford", "wrenfold"}
	var texts []string
	for _, name := range names {
		texts = append(texts, long+name)
	}
	for i := range 24 {
		texts = append(texts, fmt.Sprintf("The weekly deploy of billing is %d", i))
	}
	for i := range 150 {
		texts = append(texts, fmt.Sprintf("The heron of lake %d nests in reeds", i))
	}
	var docs []Doc
	for i, text := range texts {
		docs = append(docs, Doc{ID: fmt.Sprint(i), Kind: "fact", Type: "W", Content: text})
	}
	s := snapshotOf(t, docs, lexiconOf(t, t.TempDir()))
	var weak, found []string
	for _, n := range s.neighbours(strings.Join(names, " ")+": the weekly deploy of billing", "", day) {
		if n.Weak {
			weak = append(weak, strings.TrimPrefix(n.Content, long))
		}
		if n.Score > 0 {
			found = append(found, n.Content)
		}
	}
	if !slices.Equal(weak, []string{"wrenfold", "brindleford", "quollhaven"}) || len(found) != akinMost || slices.ContainsFunc(found, func(text string) bool { return !strings.HasPrefix(text, "The weekly") }) {
		t.Errorf("near by a name are %q; found are %q", weak, found)
	}
}

// The words that the fewest memories have are looked up first: a common one that was asked first
// does not lead to thousands before them.
func TestRareWordsAreLookedUpFirst(t *testing.T) {
	t.Parallel()
	at := folder(t, 60)
	savedIn(t, at, "2026-11-21.jsonl", 0, 30)
	if _, err := at.Keep(time.Now(), 0); err != nil {
		t.Fatal(err)
	}
	s := opened(t, at)
	w := &search{of: s, aims: s.aims("which zeppelin is in hangar 21")}
	var words []string
	var rows []int
	for _, a := range w.rarestFirst() {
		words, rows = append(words, a.word), append(rows, a.rows)
	}
	if len(words) != 3 || words[0] != "21" || !slices.IsSorted(rows) || rows[2] < 10*rows[0] {
		t.Errorf("%q, in %d memories", words, rows)
	}
}

// Of many entries so many are compared closely as were asked for, and none that was left out has a
// sketch more like the query's; few entries are all compared.
// BM-FND-04.
func TestTheNearestSketchesAreCompared(t *testing.T) {
	t.Parallel()
	at := folder(t, 150)
	savedIn(t, at, "2026-11-21.jsonl", 0, 10)
	s := opened(t, at)
	r := s.nearness(s.meaning(s.about("connection pool of the orders database")), nil)
	all := s.base.docs + len(s.fresh)
	for _, most := range []int{1, 20, 100, all, 2 * all} {
		chosen := r.best(most)
		if len(chosen) != min(most, all) {
			t.Fatalf("%d of at most %d", len(chosen), most)
		}
		worst, left := 1<<8, 0
		for n := range all {
			if alike := r.sketch.alike(s.sketch(n)); slices.Contains(chosen, int32(n)) {
				worst = min(worst, alike)
			} else {
				left = max(left, alike)
			}
		}
		if worst < left {
			t.Errorf("of at most %d: one with %d equal signs, and not one with %d", most, worst, left)
		}
	}
}
