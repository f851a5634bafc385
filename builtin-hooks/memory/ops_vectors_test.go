package memory_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/chosen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// local is a server on this machine whose answers are made of a form for each text, by its place.
func local(t *testing.T, form *atomic.Value) *httptest.Server {
	t.Helper()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		data := make([]string, len(in.Input))
		for i := range data {
			data[i] = strings.ReplaceAll(form.Load().(string), "INDEX", fmt.Sprint(i))
		}
		fmt.Fprintf(w, `{"data": [%s]}`, strings.Join(data, ", "))
	}))
	t.Cleanup(h.Close)
	return h
}

const good, twice, zero = `{"index": INDEX, "embedding": [1, 0, 0.5]}`, `{"index": 0, "embedding": [1, 0, 0.5]}`, `{"index": INDEX, "embedding": [0, 0, 0]}`

// A model of which no vectors can be made is not chosen, and what was chosen before stays.
// BM-MDL-12.
func TestAModelThatFailsIsNotChosen(t *testing.T) {
	t.Parallel()
	var form, other atomic.Value
	other.Store(good)
	d := newTrial(t)
	d.says("memory_save", `{"content": "The weir is closed on Mondays"}`, `"status":"ok"`)
	m := ops.At(d.world, d.call)
	first, bad := chosen.Choice{URL: local(t, &other).URL, Model: "first"}, chosen.Choice{URL: local(t, &form).URL, Model: "bad"}
	for _, before := range []chosen.Choice{{}, first} {
		must.Do(t, m.Use(t.Context(), before))
		for _, f := range []string{twice, zero} {
			form.Store(f)
			if err := m.Use(t.Context(), bad); err == nil {
				t.Errorf("%s: no error", f)
			}
			if c, err := chosen.Read(d.world.Data); err != nil || c != before {
				t.Errorf("%s: chosen is %v, %v; before %v", f, c, err, before)
			}
		}
	}
}

// What is said to be in use is what a search uses, by all who say it.
// BM-MDL-13.
func TestWhatIsSaidToBeInUseIs(t *testing.T) {
	t.Parallel()
	var form atomic.Value
	form.Store(good)
	d := newTrial(t)
	d.says("memory_save", `{"content": "The weir is closed on Mondays"}`, `"status":"ok"`)
	m := ops.At(d.world, d.call)
	h := local(t, &form)
	must.Do(t, m.Use(t.Context(), chosen.Choice{URL: h.URL, Model: "m"}))
	check := func(want, status string) {
		t.Helper()
		if used, err := m.Vectors(t.Context()); !strings.HasPrefix(used, want) || (err == nil) != (status == "ok") {
			t.Errorf("%q, %v; want %q", used, err, want)
		}
		for _, c := range m.Check(t.Context()) {
			if c.ID == "vectors" && (c.Status != status || status == "warn" && !strings.HasPrefix(c.Message, "those that are built in are used")) {
				t.Errorf("%+v, want %s", c, status)
			}
		}
	}
	check("m at ", "ok")
	form.Store(zero)
	check(ops.BuiltIn, "warn")
	h.Close()
	check(ops.BuiltIn, "warn")
}
