package search

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A store is a folder with files of facts, one on each line: id, a tab, the content,
// and its snapshot, which is written every other time.
type store struct {
	*testing.T
	dir    string
	s      *Snapshot
	rounds int
}

func newStore(t *testing.T) *store { return &store{T: t, dir: t.TempDir()} }

func readLines(part []byte) (out []Doc) {
	for line := range strings.Lines(string(part)) {
		id, content, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		d := Doc{ID: id, Kind: "fact", Type: "W", Content: content, Confidence: 0.9, Time: day}
		if text, old, ok := strings.Cut(content, " <- "); ok {
			d.Content, d.Replaces = text, strings.Fields(old)
		}
		out = append(out, d)
	}
	return out
}

func (s *store) write(name, text string) {
	s.Helper()
	must.Write(s, filepath.Join(s.dir, name), text)
}

func (s *store) sync() {
	s.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "*.txt"))
	if err != nil {
		s.Fatal(err)
	}
	var sources []Source
	for _, f := range files {
		sources = append(sources, Source{Name: filepath.Base(f), Path: f, Lines: true, Read: readLines})
	}
	path := filepath.Join(s.dir, SnapshotFile)
	l := lexiconOf(s, filepath.Join(s.dir, "cache"))
	if s.s, err = Open(path, l); err != nil {
		s.s = New(path, l)
	}
	s.Cleanup(s.s.Close)
	must.Do(s, s.s.Refresh(sources, time.Now(), 0))
	if s.rounds++; s.rounds%2 == 1 {
		must.Do(s, s.s.Write())
	}
}

func (s *store) ask(q Query) (strong []string) {
	s.Helper()
	for _, h := range Search(s.s, q) {
		if h.Score <= 0 || h.Score > 1 {
			s.Errorf("%s has score %v", h.ID, h.Score)
		}
		if !h.Weak {
			strong = append(strong, h.ID)
		}
	}
	return strong
}

// want is what is found for sure, the best first.
func (s *store) want(query string, ids ...string) {
	s.Helper()
	if got := s.ask(Query{Text: query, Max: 5}); !slices.Equal(got, ids) {
		s.Errorf("%q: found %v, want %v", query, got, ids)
	}
}

const facts = "f1\t订单数据库使用 PostgreSQL 16，连接池上限 40\n" +
	"f2\tThe parser lives in parseFrontMatter and reads HOOK.md\n" +
	"f3\tWe build the engine in C++20 and the plugins in C#\n" +
	"f4\tUse node.js 22 for the scripts\n" +
	"f5\t用户偏好：提交信息写英文，缩进用四个空格\n" +
	"f6\tmax_open_conns is 25 in production\n"

// One and two characters of Chinese are found inside a longer run, parts of
// identifiers as well; and no sign in a query is an operator.
// BM-FND-01, BM-FND-02.
func TestShortChineseIdentifiersAndSigns(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.write("a.txt", facts)
	for range 2 {
		s.sync()
		for query, id := range map[string]string{
			"偏": "f5", "偏好": "f5", "缩进": "f5", "订单": "f1", "连接池": "f1", "front matter": "f2", "parseFrontMatter": "f2",
			"open_conns": "f6", "maxOpenConns": "f6", "ＰｏｓｔｇｒｅＳＱＬ": "f1",
			"C++": "f3", "c#": "f3", "node.js": "f4", `"unbalanced parser`: "f2", "parser*": "f2", "-parser": "f2", "NEAR(parser": "f2",
			"parser AND": "f2", "text:parser": "f2", "(parser)": "f2", "parser'; DROP TABLE docs": "f2",
		} {
			t.Run(query, func(t *testing.T) {
				if got := Search(s.s, Query{Text: query, Max: 5}); len(got) == 0 || got[0].ID != id {
					t.Errorf("found %v, want %s first", got, id)
				}
			})
		}
		for _, query := range []string{"", " ", "*", `"`, "-", "???", "\x00", "的", "the"} {
			s.ask(Query{Text: query, Max: 5})
		}
		s.want("kubernetes ingress controller")
	}
}

// A word with a slip finds what was meant, and one that is right finds nothing else.
// BM-FND-03.
func TestSlips(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.write("a.txt", facts+"f7\tGrafana dashboards are provisioned by Terraform\n")
	s.sync()
	for _, query := range []string{"garfana", "grafna dashbords", "terrafrom", "dashbaords terraform", "Grafanna"} {
		s.want(query, "f7")
	}
	for a, want := range map[string]int{"kitten": 0, "kiten": 1, "iktten": 1, "kittens": 1, "sitting": 3} {
		t.Run(a, func(t *testing.T) {
			if d := (&ruler{as: "kitten"}).distance(a, 3); d != want {
				t.Errorf("%s is %d from kitten, want %d", a, d, want)
			}
		})
	}
	if (&ruler{as: "uvwxyz"}).distance("abcdef", 2) != 3 {
		t.Error("more than the most is told in full")
	}
}

