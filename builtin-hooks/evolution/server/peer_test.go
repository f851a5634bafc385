package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func newID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

func opened(t *testing.T, place string) *Store {
	t.Helper()
	if _, err := os.Lstat(place); os.IsNotExist(err) && filepath.IsAbs(place) {
		file, err := made()
		if err == nil {
			err = errors.Join(os.MkdirAll(filepath.Dir(place), 0o700), os.WriteFile(place, file, 0o600))
		}
		must.Do(t, err)
	}
	s, err := Open(t.Context(), place, time.Now, newID)
	must.Do(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// A client is one key at one server.
type peer struct {
	t    *testing.T
	url  string
	key  string
	more http.Header
	own  bool // it calls what only the test has
}

func (c peer) do(method, path, body string) (status int, doc map[string]any) {
	c.t.Helper()
	req, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	must.Do(c.t, err)
	req.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	maps.Copy(req.Header, c.more)
	resp, err := http.DefaultClient.Do(req)
	must.Do(c.t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must.Do(c.t, err)
	if err := json.Unmarshal(b, &doc); err != nil {
		c.t.Fatalf("%s %s: %s: %q", method, path, resp.Status, b)
	}
	if o, err := described(); err != nil {
		c.t.Fatal(err)
	} else if c.own {
		return resp.StatusCode, doc
	} else if err := o.conforms(method, path, body, resp.StatusCode, b); err != nil {
		c.t.Error(err)
	}
	return resp.StatusCode, doc
}

// want is a call that is answered with a status; it returns data.
func (c peer) want(status int, method, path, body string) any {
	c.t.Helper()
	got, doc := c.do(method, path, body)
	if got != status || doc["ok"] != (status < 300) {
		c.t.Fatalf("%s %s %s: %d %v, want %d", method, path, body, got, doc, status)
	}
	if status >= 300 {
		return doc["error"]
	}
	return doc["data"]
}

// at walks a document by keys and indexes.
func at(v any, path ...any) any {
	for _, p := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[fmt.Sprint(p)]
		case []any:
			i, _ := p.(int)
			if i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// team is a server, and a client for each name.
func team(t *testing.T, s *Store, limits Limits, log io.Writer, names ...string) []peer {
	t.Helper()
	server := httptest.NewServer(New(s, limits, Hosts{}, log))
	t.Cleanup(server.Close)
	var out []peer
	for i, n := range names {
		key, _, err := s.NewKey(t.Context(), n, Terms{Label: fmt.Sprint("key ", i)})
		must.Do(t, err)
		out = append(out, peer{t: t, url: server.URL, key: key})
	}
	return out
}

const geneBody = `{"category": "repair", "signals_match": ["error:timeout", {"type": "error:build_failure", "techStack": "go"}], "strategy": ["Look at the first error only", "Clear the module cache"], "title": "Go builds that hang", "preconditions": ["go.mod"]}`

// made is the file of a store that nobody used yet, with its tables and seeds: to make it
// takes longer than most tests use it for.
var made = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "made")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "serve.sqlite")
	s, err := Open(context.Background(), file, time.Now, newID)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})
