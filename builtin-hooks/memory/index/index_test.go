package index

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
)

var now = time.Date(2026, 11, 21, 4, 5, 6, 0, time.UTC)

// A store is a folder with one file of facts, one on each line: id, a tab, the
// content.
type store struct {
	*testing.T
	dir  string
	x    *Index
	snap *find.Snapshot

	rounds int
}

func newStore(t *testing.T, e Embedder) *store {
	t.Helper()
	s := &store{T: t, dir: t.TempDir()}
	s.reopen(e)
	return s
}

func (s *store) reopen(e Embedder) {
	s.Helper()
	if s.x != nil {
		s.x.Close()
	}
	x, err := Open(filepath.Join(s.dir, "a b#%", FileName), e)
	if err != nil {
		s.Fatal(err)
	}
	s.x = x
	s.Cleanup(func() { x.Close() })
}

func readLines(part []byte) []Doc {
	var out []Doc
	for line := range strings.Lines(string(part)) {
		id, content, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		d := Doc{ID: id, Kind: "fact", Type: "W", Content: content, Confidence: 0.9, Time: now.Add(-time.Hour)}
		if old, rest, ok := strings.Cut(content, " <- "); ok {
			d.Content, d.Replaces = old, strings.Fields(rest)
		}
		out = append(out, d)
	}
	return out
}

func (s *store) write(name, text string) {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
}

func (s *store) append(name, text string) {
	s.Helper()
	f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		s.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		s.Fatal(err)
	}
}

func (s *store) sync(at time.Time) Change {
	s.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "*.txt"))
	if err != nil {
		s.Fatal(err)
	}
	var sources []Source
	for _, f := range files {
		sources = append(sources, Source{Name: filepath.Base(f), Path: f, Lines: true, Read: readLines})
	}
	c, err := s.x.Sync(context.Background(), sources, at)
	if err != nil {
		s.Fatal(err)
	}
	s.follow(sources, at)
	return c
}

// follow keeps a snapshot in step: read anew, with what changed over it, and
// every other time written anew.
func (s *store) follow(sources []Source, at time.Time) {
	s.Helper()
	path := filepath.Join(s.dir, find.SnapshotFile)
	snap, err := find.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		snap, err = find.New(path), nil
	}
	if err == nil {
		s.Cleanup(snap.Close)
		err = snap.Refresh(sources, at, 0)
	}
	if err != nil {
		s.Fatal(err)
	}
	s.snap = snap
	if s.rounds++; s.rounds%2 == 1 {
		if err := snap.Write(); err != nil {
			s.Fatal(err)
		}
	}
}

func (s *store) find(query string) []string { return s.ask(Query{Text: query, Max: 5}) }

func (s *store) ask(q Query) []string {
	s.Helper()
	hits, err := s.x.Search(context.Background(), q)
	if err != nil {
		s.Fatal(err)
	}
	var out []string
	s.same(q, hits)
	for _, h := range hits {
		if h.Score <= 0 || h.Score > 1 {
			s.Errorf("%s has score %v", h.ID, h.Score)
		}
		out = append(out, h.ID)
	}
	return out
}

// same reports that a search of the snapshot finds something else.
func (s *store) same(q Query, hits []Hit) {
	s.Helper()
	if s.snap == nil || s.x.embed != nil && s.x.embed != Embedder(Hash{}) {
		return
	}
	quick, err := find.Search(context.Background(), s.snap, s.x.embed, q)
	if err != nil {
		s.Fatal(err)
	}
	if !reflect.DeepEqual(rounded(quick), rounded(hits)) {
		s.Errorf("%+v:\nthe snapshot finds %+v\nthe index finds %+v", q, quick, hits)
	}
}

// rounded are hits without what their numbers are not: sums in another order.
func rounded(hits []Hit) (out []Hit) {
	for _, h := range hits {
		h.Score = math.Round(h.Score*1e9) / 1e9
		h.Replaces = nil // the index keeps them elsewhere
		out = append(out, h)
	}
	return out
}

