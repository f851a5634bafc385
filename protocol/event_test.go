package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func TestVocabulary(t *testing.T) {
	ours := slices.DeleteFunc(EventTypes(), func(t EventType) bool { return !t.Ours() })
	if n := len(EventTypes()) - len(ours); n != 13 || len(ours) != 2 {
		t.Errorf("%d events, want 13, and %q of ours, want 2", n, ours)
	}
	for _, typ := range EventTypes() {
		if !typ.Known() {
			t.Errorf("%s is not known", typ)
		}
		if want := strings.HasPrefix(string(typ), "pre-") || typ == PermissionRequest; typ.Prevents() != want {
			t.Errorf("%s prevents: %v", typ, typ.Prevents())
		}
		if want := strings.Contains(string(typ), "tool-call") || typ == PermissionRequest; typ.IsTool() != want {
			t.Errorf("%s is a tool event: %v", typ, typ.IsTool())
		}
	}
	if EventType("before_tool").Known() || EventType("").Known() {
		t.Error("an unknown event is known")
	}
}

// One line, base fields first, context before the event's own fields, a final
// newline.
func TestEventJSON(t *testing.T) {
	ev := &Event{Type: PreToolCall, Timestamp: "2026-11-21T04:05:06.789Z", SessionID: "s\"1", WorkDir: "/p é",
		Context: Object{{"agent", Raw(`"x"`)}, {"native", Raw("{\n\"a\" : 1.0 }")}},
		Fields:  Object{{"tool_name", Raw(`"Shell"`)}, {"tool_input", Raw(`{"command":"echo \u003c"}`)}}}
	want := `{"event_type": "pre-tool-call", "timestamp": "2026-11-21T04:05:06.789Z", "session_id": "s\"1", "work_dir": "/p é", ` +
		`"context": {"agent": "x", "native": {"a": 1.0}}, "tool_name": "Shell", "tool_input": {"command": "echo <"}}` + "\n"
	if got := string(ev.JSON()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := string((&Event{}).JSON()); got != `{"event_type": "", "timestamp": "", "session_id": "", "work_dir": "", "context": {}}`+"\n" {
		t.Errorf("empty: %s", got)
	}
	c := ev.Clone()
	c.Fields.SetText("tool_name", "Other")
	c.Context.SetText("agent", "y")
	if string(ev.JSON()) != want {
		t.Error("a clone is not its own")
	}
}

func TestCan(t *testing.T) {
	if got := CanAll.String(); got != "block ask modify context continue message allow output" {
		t.Errorf("all: %q", got)
	}
	if string((CanBlock|CanMessage).Raw()) != `["block", "message"]` || string(Can(0).Raw()) != `[]` {
		t.Error("Raw")
	}
	var all Can
	for _, w := range CanAll.Words() {
		all |= CanOf(w)
	}
	if all != CanAll || CanOf("fly") != 0 {
		t.Error("CanOf")
	}
	ev := Input{Payload: Object{}}.NewEvent("a", Native{Name: "N", MapsTo: []EventType{PreSession}, Can: CanAll}, 0)
	before := ev.Context
	ev.SetCan(CanContext)
	if string(ev.Context.Get("can")) != `["context"]` || ev.Can != CanContext || string(before.Get("can")) == `["context"]` {
		t.Errorf("context %s", ev.Context.Raw())
	}
}

func TestNewEvent(t *testing.T) {
	n := Native{Name: "Stop", MapsTo: []EventType{PreAgentTurnStop, PostAgentTurn}, Can: CanBlock}
	in := Input{Payload: object(t, `{"session_id": "s", "cwd": "/p", "x": null}`), Now: time.Date(2026, 11, 21, 4, 5, 6, 7e6, time.FixedZone("x", 3600)), Version: "1.2"}
	ev := in.NewEvent("agent", n, 0)
	if want := `{"agent": "agent", "agent_version": "1.2", "native_event": "Stop", "can": ["block"], "native": {"session_id": "s", "cwd": "/p", "x": null}}`; string(ev.Context.Raw()) != want {
		t.Errorf("context %s", ev.Context.Raw())
	}
	if ev.Timestamp != "2026-11-21T03:05:06.007Z" || ev.SessionID != "s" || ev.WorkDir != "/p" || ev.Agent != "agent" || ev.NativeEvent != "Stop" {
		t.Errorf("%+v", ev)
	}
	if second := in.NewEvent("agent", n, 1); second.Can != 0 || second.Type != PostAgentTurn {
		t.Errorf("the second event: %+v", second)
	}
	// If there is no session id, the transcript distinguishes sessions.
	a := Input{Payload: object(t, `{"transcript_path": "/t/1"}`)}.NewEvent("agent", n, 0)
	b := Input{Payload: object(t, `{"transcript_path": "/t/2"}`)}.NewEvent("agent", n, 0)
	none := Input{Payload: Object{}}.NewEvent("agent", n, 0)
	if a.SessionID == "" || a.SessionID == b.SessionID || none.SessionID != "" || strings.Contains(a.SessionID, "/") {
		t.Errorf("sessions %q, %q, %q", a.SessionID, b.SessionID, none.SessionID)
	}
}

func TestFields(t *testing.T) {
	var ev Event
	p := object(t, `{"a": 1, "n": null, "t": "x"}`)
	ev.Take(p, "a")
	ev.Take(p, "n")
	ev.Take(p, "absent")
	ev.TakeAs("renamed", p, "t")
	ev.Put("text", "y")
	ev.Put("empty", "")
	ev.PutFinal("done")
	ev.PutFinal("")
	if want := `{"a": 1, "renamed": "x", "text": "y", "final_message": {"role": "assistant", "content": "done"}}`; string(ev.Fields.Raw()) != want {
		t.Errorf("fields %s", ev.Fields.Raw())
	}
}

func TestValidName(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "guard-rm": true, "a1-2b": true, strings.Repeat("a", 64): true,
		"": false, "-a": false, "a-": false, "a--b": false, "A": false, "a_b": false, "a.b": false, "ä": false, strings.Repeat("a", 65): false, "../x": false,
	} {
		t.Run(name, func(t *testing.T) {
			if ValidName(name) != want {
				t.Errorf("%q: %v", name, !want)
			}
		})
	}
}

