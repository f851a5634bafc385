package codex

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The seals were computed by Codex 0.169.0 itself (hooks/list of its app server) for
// entries of every event, with and without each field (codex/12, codex/13).
func TestSeal(t *testing.T) {
	b, err := os.ReadFile("testdata/seals.json")
	must.Do(t, err)
	var cases []struct {
		Event, Place, Seal string
		Matcher            *string
		Handler            json.RawMessage
	}
	must.Do(t, json.Unmarshal(b, &cases))
	for _, c := range cases {
		fields, err := protocol.ParseObject(c.Handler)
		must.Do(t, err)
		h := protocol.Handler{Event: c.Event, Fields: fields}
		if c.Matcher != nil {
			h.Matcher, h.Matched = *c.Matcher, true
		}
		if got := seal(h); got != c.Seal {
			t.Errorf("%s %s: seal %s, want %s", c.Place, c.Handler, got, c.Seal)
		}
		if got := place(h); got != ":"+label(c.Event)+":0:0" {
			t.Errorf("%s: place %s", c.Place, got)
		}
	}
	if len(cases) < 20 {
		t.Errorf("only %d cases", len(cases))
	}
}

func TestSpellings(t *testing.T) {
	real := func(string) string { return "/real/hooks.json" }
	home := func(n string) string {
		if n == "CODEX_HOME" {
			return "/link"
		}
		return ""
	}
	for name, c := range map[string]struct {
		site protocol.Site
		want []string
	}{
		"default home":  {protocol.Site{Scope: protocol.UserScope, Real: real}, []string{"/f"}},
		"explicit home": {protocol.Site{Scope: protocol.UserScope, Real: real, Env: home}, []string{"/real/hooks.json"}},
		"project":       {protocol.Site{Scope: protocol.ProjectScope, Real: real}, []string{"/f", "/real/hooks.json"}},
		"no links":      {protocol.Site{Scope: protocol.ProjectScope}, []string{"/f"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := spellings(c.site, "/f")
			if len(got) != len(c.want) || got[0] != c.want[0] || got[len(got)-1] != c.want[len(c.want)-1] {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
