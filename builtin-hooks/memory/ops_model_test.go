package memory_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/chosen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// vectorServer is an endpoint that gives every text one vector, and tells asked of each request.
func vectorServer(t *testing.T, asked func(r *http.Request, input []string)) (url string) {
	t.Helper()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		asked(r, in.Input)
		data := make([]string, len(in.Input))
		for i := range data {
			data[i] = fmt.Sprintf(`{"index": %d, "embedding": [1, 0, 0]}`, i)
		}
		fmt.Fprintf(w, `{"data": [%s]}`, strings.Join(data, ", "))
	}))
	t.Cleanup(h.Close)
	return h.URL
}

// The key of a file goes to the endpoint that a file names, and to no other that the
// environment names.
func TestAKeyOfAFileGoesToTheEndpointOfAFile(t *testing.T) {
	t.Parallel()
	var asked, keyed atomic.Int32
	url := vectorServer(t, func(r *http.Request, _ []string) {
		asked.Add(1)
		if r.Header.Get("Authorization") == "Bearer the-key" {
			keyed.Add(1)
		}
	})
	d := newTrial(t)
	d.says("memory_save", `{"content": "The weir is closed on Mondays"}`, `"status":"ok"`)
	var told []string
	d.world.Unnoted = func(err error) { told = append(told, err.Error()) }
	d.table["embedding"], d.table["embedding_model"], d.table["embedding_key"] = "http", "m", "the-key"
	env := d.call.Env
	d.call.Env = append(env, "AGENTS_HOOKS_MEMORY_EMBEDDING_URL="+url)
	err := ops.At(d.world, d.call).Remodel(context.Background())
	if err == nil || asked.Load() != 0 || !strings.Contains(strings.Join(told, "\n"), "builtin.memory.embedding_url: the key is that of a file") {
		t.Errorf("an endpoint of the environment was asked %d times: %v, %q", asked.Load(), err, told)
	}
	d.call.Env, d.table["embedding_url"] = env, url
	if err := ops.At(d.world, d.call).Remodel(context.Background()); err != nil || keyed.Load() == 0 {
		t.Errorf("the endpoint of a file got the key %d times: %v", keyed.Load(), err)
	}
}

// An endpoint is sent nothing of a search that would not be written down.
// BM-MDL-11.
func TestASearchIsSentWithoutSecrets(t *testing.T) {
	t.Parallel()
	var sent []string
	url := vectorServer(t, func(_ *http.Request, input []string) { sent = append(sent, input...) })
	d := newTrial(t)
	d.says("memory_save", `{"content": "The weir is closed on Mondays"}`, `"status":"ok"`)
	d.table["embedding"], d.table["embedding_model"], d.table["embedding_url"] = "http", "m", url
	must.Do(t, ops.At(d.world, d.call).Remodel(context.Background()))
	d.says("memory_search", `{"query": "weir <private>Ivo Kranz</private> password: Tr0ub4dor&3x"}`, `"results"`)
	all := strings.Join(sent, "\n")
	if !strings.Contains(all, "\nweir") || strings.Contains(all, "Kranz") || strings.Contains(all, "Tr0ub") {
		t.Errorf("sent: %q", all)
	}
}

// Memory is shared through the server in the person's settings, with their key: the key of a
// file goes to no server that the environment names.
func TestWhoCallsTheTeam(t *testing.T) {
	t.Parallel()
	const url, key = "https://team.example.org/a", "sk-prismer-0123456789"
	of := "AGENTS_HOOKS_TEAM_URL=" + url
	for name, c := range map[string]struct {
		url, key   string // in the settings
		env        []string
		origin, no string
	}{
		"nothing is set":          {no: ops.ErrNoTeam.Error()},
		"no key":                  {url: url, no: ops.ErrNoTeam.Error()},
		"no server":               {key: key, no: ops.ErrNoTeam.Error()},
		"no address":              {url: "team", key: key, no: "team"},
		"both in a file":          {url: url, key: key, origin: "https://team.example.org"},
		"both in the environment": {env: []string{of, "AGENTS_HOOKS_TEAM_KEY=" + key}, origin: "https://team.example.org"},
		"a key in a file, a server of the caller": {key: key, env: []string{of}, no: "the key is that of a file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTrial(t)
			d.table["team_url"], d.table["team_key"], d.call.Env = c.url, c.key, append(d.call.Env, c.env...)
			_, origin, err := ops.At(d.world, d.call).Caller()
			if c.no == "" && (err != nil || origin != c.origin) || c.no != "" && (err == nil || !strings.Contains(err.Error(), c.no)) {
				t.Errorf("%q, %v", origin, err)
			}
		})
	}
}

// A model that was chosen and is gone is told with the command that lists models, and
// search goes on with the built-in vectors.
// BM-MDL-07.
func TestAModelThatIsGoneIsTold(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.says("memory_save", `{"content": "The weir is closed on Mondays"}`, `"status":"ok"`)
	var told []string
	d.world.Unnoted = func(err error) { told = append(told, err.Error()) }
	m := ops.At(d.world, d.call)
	if _, err := m.Models().Add("model2vec/testdata/wordpiece", "small", "", ""); err != nil {
		t.Fatal(err)
	}
	must.Do(t, m.Models().Choose(chosen.Choice{Name: "small"}))
	d.says("memory_search", `{"query": "weir"}`, "closed on Mondays")
	if len(told) > 0 {
		t.Errorf("of a good one: %q", told)
	}
	must.Do(t, os.Remove(chosen.Path(d.world.Data, "small")))
	must.Do(t, os.RemoveAll(d.world.Cache))
	d.says("memory_search", `{"query": "weir"}`, "closed on Mondays")
	if !strings.Contains(strings.Join(told, "\n"), ": agents-hooks memory model list") {
		t.Errorf("told: %q", told)
	}
	if _, err := os.Stat(lexicon.Path(d.world.Cache)); err != nil {
		t.Errorf("the built-in vectors are not there again: %v", err)
	}
}

// What models are downloaded with has the user's own proxy and certificates; settings that
// are wrong are said before anything is sent.
func TestWhatModelsAreDownloadedWith(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	if c, err := ops.At(d.world, d.call).Client(); err != nil || c.Transport.(*http.Transport).ResponseHeaderTimeout == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	d.table["ca_file"] = filepath.Join(d.world.Home, "none.pem")
	if _, err := ops.At(d.world, d.call).Client(); err == nil || !strings.Contains(err.Error(), "ca_file") {
		t.Errorf("certificates that are not there: %v", err)
	}
}
