package codex

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
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

// Hooks are off where the settings say so of the feature, by either of its names.
func TestHooksThatAreOff(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		off   bool
	}{{"hooks", false, true}, {"codex_hooks", false, true}, {"hooks", true, false}, {"codex_hooks", true, false}, {"hooks", "false", false}, {"other", false, false}} {
		got := off(func(path ...string) (any, bool) {
			if strings.Join(path, ".") != "features."+c.name {
				return nil, false
			}
			return c.value, true
		})
		if (got != "") != c.off || c.off && !strings.Contains(got, c.name+" is false") {
			t.Errorf("%s is %v: %q", c.name, c.value, got)
		}
	}
}

// What the last answer took stands in its record, and the size of the window in the count after
// or before it.
func TestUsageOfARollout(t *testing.T) {
	count := func(total, window int) string {
		return fmt.Sprintf(`{"type": "event_msg", "payload": {"type": "token_count", "info": {"last_token_usage": {"total_tokens": %d, "input_tokens": %d, "output_tokens": 1}, "model_context_window": %d}}}`+"\n", total, total-1, window)
	}
	const record = `{"type": "token_usage_record", "payload": {"usage": {"total_tokens": 20, "input_tokens": 15, "output_tokens": 5}}}` + "\n"
	for name, c := range map[string]struct {
		tail string
		want protocol.Usage
	}{
		"a record behind a count": {count(10, 1000) + record, protocol.Usage{ContextTokens: 20, InputTokens: 15, OutputTokens: 5, ContextWindow: 1000}},
		"a count behind a record": {record + count(21, 1000), protocol.Usage{ContextTokens: 21, InputTokens: 20, OutputTokens: 1, ContextWindow: 1000}},
		"a record alone":          {record, protocol.Usage{ContextTokens: 20, InputTokens: 15, OutputTokens: 5}},
		"nothing":                 {`{"type": "token_other"}` + "\n", protocol.Usage{}},
	} {
		if got := usage([]byte(c.tail)); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// A payload is Codex's by its transcript, or by what it has together and no other agent has.
func TestWhichPayloadsAreCodexs(t *testing.T) {
	const base = `"hook_event_name": "Stop", "session_id": "s"`
	for payload, want := range map[string]bool{
		`{` + base + `, "turn_id": "t", "model": "m"}`:                                                                             true,
		`{` + base + `, "turn_id": "t"}`:                                                                                           false,
		`{` + base + `, "model": "m"}`:                                                                                             false,
		`{` + base + `, "transcript_path": "/x/rollout-1.jsonl"}`:                                                                  true,
		`{` + base + `, "transcript_path": "/h/.codex/sessions/1.jsonl"}`:                                                          true,
		`{` + base + `, "transcript_path": "/x/1.jsonl"}`:                                                                          false,
		`{` + base + `, "turn_id": "t", "model": "m", "prompt_id": "p"}`:                                                           false,
		`{` + base + `, "turn_id": "t", "model": "m", "timestamp": 1}`:                                                             false,
		`{` + base + `, "turn_id": "t", "model": "m", "cursor_version": "1"}`:                                                      false,
		`{"session_id": "s", "turn_id": "t", "model": "m"}`:                                                                        false,
		`{"hook_event_name": "Stop", "turn_id": "t", "model": "m"}`:                                                                false,
		`{"hook_event_name": "SessionStart", "session_id": "s", "transcript_path": null, "permission_mode": "x"}`:                  true,
		`{"hook_event_name": "SessionStart", "session_id": "s", "transcript_path": "/h/.factory/1.jsonl", "permission_mode": "x"}`: false,
		`{"hook_event_name": "SessionStart", "session_id": "s", "transcript_path": "/h/.qoder/1.jsonl", "permission_mode": "x"}`:   false,
		`{"hook_event_name": "SessionStart", "session_id": "s", "transcript_path": null}`:                                          false,
	} {
		o, err := protocol.ParseObject([]byte(payload))
		if err != nil || detect(o) != want {
			t.Errorf("%s: want %t, %v", payload, want, err)
		}
	}
}
