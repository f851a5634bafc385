package dispatch

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// broken are ways to make a payload that nobody can read of a good one.
func broken(payload string) map[string]string {
	open := strings.TrimSuffix(strings.TrimSpace(payload), "}")
	return map[string]string{
		"twice":        open + `,"zz":{"a":1,"a":2}}`,
		"truncated":    open + `,"zz":"`,
		"not UTF-8":    open + ",\"zz\":\"\xff\"}",
		"two objects":  payload + payload,
		"more than it": payload + "x",
	}
}

// A guard that is locked, or whose failure blocks, is not passed by an event that
// nobody can read, in any agent: the agent gets what it gets of a real block.
func TestAnUnreadableEventIsHeldBack(t *testing.T) {
	t.Parallel()
	for i, d := range agents.All() {
		native, payload := toolCallOf(t, d)
		if payload == "" || !slowtest.Part(i, 4) {
			continue
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			args := []string{"--agent=" + d.ID, "--event=" + native}
			w := newWorld(t)
			w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\nmatcher:\n  tool: ^Nothing$", "exit 0")
			toml := w.settings()
			lock := func(text string) { w.file(toml, text, 0o644) }
			real := newWorld(t)
			real.hook(real.userHooks(), "guard", "trigger: pre-tool-call", "echo '[guard] blocked unseen' >&2; exit 2")
			want := real.run(payload, args...)
			texts := broken(payload)
			for k, how := range slices.Sorted(maps.Keys(texts)) {
				if !slowtest.On() && (i+k)%3 > 0 {
					continue // two of five in each agent, each in a third of them
				}
				text := texts[how]
				lock("")
				if r := w.run(text, args...); r.exit != 0 || blocks(r, want) {
					t.Errorf("%s, without a lock: %+v", how, r)
				}
				sets := []string{"[[hooks.lock]]\nname = \"guard\""}
				if how == "twice" {
					sets = append(sets, "[hooks]\non_error = \"block\"", "[[hooks.override]]\nname = \"guard\"\non_error = \"block\"")
				}
				for _, set := range sets {
					lock(set + "\n")
					if r := w.run(text, args...); !blocks(r, want) || !strings.Contains(r.stdout+r.stderr, "guard") {
						t.Errorf("%s, %s:\n%+v, want the form of\n%+v", how, set, r, want)
					}
				}
			}
			w.hook(w.userHooks(), "other", "trigger: pre-session", "exit 0")
			lock("[[hooks.lock]]\nname = \"other\"\n")
			if r := w.run("{", args...); r.exit != 0 || blocks(r, want) {
				t.Errorf("another one is locked: %+v", r)
			}
			lock("[[hooks.lock]]\nname = \"guard\"\n")
			for _, text := range []string{"", "what ever", "{"} {
				if r := w.run(text, "--agent="+d.ID); !blocks(r, want) {
					t.Errorf("%q, an event that says nothing of itself: %+v, want the form of %+v", text, r, want)
				}
			}
		})
	}
}