func (s *store) want(query string, ids ...string) {
	s.Helper()
	if got := s.find(query); !slices.Equal(got, ids) {
		s.Errorf("%q: found %v, want %v", query, got, ids)
	}
}

const facts = "f1\t订单数据库使用 PostgreSQL 16，连接池上限 40\n" +
	"f2\tThe parser lives in parseFrontMatter and reads HOOK.md\n" +
	"f3\tWe build the engine in C++20 and the plugins in C#\n" +
	"f4\tUse node.js 22 for the scripts\n" +
	"f5\t用户偏好：提交信息写英文，缩进用四个空格\n" +
	"f6\tmax_open_conns is 25 in production\n"

// MEM-30: one and two characters of Chinese are found inside a longer run, and
// parts of identifiers as well.
func TestMEM30ShortChineseAndIdentifiers(t *testing.T) {
	t.Parallel()
	for _, e := range []Embedder{nil, Hash{}} {
		s := newStore(t, e)
		s.write("a.txt", facts)
		s.sync(now)
		for query, id := range map[string]string{
			"偏": "f5", "偏好": "f5", "缩进": "f5", "订单": "f1", "连接池": "f1", "front matter": "f2", "parseFrontMatter": "f2",
			"open_conns": "f6", "maxOpenConns": "f6", "ＰｏｓｔｇｒｅＳＱＬ": "f1",
		} {
			if got := s.find(query); len(got) == 0 || got[0] != id {
				t.Errorf("%q: found %v, want %s first (embedder %v)", query, got, id, e)
			}
		}
	}
}

// MEM-31: any query is safe, and finds what it can.
func TestMEM31AnyQueryIsSafe(t *testing.T) {
	t.Parallel()
	s := newStore(t, Hash{})
	s.write("a.txt", facts)
	s.sync(now)
	for query, id := range map[string]string{
		"C++": "f3", "c#": "f3", "node.js": "f4", `"unbalanced parser`: "f2", "parser*": "f2", "-parser": "f2", "NEAR(parser": "f2",
		"parser AND": "f2", "text:parser": "f2", "(parser)": "f2", "parser'; DROP TABLE docs": "f2",
	} {
		if got := s.find(query); len(got) == 0 || got[0] != id {
			t.Errorf("%q: found %v, want %s first", query, got, id)
		}
	}
	for _, query := range []string{"", " ", "*", `"`, "-", "???", "\x00", "的", "the"} {
		s.find(query)
	}
	s.want("kubernetes ingress controller")
}

// MEM-32: what was saved is found at once, also in the same second (defect 2).
func TestMEM32FoundAtOnce(t *testing.T) {
	t.Parallel()
	s := newStore(t, Hash{})
	s.append("a.txt", "a\tthe first deadline is Monday\n")
	s.sync(time.Now())
	s.append("a.txt", "b\tthe second deadline is Friday\n")
	if c := s.sync(time.Now()); c.Added != 1 || c.Removed != 0 {
		t.Errorf("%+v", c)
	}
	s.want("friday", "b")
	if c := s.sync(time.Now()); c != (Change{}) {
		t.Errorf("nothing changed, but %+v", c)
	}
}

// MEM-33: the index follows the files, whatever was done to them.
func TestMEM33FollowsTheFiles(t *testing.T) {
	t.Parallel()
	later := time.Now().Add(time.Hour)
	for name, tc := range map[string]struct {
		then  string
		query string
		want  []string
	}{
		"defect 1: truncated, then longer": {"z\tzebra crossing rules\n", "zebra", []string{"z"}},
		"defect 3: a part is gone":         {strings.Replace(facts, "f4\tUse node.js 22 for the scripts\n", "", 1), "node.js scripts", nil},
		"edited in place":                  {strings.Replace(facts, "node.js 22", "node.js 24", 1), "node.js 24", []string{"f4"}},
		"edited, same size, same time":     {strings.Replace(facts, "production", "preproduct", 1), "preproduct", []string{"f6"}},
		"emptied":                          {"", "node.js", nil},
		"a line that is not complete":      {facts + "half\tzebra", "zebra", nil},
		"a damaged line":                   {"garbage\n" + facts, "node.js scripts", []string{"f4"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t, Hash{})
			s.write("a.txt", facts)
			info, err := os.Stat(filepath.Join(s.dir, "a.txt"))
			if err != nil {
				t.Fatal(err)
			}
			s.sync(time.Now())
			s.write("a.txt", tc.then)
			if err := os.Chtimes(filepath.Join(s.dir, "a.txt"), info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
			s.sync(time.Now())
			s.want(tc.query, tc.want...)
			got := s.find("parser production")
			s.x.Close()
			if err := os.Remove(s.x.path); err != nil {
				t.Fatal(err)
			}
			s.x = nil
			s.reopen(Hash{})
			s.sync(later)
			if again := s.find("parser production"); !slices.Equal(again, got) {
				t.Errorf("rebuilt it finds %v, before %v", again, got)
			}
		})
	}
}

