package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/chosen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/fill"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
)

// A server answers well, until it is told to do it badly.
type server struct {
	*httptest.Server
	badly atomic.Pointer[http.HandlerFunc]
	dims  atomic.Int32
	turn  atomic.Bool // another model under the same name
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{}
	s.dims.Store(3)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body) // only then it is seen that nobody waits any more
		if f := s.badly.Load(); f != nil {
			(*f)(w, r)
			return
		}
		var in struct{ Input []string }
		if json.Unmarshal(b, &in) != nil {
			return
		}
		var parts []string
		for i, text := range in.Input {
			v := make([]string, s.dims.Load())
			for j := range v {
				n := float64(search.Key(text)>>(8*j)&255)/128 - 1
				if s.turn.Load() {
					n = float64(search.Key(text+"other")>>(8*j)&255)/128 - 1
				}
				v[j] = fmt.Sprint(n)
			}
			parts = append(parts, fmt.Sprintf(`{"index":%d,"embedding":[%s]}`, i, strings.Join(v, ",")))
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(parts, ","))
	}))
	t.Cleanup(s.CloseClientConnections)
	t.Cleanup(s.Close)
	return s
}

func (s *server) at(t *testing.T) Endpoint {
	t.Helper()
	e := Endpoint{URL: s.URL + "/v1", Model: "m", Query: chosen.PromptWait, Client: Direct(), File: filepath.Join(t.TempDir(), "vectors")}
	if _, err := e.Fill(t.Context(), remembered()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(chosen.Slow(e.File)); err != nil && !errors.Is(err, os.ErrNotExist) { // a busy machine
		t.Fatal(err)
	}
	return e
}

func remembered() []search.Entry { return entries(append(fill.Background(), "a feline sat there")...) }

// Whatever an endpoint does, a prompt's question has ended in the time that it has, is
// without vectors, and is not asked again for minutes.
// BM-MDL-09.
func TestWhateverAnEndpointDoes(t *testing.T) {
	t.Parallel()
	for name, badly := range map[string]http.HandlerFunc{
		"hangs":         func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"is refused":    func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such model", http.StatusNotFound) },
		"answers words": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>hello</html>") },
		"answers no number": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1e38,1e39,"x"]}]}`)
		},
		"answers huge numbers": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1e38,1,1]}]}`)
		},
		"answers other dimensions": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1,0,0,1]}]}`)
		},
		"never ends": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := fmt.Fprint(w, strings.Repeat(" ", 1<<16)); err != nil {
					return
				}
			}
		},
		"drips": func(w http.ResponseWriter, r *http.Request) {
			for i := 0; r.Context().Err() == nil && i < 1000; i++ {
				fmt.Fprint(w, " ")
				w.(http.Flusher).Flush()
				select {
				case <-r.Context().Done():
				case <-time.After(time.Millisecond):
				}
			}
		},
		"dies": func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = c.Close()
			}
		},
		"leads elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			e := s.at(t)
			s.badly.Store(&badly)
			start := time.Now()
			v, err := e.Vectors(t.Context(), "kitten")
			if took := time.Since(start); took > 2*time.Second { // of a machine that others use, too
				t.Errorf("a prompt waited %s", took)
			}
			if v != nil || err == nil {
				t.Fatalf("%v, %v", v, err)
			}
			if !chosen.Resting(e.File, true) || chosen.Ready(e.File) {
				t.Error("prompts go on to ask it")
			}
			if _, err := e.Vectors(t.Context(), "kitten"); !errors.Is(err, ErrResting) {
				t.Errorf("asked again: %v", err)
			}
			s.badly.Store(nil)
			if e.Query = 10 * time.Second; chosen.Resting(e.File, false) {
				t.Error("what was too late for a prompt is too late for a search")
			}
			if v, err := e.Vectors(t.Context(), "kitten"); err != nil || v == nil {
				t.Errorf("a search: %v", err)
			} else {
				v.Kept.Close()
			}
		})
	}
}

// A server that nobody listens at any more is the same, and so is one that takes the
// call and never says a word.
func TestAServerThatIsGone(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	e := s.at(t)
	s.Close()
	if _, err := e.Vectors(t.Context(), "kitten"); err == nil {
		t.Error("a closed port answers")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	e.URL = "http://" + listener.Addr().String() + "/v1"
	if _, err := e.ask(t.Context(), []string{"kitten"}, chosen.PromptWait); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one that says nothing: %v", err)
	}
}

// A model that became another one, under its name, makes all vectors anew: by its
// answer to a text that it was asked before, or by how many numbers it gives.
// BM-MDL-10.
func TestAModelThatBecameAnother(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*server){
		"other numbers":    func(s *server) { s.turn.Store(true) },
		"other dimensions": func(s *server) { s.dims.Store(5) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			e := s.at(t)
			change(s)
			more := append(remembered(), entries("a new one")...)
			made, err := e.Fill(t.Context(), more)
			if err != nil || made != len(more) {
				t.Errorf("%s: %d of %d made anew, %v", name, made, len(more), err)
			}
			kept := search.OpenKept(e.File, e.id())
			if kept.Count() != len(more) || kept.Dims() != int(s.dims.Load()) {
				t.Errorf("%s: %d are kept, of %d numbers", name, kept.Count(), kept.Dims())
			}
			kept.Close()
		})
	}
}

// A search for local servers finds those that have a model for vectors, and says why
// one that was named cannot be used.
func TestLocalServers(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, `{"data":[{"id":"llama3"},{"id":"nomic-embed-text"}]}`)
	}))
	defer s.Close()
	got, err := Local(t.Context(), s.URL+"/v1/")
	if err != nil || len(got) != 1 || len(got[0].Models) != 2 || got[0].URL != s.URL+"/v1" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Local(t.Context(), s.URL); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("at another path: %v", err)
	}
	for model, want := range map[string]bool{"nomic-embed-text:latest": true, "BAAI/bge-m3": true, "all-minilm": true, "text-embedding-qwen3": true, "llama3": false, "gemma-2b": false} {
		t.Run(model, func(t *testing.T) {
			if embeds(model) != want {
				t.Errorf("%s makes vectors: %t", model, !want)
			}
		})
	}
	for address, want := range map[string]bool{
		"http://127.0.0.1:1/v1": true, "http://localhost:1": true, "http://[::1]:1/v1": true, "https://127.9.9.9/v1": true,
		"http://10.0.0.1/v1": false, "http://127.0.0.1.example.com/v1": false, "http://localhost.example.com": false, "http://0.0.0.0:1": false,
		"http://me@127.0.0.1/v1": false, "ftp://127.0.0.1": false, "http://127.0.0.1@example.com/": false, "127.0.0.1:1": false, "http://2130706433/": false,
	} {
		t.Run(fmt.Sprintf("address %q", address), func(t *testing.T) {
			if IsLocal(address) != want {
				t.Errorf("%s is local: %t", address, !want)
			}
		})
	}
}