// In spec form too: such an event leaves with 2 and a reason, and with 1 where
// nothing holds it.
func TestAnUnreadableEventIsHeldBackInSpecForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\nmatcher:\n  tool: ^Nothing$", "exit 0")
	w.hook(w.userHooks(), "gate", "trigger: pre-agent-turn", "exit 0")
	toml := w.settings()
	call := fmt.Sprintf(`{"event_type":"pre-tool-call","session_id":"s","work_dir":%q,"tool_name":"Shell","tool_input":{"command":"ls"}}`, w.project)
	turn := strings.Replace(call, "pre-tool-call", "pre-agent-turn", 1)
	post := strings.Replace(call, "pre-tool-call", "post-tool-call", 1)
	held := func(text string, names ...string) {
		t.Helper()
		r := w.run(text)
		if len(names) == 0 && (r.exit != 1 || r.stdout != "") {
			t.Errorf("%.80q: %+v, want exit 1", text, r)
		}
		for _, name := range names {
			if r.exit != 2 || r.stdout != "" || !strings.Contains(r.stderr, "["+name+"] blocked unseen") {
				t.Errorf("%.80q: %+v, want a block of %s", text, r, name)
			}
		}
	}
	for how, text := range broken(call) {
		w.file(toml, "", 0o644)
		held(text)
		w.file(toml, "[[hooks.lock]]\nname = \"guard\"\n", 0o644)
		held(text, "guard")
		w.file(toml, "[[hooks.lock]]\nname = \"guard\"\non_error = \"allow\"\n", 0o644)
		held(text)
		if how == "twice" {
			w.file(toml, "[[hooks.override]]\nname = \"guard\"\non_error = \"block\"\n", 0o644)
			held(text, "guard")
		}
	}
	w.file(toml, "[[hooks.lock]]\nname = \"guard\"\n", 0o644)
	for _, text := range []string{"", "what ever", "{", "[]", `{"event_type": 5}`, `{"a": 1}`} {
		held(text, "guard")
	}
	held(broken(turn)["twice"])
	held(broken(post)["twice"])
	w.file(toml, "[[hooks.lock]]\nname = \"gate\"\n", 0o644)
	held(broken(turn)["twice"], "gate")
	held(broken(call)["twice"])
	// Whose event it is its text tells, and so in which form it is blocked.
	w.file(toml, "[[hooks.lock]]\nname = \"guard\"\n", 0o644)
	if r := w.run(broken(w.claude("PreToolUse", bash))["twice"]); r.exit != 0 || !strings.Contains(r.stdout, `"permissionDecision": "deny"`) {
		t.Errorf("an agent's: %+v", r)
	}
}

// toolCallOf is a payload of an agent that becomes a tool call which can be
// blocked.
func toolCallOf(t *testing.T, d *protocol.Dialect) (native, payload string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(payloadsOf(d), "*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no payloads: %v", d.ID, err)
	}
	for _, f := range files {
		o, err := protocol.ParseObject([]byte(must.Read(t, f)))
		if err != nil {
			continue
		}
		name, _, _ := strings.Cut(filepath.Base(f), ".")
		in := protocol.Input{Payload: o, Event: fileNumber.ReplaceAllString(name, ""), WorkDir: os.TempDir(), Now: time.Now()}
		events, err := d.Decode(in)
		if err == nil && len(events) > 0 && events[0].Type == protocol.PreToolCall && events[0].Can.Has(protocol.CanBlock) {
			return events[0].NativeEvent, string(o.Raw())
		}
	}
	return "", ""
}

var reasons = regexp.MustCompile(`(?s)\[guard\] blocked unseen.*`)

// blocks reports whether an answer has the form of another one, which is a block.
func blocks(have, want ended) bool {
	if have.exit != want.exit || (have.stderr == "") != (want.stderr == "") {
		return false
	}
	var a, b any
	if json.Unmarshal([]byte(have.stdout), &a) != nil || json.Unmarshal([]byte(want.stdout), &b) != nil {
		return have.stdout == want.stdout && want.exit == 2
	}
	return reflect.DeepEqual(plainReasons(a), plainReasons(b))
}

// plainReasons is an answer with one word for each reason of ours.
func plainReasons(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k := range x {
			x[k] = plainReasons(x[k])
		}
	case []any:
		for i := range x {
			x[i] = plainReasons(x[i])
		}
	case string:
		return reasons.ReplaceAllString(x, "REASON")
	}
	return v
}

// Nor is it passed by one that is too large, or that never ends.
func TestAnEndlessEventIsHeldBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "exit 0")
	w.file(w.settings(), "[[hooks.lock]]\nname = \"guard\"\n", 0o644)
	begin := strings.TrimSuffix(w.claude("PreToolUse", bash), "}") + `,"x":"`
	r, out, err := os.Pipe()
	must.Do(t, err)
	defer out.Close()
	must.Do(t, must.Err(out.WriteString(begin)))
	for what, stdin := range map[string]io.Reader{
		"too large":   io.MultiReader(strings.NewReader(begin), io.LimitReader(letters{}, maxInput), strings.NewReader(`"}`)),
		"never ended": r,
	} {
		if !slowtest.Among(what, "too large") {
			continue // what is waited for takes five seconds
		}
		t.Run(what, func(t *testing.T) {
			if got := w.finish(w.command([]string{"--agent=claude-code"}, stdin)); got.exit != 0 || !strings.Contains(got.stdout, `"deny"`) || !strings.Contains(got.stdout, "[guard] blocked unseen") {
				t.Errorf("%+v", got)
			}
		})
	}
}