// What was saved is found at once, also in the second of the last look.
// BM-HND-04.
func TestFoundAtOnce(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	text := "a\tthe first deadline is Monday\n"
	s.write("a.txt", text)
	s.sync()
	for _, word := range []string{"zeppelin", "okapi", "quince"} {
		text += word + "\tsomething about the " + word + "\n"
		s.write("a.txt", text)
		s.sync()
		s.want(word, word)
	}
}

// Searches follow the files, whatever was done to them, and a snapshot made anew
// finds the same.
// BM-HND-04.
func TestFollowsTheFiles(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		then  string
		query string
		want  []string
	}{
		"truncated, then longer":       {"z\tzebra crossing rules\n", "zebra crossing", []string{"z"}},
		"a part is gone":               {strings.Replace(facts, "f4\tUse node.js 22 for the scripts\n", "", 1), "node.js scripts", nil},
		"edited in place":              {strings.Replace(facts, "node.js 22", "node.js 24", 1), "node.js 24", []string{"f4"}},
		"edited, same size, same time": {strings.Replace(facts, "production", "preproduct", 1), "preproduct", []string{"f6"}},
		"emptied":                      {"", "node.js", nil},
		"a damaged line":               {"garbage\n" + facts, "node.js scripts", []string{"f4"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			s.write("a.txt", facts)
			info, err := os.Stat(filepath.Join(s.dir, "a.txt"))
			if err != nil {
				t.Fatal(err)
			}
			s.sync()
			s.write("a.txt", tc.then)
			must.Do(t, os.Chtimes(filepath.Join(s.dir, "a.txt"), info.ModTime(), info.ModTime()))
			s.sync()
			s.want(tc.query, tc.want...)
			got := fmt.Sprint(Search(s.s, Query{Text: "parser production", Max: 9}))
			must.Do(t, os.Remove(s.s.path))
			s.sync()
			if again := fmt.Sprint(Search(s.s, Query{Text: "parser production", Max: 9})); again != got {
				t.Errorf("made anew it finds %v, before %v", again, got)
			}
		})
	}
}

// BM-HND-04.
func TestFileGone(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.write("a.txt", facts)
	s.write("b.txt", "b\tzebra crossing\n")
	s.sync()
	s.want("zebra crossing", "b")
	must.Do(t, os.Remove(filepath.Join(s.dir, "b.txt")))
	for range 2 {
		s.sync()
		s.want("zebra crossing")
	}
}

// A later line with the same id replaces the earlier one, in the same words too, and a fact that says
// which one it stands for hides that.
// BM-FND-08.
func TestReplacedIsHidden(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.write("a.txt", "a\tdeploy on Monday\nb\tdeploy on Thursday <- a\nc\trelease is blue\nc\trelease is green\nd\tgate is red\nd\tgate is red\n")
	for range 2 {
		s.sync()
		s.want("deploy", "b")
		if got := s.ask(Query{Text: "deploy", Max: 5, Replaced: true}); len(got) != 2 {
			t.Errorf("with replaced ones: %v", got)
		}
		for _, h := range Search(s.s, Query{Text: "deploy on Monday", Max: 5, Replaced: true}) { // of which a says more
			if by := map[string]string{"a": "b"}[h.ID]; h.ReplacedBy != by || by != "" && h.Sure {
				t.Errorf("%s is replaced by %q, sure: %t", h.ID, h.ReplacedBy, h.Sure)
			}
		}
		s.want("release blue", "c")
		if n := s.s.Count(); n != 4 {
			t.Errorf("%d entries: d is there twice, as a merge leaves it", n)
		}
	}
}