func TestFileGone(t *testing.T) {
	t.Parallel()
	s := newStore(t, Hash{})
	s.write("a.txt", facts)
	s.write("b.txt", "b\tzebra crossing\n")
	s.sync(now)
	s.want("zebra", "b")
	if err := os.Remove(filepath.Join(s.dir, "b.txt")); err != nil {
		t.Fatal(err)
	}
	if c := s.sync(now); c.Removed != 1 {
		t.Errorf("%+v", c)
	}
	s.want("zebra")
}

// A later line with the same id replaces the earlier one, and a fact that says
// which one it stands for hides that (MEM-25).
func TestReplaced(t *testing.T) {
	t.Parallel()
	s := newStore(t, Hash{})
	s.write("a.txt", "a\tdeploy on Monday\nb\tdeploy on Thursday <- a\nc\trelease is blue\nc\trelease is green\n")
	s.sync(now)
	s.want("deploy", "b")
	if got := s.ask(Query{Text: "deploy", Max: 5, Replaced: true}); len(got) != 2 {
		t.Errorf("with replaced ones: %v", got)
	}
	s.want("release blue", "c")
}

// Filters, and the order of fusion, age and diversity.
func TestQueryFilters(t *testing.T) {
	t.Parallel()
	s := newStore(t, Hash{})
	s.write("x.txt", "")
	day := func(n int) time.Time { return now.AddDate(0, 0, -n) }
	docs := []Doc{
		{ID: "new", Kind: "fact", Type: "W", Content: "redis cache holds sessions", Time: day(1), Entities: []string{"Redis"}},
		{ID: "old", Kind: "fact", Type: "O", Content: "redis cache holds sessions for a day", Time: day(60)},
		{ID: "stage", Kind: "fact", Type: "S", Content: "redis cache work is half done", Time: day(1)},
		{ID: "core-0", Kind: "core", Content: "redis cache rules"},
	}
	src := []Source{{Name: "all", Path: filepath.Join(s.dir, "x.txt"), Read: func([]byte) []Doc { return docs }}}
	if _, err := s.x.Sync(context.Background(), src, now); err != nil {
		t.Fatal(err)
	}
	base := Query{Text: "redis cache", Max: 5, Now: now}
	for name, tc := range map[string]struct {
		change func(*Query)
		want   string
	}{
		"stages are hidden": {func(q *Query) {}, "core-0 new old"},
		"stages":            {func(q *Query) { q.Stages = true }, "core-0 new old stage"},
		"type":              {func(q *Query) { q.Types = []string{"O"} }, "old"},
		"from":              {func(q *Query) { q.From = day(7) }, "new"},
		"to":                {func(q *Query) { q.To = day(7) }, "old"},
		"entity":            {func(q *Query) { q.Entities = []string{"redis"} }, "new"},
		"text leg":          {func(q *Query) { q.Method = find.Text }, "core-0 new old"},
		"vector leg":        {func(q *Query) { q.Method = find.Vector }, "core-0 new old"},
		"max":               {func(q *Query) { q.Max = 1 }, "core-0"},
		"weighted":          {func(q *Query) { q.Weighted = true }, "core-0 new old"},
		"diverse":           {func(q *Query) { q.Diverse = true }, "core-0 new old"},
	} {
		q := base
		tc.change(&q)
		got := s.ask(q)
		slices.Sort(got)
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %v, want %s", name, got, tc.want)
		}
	}
	aged := base
	aged.HalfLife, aged.Text = 24*time.Hour, "redis cache sessions day"
	if got := s.ask(aged); slices.Index(got, "old") < slices.Index(got, "new") {
		t.Errorf("an old memory stands above a new one: %v", got)
	}
}

