package protocol

import (
	"fmt"
	"strings"
	"testing"
)

// What a hook that exited with 0 may print: nothing, or one object.
func TestParseAnswerRefuses(t *testing.T) {
	for name, stdout := range map[string]string{
		"noise before":    "loading…\n{\"decision\": \"allow\"}",
		"two documents":   "{} {}",
		"a stream":        "{\"a\": 1}\n{\"b\": 2}\n",
		"byte order mark": "\xef\xbb\xbf{}",
		"text behind":     "{} done",
		"array":           "[]",
		"number":          "1",
		"null":            "null",
		"string":          "\"x\"",
		"text":            "ok",
		"cut off":         "{\"reason\": \"x",
		"a name twice":    "{\"decision\": \"deny\", \"decision\": \"allow\"}",
		"single quotes":   "{'decision': 'allow'}",
		"NaN":             "{\"log\": NaN}",
		"a NUL behind":    "{}\x00",
		"comment":         "{} // ok",
		"trailing comma":  "{\"reason\": \"x\",}",
	} {
		t.Run(name, func(t *testing.T) {
			if a, err := ParseAnswer([]byte(stdout)); err == nil {
				t.Errorf("%q was accepted as %+v", stdout, a)
			}
		})
	}
	for _, stdout := range []string{"", " \r\n\t", "{}", "\n{ }\n\n"} {
		t.Run(fmt.Sprintf("%q", stdout), func(t *testing.T) {
			a, err := ParseAnswer([]byte(stdout))
			if err != nil || !a.Empty() || a.Deny || a.Warnings != nil {
				t.Errorf("%q: %+v, %v", stdout, a, err)
			}
		})
	}
}

func TestParseAnswer(t *testing.T) {
	for _, c := range []struct {
		stdout   string
		want     string // the outcome in spec form
		decision Decision
		deny     bool
		warnings int
	}{
		{`{"decision": "allow"}`, `{"decision": "allow"}`, Allow, false, 0},
		{`{"decision": "ask", "reason": "r"}`, `{"decision": "ask", "reason": "r"}`, Ask, false, 0},
		{`{"decision": "deny", "reason": "r"}`, `{"reason": "r"}`, NoOpinion, true, 0},
		{`{"decision": "block"}`, ``, NoOpinion, true, 0},
		{`{"decision": "approve"}`, `{"decision": "allow"}`, Allow, false, 1},
		{`{"decision": "maybe"}`, ``, NoOpinion, false, 1},
		{`{"decision": true}`, ``, NoOpinion, false, 1},
		{`{"decision": null, "reason": null, "modified_input": null, "env": null}`, ``, NoOpinion, false, 0},
		{`{"decision": ""}`, ``, NoOpinion, false, 0},
		{`{"modified_input": {}}`, `{"modified_input": {}}`, NoOpinion, false, 0},
		{`{"modified_input": {"b": 1.0, "a": 1e3}}`, `{"modified_input": {"b": 1.0, "a": 1e3}}`, NoOpinion, false, 0},
		{`{"modified_input": "ls"}`, ``, NoOpinion, false, 1},
		{`{"modified_input": [1], "reason": 5, "env": false, "user_message": {}}`, ``, NoOpinion, false, 4},
		{`{"additional_context": "c", "user_message": "u", "followup_message": "f", "env": {"A": "1"}, "log": [1]}`,
			`{"additional_context": "c", "user_message": "u", "followup_message": "f", "env": {"A": "1"}, "log": [1]}`, NoOpinion, false, 0},
		{`{"mine": {"x": null}, "reason": "r"}`, `{"reason": "r", "mine": {"x": null}}`, NoOpinion, false, 0},
		{`{"hookSpecificOutput": {"permissionDecision": "deny"}, "continue": false}`,
			`{"hookSpecificOutput": {"permissionDecision": "deny"}, "continue": false}`, NoOpinion, false, 2},
		{"{\"reason\": \"bad \xff byte\"}", "{\"reason\": \"bad \uFFFD byte\"}", NoOpinion, false, 0},
	} {
		t.Run(fmt.Sprintf("%.80q", c.stdout), func(t *testing.T) {
			a, err := ParseAnswer([]byte(c.stdout))
			if err != nil {
				t.Errorf("%s: %v", c.stdout, err)
				return
			}
			if a.Decision != c.decision || a.Deny != c.deny || len(a.Warnings) != c.warnings {
				t.Errorf("%s: decision %s, deny %v, warnings %q", c.stdout, a.Decision, a.Deny, a.Warnings)
			}
			if got := strings.TrimSuffix(string(a.JSON()), "\n"); got != c.want {
				t.Errorf("%s: in spec form %s, want %s", c.stdout, got, c.want)
			}
		})
	}
}

// An accepted answer is one object that reads back the same; deny is never printed.
func FuzzParseAnswer(f *testing.F) {
	for _, s := range []string{`{"decision": "deny"}`, `{"modified_input": {}, "x": [null]}`, "x{}", "{}\n{}", `{"reason": "` + "\xff" + `", "log": 1e5}`, ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, stdout []byte) {
		a, err := ParseAnswer(stdout)
		if err != nil {
			return
		}
		out := a.JSON()
		if len(out) == 0 {
			return
		}
		o, err := ParseObject(out)
		if err != nil {
			t.Fatalf("%q became %q: %v", stdout, out, err)
		}
		if word := o.Text("decision"); word == "deny" || word == "block" {
			t.Fatalf("%q: prints %q", stdout, word)
		}
		b, err := ParseAnswer(out)
		if err != nil || string(b.JSON()) != string(out) {
			t.Fatalf("%q became %q, then %q, %v", stdout, out, b.JSON(), err)
		}
	})
}

func TestNoOpinionIsTheZeroDecision(t *testing.T) {
	var d Decision
	var o Outcome
	if d != NoOpinion || d == Allow || !o.Empty() || o.JSON() != nil {
		t.Error("the zero outcome has an opinion")
	}
	for d, want := range map[Decision]string{NoOpinion: "none", Allow: "allow", Ask: "ask", Block: "block"} {
		t.Run(want, func(t *testing.T) {
			if d.String() != want {
				t.Errorf("%d is %q, want %q", d, d, want)
			}
		})
	}
}