// Validate finds the faults of a dialect.
func TestValidate(t *testing.T) {
	good := func() *Dialect {
		return &Dialect{
			ID: "x-1", Name: "X", Doc: "d",
			NativeEvents: []Native{{Name: "N", MapsTo: []EventType{PreSession}, Limit: time.Second, Source: "observed"}},
			Tools:        Tools{{Native: "t", Name: "T"}},
			Quirks:       []Quirk{{"x-1/1", "1.0", "text"}},
			Detect:       func(Object) bool { return false },
			Decode:       func(Input) ([]*Event, error) { return nil, nil },
			Encode:       func(*Event, Outcome) Reply { return Reply{} },
			NoOpinion:    Silence,
			Config:       &Config{Shape: NestedJSON, Events: "hooks", File: func(Site) string { return "" }, Unit: time.Second},
		}
	}
	must.Do(t, good().Validate())
	for name, spoil := range map[string]func(*Dialect){
		"id":             func(d *Dialect) { d.ID = "X" },
		"alias":          func(d *Dialect) { d.Aliases = []string{"a b"} },
		"name":           func(d *Dialect) { d.Name = "" },
		"doc":            func(d *Dialect) { d.Doc = "" },
		"function":       func(d *Dialect) { d.Encode = nil },
		"config":         func(d *Dialect) { d.Config.Unit = 0 },
		"no file":        func(d *Dialect) { d.Config.File = nil },
		"event twice":    func(d *Dialect) { d.NativeEvents = append(d.NativeEvents, d.NativeEvents[0]) },
		"feeds nothing":  func(d *Dialect) { d.NativeEvents[0].MapsTo = nil },
		"unknown event":  func(d *Dialect) { d.NativeEvents[0].MapsTo = []EventType{"x"} },
		"unknown other":  func(d *Dialect) { d.NativeEvents[0].Instead = []EventType{"x"} },
		"no limit":       func(d *Dialect) { d.NativeEvents[0].Limit = 0 },
		"limit too long": func(d *Dialect) { d.NativeEvents[0].Limit = time.Hour },
		"source":         func(d *Dialect) { d.NativeEvents[0].Source = "hearsay" },
		"tool twice":     func(d *Dialect) { d.Tools = append(d.Tools, d.Tools[0]) },
		"tool name":      func(d *Dialect) { d.Tools[0].Name = "" },
		"quirk number":   func(d *Dialect) { d.Quirks[0].ID = "x-1/2" },
		"quirk version":  func(d *Dialect) { d.Quirks[0].Seen = "" },
	} {
		t.Run(name, func(t *testing.T) {
			d := good()
			spoil(d)
			if err := d.Validate(); err == nil || !strings.Contains(err.Error(), d.ID) {
				t.Errorf("%s: error %v", name, err)
			}
		})
	}
}

func TestSiteJoin(t *testing.T) {
	for _, c := range []struct{ goos, dir, want string }{
		{"linux", "/a", "/a/b/c"}, {"linux", "/a/", "/a/b/c"}, {"darwin", "/", "/b/c"},
		{"windows", `C:\a`, `C:\a\b\c`}, {"windows", `C:\`, `C:\b\c`}, {"windows", `C:/a/`, `C:/a/b\c`},
	} {
		t.Run(fmt.Sprintf("%q", c.dir), func(t *testing.T) {
			if got := (Site{GOOS: c.goos}).Join(c.dir, "b", "c"); got != c.want {
				t.Errorf("%s %s: %s, want %s", c.goos, c.dir, got, c.want)
			}
		})
	}
}