// MEM-29: another model makes the vectors anew; an endpoint that fails leaves
// the text leg.
func TestMEM29Embedders(t *testing.T) {
	t.Parallel()
	down := false
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if down || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer k" {
			http.Error(w, "no", http.StatusServiceUnavailable)
			return
		}
		var in struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Model != "m" {
			http.Error(w, "bad", http.StatusBadRequest)
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var out struct {
			Data []item `json:"data"`
		}
		for i, text := range slices.Backward(in.Input) { // in any order
			v := []float32{0, 1, 0.1}
			if strings.Contains(text, "feline") || strings.Contains(text, "kitten") {
				v = []float32{1, 0, 0}
			}
			out.Data = append(out.Data, item{i, v})
		}
		_ = json.NewEncoder(w).Encode(out)
	}))
	defer server.Close()
	h := HTTP{URL: server.URL + "/v1/", Model: "m", Key: "k", Query: 10 * time.Second, Client: server.Client()}
	s := newStore(t, Hash{})
	s.write("a.txt", "cat\ta feline sat there\ndog\tsomething else entirely\n")
	s.sync(now)
	s.want("kitten")
	s.reopen(h)
	s.sync(now)
	s.want("kitten", "cat")
	down = true
	s.want("kitten")
	s.want("feline", "cat")
	s.append("a.txt", "fish\tanother kitten\n")
	s.sync(now)
	s.want("another kitten", "fish")
	down = false
	s.sync(now)
	if got := s.find("kitten"); len(got) != 2 {
		t.Errorf("after the endpoint came back: %v", got)
	}
	before := asked
	s.sync(now)
	if asked != before {
		t.Error("with nothing to do the endpoint was asked")
	}
}

func TestHTTPAnswers(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "{}", `{"data":[{"index":7,"embedding":[1]}]}`, `{"data":[{"index":0,"embedding":[]}]}`, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`} {
		if v, err := vectorsOf([]byte(bad), 2); err == nil {
			t.Errorf("%s: %v", bad, v)
		}
	}
}

// A damaged file, or one of another version, is made anew.
func TestDamagedIndex(t *testing.T) {
	t.Parallel()
	s := newStore(t, Hash{})
	s.write("a.txt", facts)
	s.sync(now)
	path := s.x.path
	s.x.Close()
	s.x = nil
	for name, b := range map[string][]byte{"garbage": bytes.Repeat([]byte("garbage!"), 4096), "empty": nil} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s.reopen(Hash{})
		s.sync(now)
		if got := s.find("parser"); !slices.Equal(got, []string{"f2"}) {
			t.Errorf("%s: %v", name, got)
		}
		s.x.Close()
		s.x = nil
	}
}

// Several processes may bring the index up to date at once.
func TestManyWriters(t *testing.T) {
	t.Parallel()
	s := newStore(t, Hash{})
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "f%d\tfact number %d about subject%d\n", i, i, i)
	}
	s.write("a.txt", text.String())
	errs := make(chan error)
	for range 8 {
		go func() {
			x, err := Open(s.x.path, Hash{})
			if err == nil {
				_, err = x.Sync(context.Background(), []Source{{Name: "a.txt", Path: filepath.Join(s.dir, "a.txt"), Lines: true, Read: readLines}}, now)
				x.Close()
			}
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	n := 0
	for i := range 200 {
		if got := s.find(fmt.Sprintf("subject%d", i)); len(got) > 0 && got[0] == fmt.Sprintf("f%d", i) {
			n++
		}
	}
	if n != 200 {
		t.Errorf("%d of 200 are found", n)
	}
}