// What passed unread is told: at once where the event can be made out and has a
// place for it, else at the next event; once, and only where a hook exists.
func TestAnUnreadableEventIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	told := func(what, stdin string) bool {
		t.Helper()
		r := w.run(stdin, "--agent=claude-code")
		if r.exit != 0 || r.stderr != "" || strings.Contains(r.stdout, "deny") {
			t.Errorf("%s: %+v", what, r)
		}
		return strings.Contains(r.stdout, "could not be read and passed without any hook")
	}
	good := func(id string) string {
		return w.claude("PreToolUse", strings.Replace(bash, "toolu_1", id, 1))
	}
	bad := w.claude("PreToolUse", bash+`,"x":1,"x":2`)
	if told("no hook at all", bad) {
		t.Error("told although nothing waits for the event")
	}
	w.hook(w.userHooks(), "late", "trigger: pre-tool-call", "exit 0")
	if !told("the first time", bad) || told("the second time", bad) {
		t.Error("want it told, and once a session")
	}
	if told("garbage", "gar"+"bage") || !told("the event after it", good("t1")) || told("the one after that", good("t2")) {
		t.Error("what had no place was not told once at the next event")
	}
	has(t, "log", w.log(), `"unreadable"`)
}

// An event that lets an agent stop is not held for ever.
func TestAnUnreadableStopIsHeldWithinTheLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "gate", "trigger: pre-agent-turn-stop", "exit 0")
	w.file(w.settings(), "[hooks]\nstop_limit = 2\n[[hooks.lock]]\nname = \"gate\"\n", 0o644)
	var held []bool
	for range 4 {
		r := w.run(w.claude("Stop", `,"stop_hook_active":false,"x":{"a":1,"a":2}`), "--agent=claude-code")
		held = append(held, strings.Contains(r.stdout, `"block"`))
	}
	if !slices.Equal(held, []bool{true, true, false, false}) {
		t.Errorf("held %v", held)
	}
}

// What can be made out of a broken text is what stands at its top.
func TestGlimpse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		`{"a":"1","b":{"a":"2"},"a":"3"`:                   {`{"a": "1"}`, `{"a": "3"}`},
		`{"a": "x\"y", "c" : [ "a", {"a":"5"} ], "d":"e"}`: {`{"a": "x\"y", "d": "e"}`, `{"a": "x\"y", "d": "e"}`},
		`["a":"1"]`:                    {`{"a": "1"}`, `{"a": "1"}`},
		"":                             {"{}", "{}"},
		`{"a`:                          {"{}", "{}"},
		`{"a":"\u12"}`:                 {"{}", "{}"},
		"{\"a\":\"\xff\",\"b\":\"c\"}": {`{"b": "c"}`, `{"b": "c"}`},
		"}}}{\"a\":\"b\"":              {"{}", "{}"},
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			for i, last := range []bool{false, true} {
				if have := string(glimpse([]byte(text), last).Raw()); have != want[i] {
					t.Errorf("%q, last %v: %s, want %s", text, last, have, want[i])
				}
			}
		})
	}
}

func FuzzGlimpse(f *testing.F) {
	f.Add([]byte(`{"hook_event_name":"PreToolUse","x":{"a":1,"a":2}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, last := range []bool{false, true} {
			if _, err := protocol.ParseObject(glimpse(b, last).Raw()); err != nil {
				t.Fatalf("%q: %v", b, err)
			}
		}
		if o, err := protocol.ParseObject(b); err == nil {
			for _, m := range glimpse(b, false) {
				if have := fmt.Sprint(o.Text(m.Name)); have != protocol.TextOf(m.Value) {
					t.Fatalf("%q: %s is %q, and was made out as %s", b, m.Name, have, m.Value)
				}
			}
		}
	})
}
