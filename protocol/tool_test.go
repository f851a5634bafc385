package protocol

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func object(t testing.TB, s string) Object {
	t.Helper()
	o, err := ParseObject([]byte(s))
	must.Do(t, err)
	return o
}

var toolTable = Tools{
	{Native: "run", Name: Shell},
	{Native: "read", Name: ReadFile, Also: []string{"View"}, Keys: []Key{{"file_path", "path"}, {"file_path", "absolute_path"}}},
	{Native: "edit", Name: EditFile, Keys: []Key{{"file_path", "path"}, {"new_string", "text"}}},
}

// Native keys stay; portable ones are added beside them and overwrite nothing.
func TestNewCall(t *testing.T) {
	for _, c := range []struct{ native, input, names, want string }{
		{"run", `{"command": "ls"}`, "Shell run", `{"command": "ls"}`},
		{"read", `{"path": "a"}`, "ReadFile read View", `{"path": "a", "file_path": "a"}`},
		{"read", `{"absolute_path": "/a"}`, "ReadFile read View", `{"absolute_path": "/a", "file_path": "/a"}`},
		{"read", `{"absolute_path": "/b", "path": "a"}`, "ReadFile read View", `{"absolute_path": "/b", "path": "a", "file_path": "a"}`},
		{"read", `{"path": "a", "file_path": "b"}`, "ReadFile read View", `{"path": "a", "file_path": "b"}`},
		{"read", `{"n": 1.0}`, "ReadFile read View", `{"n": 1.0}`},
		{"other", `{"path": "a"}`, "other EditFile WriteFile", `{"path": "a"}`},
		{"search_replace", `{"path": "a"}`, "search_replace EditFile WriteFile", `{"path": "a"}`},
		{"mcp__fs__FindAndEdit", `{"path": "a"}`, "mcp__fs__FindAndEdit EditFile WriteFile", `{"path": "a"}`},
		{"search_files", `{"path": "a"}`, "search_files", `{"path": "a"}`},
		{"get_edit_history", `{"path": "a"}`, "get_edit_history", `{"path": "a"}`},
		{"run", `null`, "Shell run", `{}`},
		{"run", ``, "Shell run", `{}`},
		{"run", `["a"]`, "Shell run", `{"input": ["a"]}`},
		{"run", `"ls"`, "Shell run", `{"input": "ls"}`},
	} {
		t.Run(fmt.Sprintf("%s, input %q", c.native, c.input), func(t *testing.T) {
			call := toolTable.NewCall(c.native, Raw(c.input))
			if got := strings.Join(call.Names(), " "); got != c.names {
				t.Errorf("%s %s: names %q, want %q", c.native, c.input, got, c.names)
			}
			if got := string(call.Input.Raw()); got != c.want {
				t.Errorf("%s %s: input %s, want %s", c.native, c.input, got, c.want)
			}
		})
	}
}

// A modified input is mapped back to the agent's keys, in full.
func TestNativeInputOf(t *testing.T) {
	for _, c := range []struct{ name, native, input, modified, want, warning string }{
		{"same names", "run", `{"command": "rm", "timeout": 5}`, `{"command": "ls"}`, `{"command": "ls", "timeout": 5}`, ""},
		{"a key left out stays", "run", `{"command": "rm", "timeout": 5}`, `{}`, `{"command": "rm", "timeout": 5}`, ""},
		{"a new key is added", "run", `{"command": "rm"}`, `{"dry": true}`, `{"command": "rm", "dry": true}`, ""},
		{"portable alone", "read", `{"path": "a"}`, `{"file_path": "b"}`, `{"path": "b"}`, ""},
		{"native alone", "read", `{"path": "a"}`, `{"path": "b"}`, `{"path": "b"}`, ""},
		{"portable changed, native as it was", "read", `{"path": "a"}`, `{"path": "a", "file_path": "b"}`, `{"path": "b"}`, ""},
		{"native changed, portable as it was", "read", `{"path": "a"}`, `{"path": "b", "file_path": "a"}`, `{"path": "b"}`, ""},
		{"in the other order", "read", `{"path": "a"}`, `{"file_path": "a", "path": "b"}`, `{"path": "b"}`, ""},
		{"both changed", "read", `{"path": "a"}`, `{"path": "b", "file_path": "c"}`, `{"path": "c"}`, "both changed; file_path stands"},
		{"both changed alike", "read", `{"path": "a"}`, `{"path": "b", "file_path": "b"}`, `{"path": "b"}`, ""},
		{"neither changed", "read", `{"path": "a"}`, `{"path": "a", "file_path": "a"}`, `{"path": "a"}`, ""},
		{"other spelling, same value", "read", `{"path": "a"}`, `{"path" : "\u0061", "file_path":"a"}`, `{"path": "a"}`, ""},
		{"the key that was there", "read", `{"absolute_path": "/a"}`, `{"file_path": "/b"}`, `{"absolute_path": "/b"}`, ""},
		{"a key that was not there", "read", `{"n": 1}`, `{"file_path": "b"}`, `{"n": 1, "path": "b"}`, ""},
		{"a portable key of the agent's own", "read", `{"path": "a", "file_path": "b"}`, `{"file_path": "c"}`, `{"path": "a", "file_path": "c"}`, ""},
		{"two pairs", "edit", `{"path": "a", "text": "t"}`, `{"file_path": "b", "new_string": "u", "path": "a"}`, `{"path": "b", "text": "u"}`, ""},
		{"null is a value", "run", `{"command": "rm", "x": 1}`, `{"x": null}`, `{"command": "rm", "x": null}`, ""},
		{"number literals stay", "run", `{"command": "rm", "n": 1.50}`, `{"command": "ls", "n": 1.50}`, `{"command": "ls", "n": 1.50}`, ""},
		{"no input before", "run", `null`, `{"command": "ls"}`, `{"command": "ls"}`, ""},
		{"not an object", "run", `"rm"`, `{"input": "ls"}`, `{}`, "is not an object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := toolTable.NewCall(c.native, Raw(c.input))
			got, warnings := call.NativeInputOf(object(t, c.modified))
			if string(got.Raw()) != c.want {
				t.Errorf("got %s, want %s", got.Raw(), c.want)
			}
			if s := strings.Join(warnings, "; "); (c.warning == "") != (s == "") || !strings.Contains(s, c.warning) {
				t.Errorf("warnings %q, want %q", s, c.warning)
			}
			// The same if it went through the event first, as in the chain.
			ev := &Event{Type: PreToolCall}
			ev.PutCall(call, "x")
			ev.SetInput(object(t, c.modified))
			again, _ := ev.Call.NativeInputOf(object(t, c.modified))
			if string(again.Raw()) != c.want {
				t.Errorf("by way of the event: got %s, want %s", again.Raw(), c.want)
			}
		})
	}
}

