package runner

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What a hook changed in an input is in the log: the arguments that differ, of a text
// the lines around what does, without secrets and within bounds; what it left alone
// is not, nor anything where settings say so.
func TestLogHoldsWhatAHookChanged(t *testing.T) {
	t.Parallel()
	token := "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	quote := func(s string) string { return string(protocol.Quote(s)) }
	lines := func(n int, word string) string { return strings.Repeat(word+"\n", n) }
	pem := "-----BEGIN RSA PRIVATE KEY-----\n" + lines(20, "MIIEpAIBAAKCAQEA7bq9Yk2v0b8w1c5d6e7f8g9h0iJKLMNOPQRSTUVWXYZabcd") + "-----END RSA PRIVATE KEY-----\n"
	for name, c := range map[string]struct{ before, after, was, is string }{
		"one argument":       {`{"command": "npm i", "description": "left alone"}`, `{"command": "pnpm add", "description": "left alone"}`, `{"command": "npm i"}`, `{"command": "pnpm add"}`},
		"one more":           {`{"a": 1}`, `{"a": 1, "b": [2]}`, `{}`, `{"b": [2]}`},
		"one less":           {`{"a": 1, "b": {"c": 2}}`, `{"a": 1}`, `{"b": {"c": 2}}`, `{}`},
		"a secret, by shape": {`{"command": "curl -u x ` + token + `"}`, `{"command": "curl"}`, `{"command": "curl -u x [redacted]"}`, `{"command": "curl"}`},
		"a secret, by name":  {`{"password": "blue door"}`, `{"password": "red door"}`, `{"password": "[redacted]"}`, `{"password": "[redacted]"}`},
		"a secret, by its neighbour": {`{"header": {"name": "Authorization", "value": "blue door"}}`, `{"header": {"name": "Authorization", "value": "x"}}`,
			`{"header": {"name": "Authorization", "value": "[redacted]"}}`, `{"header": {"name": "Authorization", "value": "[redacted]"}}`},
		"a line of a key that begins far above": {`{"content": ` + quote(pem) + `}`, `{"content": ` + quote(strings.Replace(pem, "cd\n-----END", "CD\n-----END", 1)) + `}`, `{"content": "[redacted]\n"}`, `{"content": "[redacted]\n"}`},
		"one line of many": {`{"content": ` + quote(lines(90, "same")+"old\n"+lines(70, "same")) + `}`, `{"content": ` + quote(lines(90, "same")+"new\n"+lines(70, "same")) + `}`,
			`{"content": "… 87 lines\nsame\nsame\nsame\nold\nsame\nsame\nsame\n… 67 lines\n"}`, `{"content": "… 87 lines\nsame\nsame\nsame\nnew\nsame\nsame\nsame\n… 67 lines\n"}`},
		"a long line":                            {`{"a": ` + quote(strings.Repeat("x y ", 2000)) + `}`, `{"a": ""}`, `{"a": ` + quote(strings.Repeat("x y ", 512)+"… 5952 more bytes") + `}`, `{"a": ""}`},
		"what is large":                          {`{"a": [` + strings.Repeat("1, ", 900) + `1], "b": 1}`, `{"a": [1], "b": 2}`, `{"a": {"omitted_bytes": 2703}, "b": 1}`, `{"a": [1], "b": 2}`},
		"what is too large to be looked through": {`{"a": ` + quote(strings.Repeat("x y ", 20000)) + `, "b": 1}`, `{"a": "", "b": 2}`, `{"a": {"omitted_bytes": 80002}, "b": 1}`, `{"a": "", "b": 2}`},
	} {
		t.Run(name, func(t *testing.T) {
			rep := Report{Event: &protocol.Event{Type: protocol.PreToolCall}, Results: []Result{{Hook: &discovery.Hook{Name: "h"}, Verdict: OK, before: protocol.ObjectOf(protocol.Raw(c.before)), after: protocol.ObjectOf(protocol.Raw(c.after))}}}
			line := NewLogLine(rep, &discovery.Set{Settings: discovery.Settings{LogChanges: true}}, time.Now(), false).Append(nil)
			l, ok := ParseLogLine(line)
			if !ok || string(l.Hooks[0].Before) != c.was || string(l.Hooks[0].After) != c.is {
				t.Errorf("%s: read %v, before\n %s\nwant\n %s\nafter\n %s\nwant\n %s", name, ok, l.Hooks[0].Before, c.was, l.Hooks[0].After, c.is)
			}
			silent := NewLogLine(rep, &discovery.Set{}, time.Now(), false).Append(nil)
			if l, ok := ParseLogLine(silent); !ok || !l.Hooks[0].Changed || l.Hooks[0].Before != nil || l.Hooks[0].After != nil {
				t.Errorf("%s, switched off: %s", name, silent)
			}
		})
	}
}

// Many arguments together are bounded, too.
func TestLogBoundsWhatAHookChanged(t *testing.T) {
	t.Parallel()
	var before, after protocol.Object
	for i := range 400 {
		before.SetText("a"+strconv.Itoa(i), strings.Repeat("old ", 400))
		after.SetText("a"+strconv.Itoa(i), strings.Repeat("new ", 400))
	}
	was, is := changeOf(before, after)
	if n := len(was.Raw()) + len(is.Raw()); n > 2*(maxArguments+400*40) || !strings.Contains(string(is.Raw()), "new new") || !strings.Contains(string(is.Raw()), "omitted_bytes") {
		t.Errorf("%d bytes", n)
	}
}
