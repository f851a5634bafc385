package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/chosen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A model answers with a vector that says whether a text is about cats.
type model struct {
	*httptest.Server
	asked atomic.Int32
	slow  chan struct{} // answers wait for it
	down  atomic.Bool
}

func newModel(t *testing.T) *model {
	t.Helper()
	m := &model{slow: make(chan struct{})}
	close(m.slow)
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.asked.Add(1)
		select {
		case <-m.slow:
		case <-r.Context().Done():
			return
		}
		var in struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		if m.down.Load() || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer k" || json.NewDecoder(r.Body).Decode(&in) != nil || in.Model != "m" {
			http.Error(w, "no", http.StatusServiceUnavailable)
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var out struct {
			Data []item `json:"data"`
		}
		for i := len(in.Input) - 1; i >= 0; i-- { // in any order
			v := []float32{0, 1, 0.1}
			if strings.Contains(in.Input[i], "feline") || strings.Contains(in.Input[i], "kitten") {
				v = []float32{1, 0, 0}
			}
			out.Data = append(out.Data, item{i, v})
		}
		_ = json.NewEncoder(w).Encode(out)
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *model) at(t *testing.T, wait time.Duration) Endpoint {
	return Endpoint{URL: m.URL + "/v1/", Model: "m", Key: "k", Query: wait, Client: m.Client(), File: filepath.Join(t.TempDir(), "sub", "vectors")}
}

// What is remembered is asked for once; what is there no more is forgotten, and
// another model makes all of it anew.
// BM-FND-13.
func TestVectorsAreKept(t *testing.T) {
	t.Parallel()
	m := newModel(t)
	e := m.at(t, 10*time.Second)
	if v, err := e.Vectors(t.Context(), "kitten"); v != nil || err != nil || m.asked.Load() != 0 {
		t.Errorf("with nothing to compare with: %v, %v, asked %d times", v, err, m.asked.Load())
	}
	fill := func(want int, texts ...string) {
		t.Helper()
		if made, err := e.Fill(t.Context(), entries(texts...)); made != want || err != nil {
			t.Errorf("%q: made %d, %v; want %d", texts, made, err, want)
		}
	}
	fill(2, "a feline sat there", "something else", "something else")
	fill(0, "a feline sat there", "something else")
	fill(1, "a feline sat there", "a third")
	v, err := e.Vectors(t.Context(), "kitten")
	if err != nil || v.Kept.Of(search.Key("something else")) != nil || v.Kept.Of(search.Key("a third")) == nil || v.Query[0] != 1 {
		t.Errorf("%v, %v", v, err)
	}
	e.Model = "other"
	if v, err := e.Vectors(t.Context(), "kitten"); v != nil || err != nil {
		t.Errorf("vectors of another model: %v, %v", v, err)
	}
}

// An endpoint that is late costs one search its wait, and no other for a minute;
// once it answered again, it is asked again.
// BM-FND-12.
func TestALateEndpointIsLeftAlone(t *testing.T) {
	t.Parallel()
	m := newModel(t)
	e := m.at(t, 10*time.Second)
	if _, err := e.Fill(t.Context(), entries("a feline sat there")); err != nil {
		t.Fatal(err)
	}
	open := m.slow
	m.slow = make(chan struct{})
	e.Query = 20 * time.Millisecond
	if _, err := e.Vectors(t.Context(), "kitten"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("late: %v", err)
	}
	before := m.asked.Load()
	for range 5 {
		if _, err := e.Vectors(t.Context(), "kitten"); !errors.Is(err, ErrResting) {
			t.Errorf("afterwards: %v", err)
		}
	}
	if n := m.asked.Load() - before; n != 0 {
		t.Errorf("asked %d times while it rests", n)
	}
	close(m.slow)
	m.slow = open
	e.Query = 10 * time.Second
	old := time.Now().Add(-2 * chosen.Rest)
	must.Do(t, os.Chtimes(chosen.Late(e.File), old, old))
	if v, err := e.Vectors(t.Context(), "kitten"); v == nil || err != nil {
		t.Errorf("a minute later: %v, %v", v, err)
	}
}

// What came before a failure is kept, and the rest comes with the next time.
// BM-FND-13.
func TestAFailureLosesNothing(t *testing.T) {
	t.Parallel()
	m := newModel(t)
	e := m.at(t, time.Second)
	if _, err := e.Fill(t.Context(), entries("one")); err != nil {
		t.Fatal(err)
	}
	m.down.Store(true)
	if made, err := e.Fill(t.Context(), entries("one", "two")); made != 0 || err == nil {
		t.Errorf("down: made %d, %v", made, err)
	}
	m.down.Store(false)
	if made, err := e.Fill(t.Context(), entries("one", "two")); made != 1 || err != nil {
		t.Errorf("back: made %d, %v", made, err)
	}
	e.Withheld = errors.New("the key is not meant for it")
	asked := m.asked.Load()
	if _, err := e.Fill(t.Context(), entries("three")); !errors.Is(err, e.Withheld) || m.asked.Load() != asked {
		t.Errorf("withheld: %v, asked %d times", err, m.asked.Load()-asked)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "{}", `{"data":[{"index":7,"embedding":[1]}]}`, `{"data":[{"index":0,"embedding":[]}]}`, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			if v, err := vectorsOf([]byte(bad), 2); err == nil {
				t.Errorf("%s: %v", bad, v)
			}
		})
	}
}

// entries are memories that say some texts.
func entries(texts ...string) (out []search.Entry) {
	for _, t := range texts {
		out = append(out, search.Entry{Key: search.Key(t), Text: t})
	}
	return out
}