// In a chain each hook gets the input that the one before it made, and a pair of keys
// never disagrees; the last change holds.
func TestChain(t *testing.T) {
	ev := &Event{Type: PreToolCall}
	first := toolTable.NewCall("read", Raw(`{"path": "a", "n": 1}`))
	ev.PutCall(first, "id")
	before := ev.JSON()

	ev.SetInput(object(t, `{"path": "a", "file_path": "b", "n": 1}`))
	if got := string(ev.Fields.Get("tool_input")); got != `{"path": "b", "file_path": "b", "n": 1}` {
		t.Errorf("the second hook is given %s", got)
	}
	last := object(t, `{"path": "c", "file_path": "b", "n": 2}`)
	ev.SetInput(last)
	if got := string(ev.Call.Input.Raw()); got != `{"path": "c", "file_path": "c", "n": 2}` {
		t.Errorf("the third hook is given %s", got)
	}
	got, warnings := ev.Call.NativeInputOf(last)
	if string(got.Raw()) != `{"path": "c", "n": 2}` || warnings != nil {
		t.Errorf("the agent gets %s, %q", got.Raw(), warnings)
	}
	// A key that a hook leaves out is gone for later hooks, but not for the agent.
	ev.SetInput(object(t, `{"file_path": "d"}`))
	got, _ = ev.Call.NativeInputOf(object(t, `{"file_path": "d"}`))
	if string(got.Raw()) != `{"path": "d", "n": 1}` {
		t.Errorf("the agent gets %s", got.Raw())
	}
	if string(first.Input.Raw()) != `{"path": "a", "n": 1, "file_path": "a"}` {
		t.Errorf("the first call changed: %s", first.Input.Raw())
	}
	ev2 := &Event{Type: PreToolCall}
	ev2.PutCall(toolTable.NewCall("read", Raw(`{"path": "a", "n": 1}`)), "id")
	if string(ev2.JSON()) != string(before) {
		t.Errorf("not the same event: %s", before)
	}
	(&Event{}).SetInput(last) // no call: nothing happens
}

func TestDerive(t *testing.T) {
	call := toolTable.NewCall("run", Raw(`{"command": "patch", "b": 1}`))
	call.Derive("file_path", Quote("a"))
	call.Derive("b", Quote("not this"))
	if got := string(call.Input.Raw()); got != `{"command": "patch", "b": 1, "file_path": "a"}` {
		t.Errorf("input %s", got)
	}
	for modified, warnings := range map[string]int{
		`{"command": "x", "file_path": "a", "b": 2}`: 0,
		`{"command": "x", "b": 2}`:                   0,
		`{"command": "x", "file_path": "z", "b": 2}`: 1,
	} {
		t.Run(modified, func(t *testing.T) {
			got, warned := call.NativeInputOf(object(t, modified))
			if string(got.Raw()) != `{"command": "x", "b": 2}` || len(warned) != warnings {
				t.Errorf("%s: %s, %q", modified, got.Raw(), warned)
			}
		})
	}
}

// Whatever a hook returns, the agent's keys are all present, and no portable key of a
// pair gets through.
func FuzzNativeInputOf(f *testing.F) {
	f.Add(`{"path": "a", "x": 1}`, `{"file_path": "b"}`, `{"path": "c"}`)
	f.Fuzz(func(t *testing.T, input, first, second string) {
		in, err := ParseObject([]byte(input))
		if err != nil {
			return
		}
		ev := &Event{Type: PreToolCall}
		ev.PutCall(toolTable.NewCall("edit", in.Raw()), "")
		for _, s := range []string{first, second} {
			m, err := ParseObject([]byte(s))
			if err != nil {
				continue
			}
			ev.SetInput(m)
			for _, k := range ev.Call.Keys {
				p, n := ev.Call.Input.Get(k.Portable), ev.Call.Input.Get(k.Native)
				if p != nil && n != nil && !sameValue(p, n) {
					t.Fatalf("%s and %s disagree in %s", k.Portable, k.Native, ev.Call.Input.Raw())
				}
			}
			got, _ := ev.Call.NativeInputOf(m)
			if _, err := ParseObject(got.Raw()); err != nil {
				t.Fatalf("%v in %s", err, got.Raw())
			}
			for _, old := range in {
				if !got.Has(old.Name) {
					t.Fatalf("%s is gone from %s", old.Name, got.Raw())
				}
			}
			for _, k := range ev.Call.Keys {
				if got.Has(k.Portable) {
					t.Fatalf("%s got through: %s", k.Portable, got.Raw())
				}
			}
		}
	})
}