// Filters, and what age, ranks and diversity do to the order.
// BM-FND-09.
func TestQueryFilters(t *testing.T) {
	t.Parallel()
	before := func(n int) time.Time { return day.AddDate(0, 0, -n) }
	s := &store{T: t, s: snapshotOf(t, []Doc{
		{ID: "new", Kind: "fact", Type: "W", Content: "redis cache holds sessions", Time: before(1), Entities: []string{"Redis"}},
		{ID: "old", Kind: "fact", Type: "O", Content: "redis cache holds sessions for a day", Time: before(60)},
		{ID: "stage", Kind: "fact", Type: "S", Content: "redis cache work is half done", Time: before(1)},
		{ID: "core-0", Kind: "core", Content: "redis cache rules"},
	}, lexiconOf(t, t.TempDir()))}
	base := Query{Text: "redis cache", Max: 5, Now: day}
	for name, tc := range map[string]struct {
		change func(*Query)
		want   string
	}{
		"stages are hidden": {func(q *Query) {}, "core-0 new old"},
		"stages":            {func(q *Query) { q.Stages = true }, "core-0 new old stage"},
		"type":              {func(q *Query) { q.Types = []string{"O"} }, "old"},
		"from":              {func(q *Query) { q.From = before(7) }, "new"},
		"to":                {func(q *Query) { q.To = before(7) }, "old"},
		"entity":            {func(q *Query) { q.Entities = []string{"redis"} }, "new"},
		"words alone":       {func(q *Query) { q.Method = Text }, "core-0 new old"},
		"meaning alone":     {func(q *Query) { q.Method = Vector }, "core-0 new old"},
		"max":               {func(q *Query) { q.Max = 1 }, "core-0"},
		"ranks":             {func(q *Query) { q.Ranks = true }, "core-0 new old"},
		"diverse":           {func(q *Query) { q.Diverse = true }, "core-0 new old"},
	} {
		t.Run(name, func(t *testing.T) {
			q := base
			tc.change(&q)
			got := s.ask(q)
			slices.Sort(got)
			if strings.Join(got, " ") != tc.want {
				t.Errorf("%s: %v, want %s", name, got, tc.want)
			}
		})
	}
	aged := base
	aged.HalfLife, aged.Text = 24*time.Hour, "redis cache sessions day"
	if got := s.ask(aged); slices.Index(got, "old") < slices.Index(got, "new") {
		t.Errorf("an old memory stands above a new one: %v", got)
	}
}

// What fits badly is given and marked, behind what fits; without a lexicon there
// are words.
// BM-FND-06, BM-FND-07, BM-FND-10.
func TestWeakHitsComeLast(t *testing.T) {
	t.Parallel()
	docs := []Doc{
		{ID: "port", Kind: "fact", Content: "Staging listens on port 8443"},
		{ID: "mail", Kind: "fact", Content: "Mail goes out through port 587 of the relay"},
		{ID: "plants", Kind: "fact", Content: "The office plants are watered on Fridays"},
	}
	for _, s := range []*Snapshot{snapshotOf(t, docs, lexiconOf(t, t.TempDir())), snapshotOf(t, docs, nil)} {
		hits := Search(s, Query{Text: "which port does staging listen on", Max: 5})
		if len(hits) < 2 || hits[0].ID != "port" || hits[0].Weak || hits[1].ID != "mail" || !hits[1].Weak {
			t.Errorf("%+v", hits)
		}
		hits = Search(s, Query{Text: "port of the satellite uplink in Nairobi", Max: 5})
		if len(hits) == 0 || !hits[0].Weak {
			t.Errorf("nothing answers: %+v", hits)
		}
	}
}

// TestAFileThatIsWrittenAnewMakesOnlyItsChangesNew marks one line of a day as seen once more, as a
// save of what is known does: nothing is made anew for that, and searches say the same.
func TestAFileThatIsWrittenAnewMakesOnlyItsChangesNew(t *testing.T) {
	st := newStore(t)
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("id-%d\tThe pool of service%d has %d connections", i, i, i*3))
	}
	rewrite := func() { st.write("day.txt", strings.Join(lines, "\n")+"\n") }
	rewrite()
	st.sync() // writes the snapshot's file
	for _, c := range []struct {
		what         string
		change       func()
		fresh, count int // entries that the file lacks or has in excess, and all
	}{
		{"a mark on a line", func() { lines[7] += " " }, 0, 60},
		{"another content", func() { lines[8] = "id-8\tThe pool of service8 is gone" }, 2, 60},
		{"a line less", func() { lines = slices.Delete(lines, 20, 21) }, 3, 59},
		{"one in front of all", func() { lines = append([]string{"id-new\tThe queue of service9 is durable"}, lines...) }, 4, 60},
		{"in another order", func() { slices.Reverse(lines) }, 4, 60},
	} {
		t.Run(c.what, func(t *testing.T) {
			c.change()
			rewrite()
			st.rounds = 1 // the snapshot's file stays
			st.sync()
			if st.s.new != c.fresh || st.s.count != c.count {
				t.Errorf("%d entries are new and %d there, want %d and %d", st.s.new, st.s.count, c.fresh, c.count)
			}
			anew := New(filepath.Join(t.TempDir(), SnapshotFile), st.s.lexicon)
			must.Do(t, anew.Refresh([]Source{{Name: "day.txt", Path: filepath.Join(st.dir, "day.txt"), Lines: true, Read: readLines}}, time.Now(), 0))
			for _, q := range []string{"connections of service12", "which pool is gone", "is the queue durable"} {
				want, got := Search(anew, Query{Text: q, Max: 3}), Search(st.s, Query{Text: q, Max: 3})
				if len(want) != len(got) || want[0].ID != got[0].ID || want[0].Score != got[0].Score {
					t.Errorf("%q finds %v, made anew %v", q, got, want)
				}
			}
			must.Do(t, st.s.keepRecent())
		})
	}
}
