package memory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/chosen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/fill"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The model that was chosen is opened; without a choice there is none, and one that is there no
// more is named. What is no choice is an error, and chooses nothing.
func TestTheChosenModelIsOpened(t *testing.T) {
	t.Parallel()
	s := modelStore(t)
	if _, err := s.Add("model2vec/testdata/unigram", "small", "", ""); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]struct {
		opens bool
		err   string
	}{
		"":                  {},
		`{"name": "small"}`: {opens: true},
		`{"url": "http://localhost:11434/v1", "model": "m"}`: {},
		`{"name": "gone"}`: {err: `the model "gone" is not there any more`},
		`{"name": "../x"}`: {err: `no model can be called "../x"`},
		`{`:                {err: "reading which model was chosen"},
	} {
		t.Run(file, func(t *testing.T) {
			must.Do(t, os.RemoveAll(chosen.File(s.Data)))
			if file != "" {
				must.Write(t, chosen.File(s.Data), file)
			}
			c, err := chosen.Read(s.Data)
			if err != nil && c != (chosen.Choice{}) {
				t.Errorf("chosen is %+v", c)
			}
			m, opened := c.Open(s.Data)
			if err == nil {
				err = opened
			}
			if (m != nil) != want.opens || (err == nil) != (want.err == "") || err != nil && !strings.Contains(err.Error(), want.err) {
				t.Errorf("%v, %v", m != nil, err)
			}
			if m != nil {
				m.Close()
			}
		})
	}
}

// A query is compared by a model where that has made vectors of a folder, of as many numbers as
// its own, and knows something in the query.
func TestAQueryIsComparedWithWhatAModelMade(t *testing.T) {
	t.Parallel()
	s := modelStore(t)
	if _, err := s.Add("model2vec/testdata/wordpiece", "small", "", ""); err != nil {
		t.Fatal(err)
	}
	m, err := chosen.Choice{Name: "small"}.Open(s.Data)
	must.Do(t, err)
	defer m.Close()
	has, none, short := search.Folder{Dir: t.TempDir()}, search.Folder{Dir: t.TempDir()}, search.Folder{Dir: t.TempDir()}
	one := []search.Entry{{Key: search.Key("x"), Text: "the database server"}}
	for _, made := range []struct {
		at     search.Folder
		vector []float32
	}{{has, m.Vector("the database server")}, {short, []float32{1, 2}}} {
		_, err := fill.Fill(chosen.Kept(made.at, chosen.KeptName(m.ID)), m.ID, one, 1, func([]string) ([][]float32, error) { return [][]float32{made.vector}, nil })
		must.Do(t, err)
	}
	for name, c := range map[string]struct {
		query string
		at    search.Folder
		want  bool
	}{
		"as it is":                    {"the database server", has, true},
		"it knows nothing in it":      {"", has, false},
		"nothing was made":            {"the database server", none, false},
		"they have another dimension": {"the database server", short, false},
	} {
		t.Run(name, func(t *testing.T) {
			v := chosen.Vectors(m, c.query)(c.at)
			if (v != nil) != c.want {
				t.Fatalf("%+v", v)
			}
			if v != nil {
				if v.Kept.Of(one[0].Key) == nil || len(v.Query) != v.Kept.Dims() {
					t.Errorf("%+v", v)
				}
				v.Kept.Close()
			}
		})
	}
}

// Vectors of a memory of one's own are in its folder, or in the cache if they are there; those of a
// project are in the cache alone.
func TestWhereVectorsAreKept(t *testing.T) {
	t.Parallel()
	dir, cache := t.TempDir(), t.TempDir()
	within := beneath.At(dir)
	name := chosen.KeptName("ab")
	own := search.Folder{Dir: dir, Cache: cache}
	_, beside := own.Derived(name)
	check := func(what string, at search.Folder, want string) {
		t.Helper()
		if got := chosen.Kept(at, name); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	check("without a cache", search.Folder{Dir: dir}, filepath.Join(dir, name))
	check("not in the cache", own, filepath.Join(dir, name))
	check("a project's", search.Folder{Dir: dir, Cache: cache, Within: within}, beside)
	check("a project's, without a cache", search.Folder{Dir: dir, Within: within}, "")
	must.Write(t, beside, "")
	check("in the cache", own, beside)
	check("in the cache of a project", search.Folder{Dir: dir, Cache: cache, Within: within}, beside)
}

// An endpoint that was late is left alone for a minute, by prompts for ten if it was too late for
// one, and is worth a prompt's time only if it has made vectors.
// BM-FND-12, BM-MDL-09.
func TestALateEndpointRests(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		late, slow               time.Duration // how long ago; 0: never
		rests, promptRests, made bool
	}{
		"never asked":           {made: true},
		"it made none":          {},
		"late now":              {late: time.Second, rests: true, promptRests: true, made: true},
		"late a while ago":      {late: chosen.Rest + time.Second, made: true},
		"slow a minute ago":     {slow: chosen.Rest + time.Second, promptRests: true, made: true},
		"slow a while ago":      {slow: chosen.SlowRest + time.Second, made: true},
		"slow now, none made":   {slow: time.Second, promptRests: true},
		"slow now, late before": {slow: time.Second, late: chosen.Rest + time.Second, promptRests: true, made: true},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), chosen.EndpointKept)
			if c.made {
				must.Write(t, file, "")
			}
			for mark, ago := range map[string]time.Duration{chosen.Late(file): c.late, chosen.Slow(file): c.slow} {
				if ago > 0 {
					must.Write(t, mark, "")
					must.Do(t, os.Chtimes(mark, time.Time{}, time.Now().Add(-ago)))
				}
			}
			if got := chosen.Resting(file, false); got != c.rests {
				t.Errorf("it rests: %v", got)
			}
			if got := chosen.Resting(file, true); got != c.promptRests {
				t.Errorf("for prompts: %v", got)
			}
			if got := chosen.Ready(file); got != (c.made && !c.promptRests) {
				t.Errorf("ready: %v", got)
			}
		})
	}
}
