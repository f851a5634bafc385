// Package shapes has the tool calls of each agent: a payload of every tool that runs
// commands, changes files, reads, searches, fetches or starts an agent, as the agent
// sends it, captured if there is a capture. A command, a change, a file or a question
// can be inserted; it then appears where that tool has it, in a line, a list, a patch
// or a named member, and the agent's own dialect reads it like any other payload.
//
// payloads.jsonl is generated from protocol/*/testdata/payloads:
//
//	AGENTS_HOOKS_UPDATE=1 go test ./cmd/internal/shapes
package shapes

import (
	"bytes"
	_ "embed"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

//go:embed payloads.jsonl
var payloads []byte

// A Shape is one way in which an agent calls one of its tools.
type Shape struct {
	Agent *protocol.Dialect
	Event string // the agent's own name for the event
	Tool  string // the agent's own name for the tool
	From  string // where the payload is from: "captured/PreToolUse"

	payload protocol.Object
	does    *protocol.Deed // what the unchanged payload does
	call    *protocol.Call // and how
	dir     string         // where it happened
}

// All are the shapes of all agents, in the order of their list.
func All() (list []Shape) {
	for line := range bytes.Lines(payloads) {
		o, err := protocol.ParseObject(line)
		if err != nil {
			continue // the test of this package reads them all
		}
		d, ok := agents.Lookup(o.Text("agent"))
		if !ok {
			continue
		}
		s := Shape{Agent: d, Event: o.Text("event"), From: o.Text("from"), payload: o.Sub("payload")}
		if s.read() {
			list = append(list, s)
		}
	}
	return list
}

// read reads what the payload does.
func (s *Shape) read() bool {
	ev := s.decode(s.payload, "/home/dev/project")
	if ev == nil || ev.Call == nil || ev.Type != protocol.PreToolCall {
		return false
	}
	s.Tool, s.dir, s.does, s.call = ev.Call.NativeName, ev.WorkDir, deed.Of(ev), ev.Call
	return true
}

// decode reads a payload that was sent in a folder.
func (s *Shape) decode(payload protocol.Object, dir string) *protocol.Event {
	events, err := s.Agent.Decode(protocol.Input{Payload: payload, Event: s.Event, WorkDir: dir, Now: time.Now()})
	if err != nil || len(events) == 0 {
		return nil
	}
	return events[0]
}

// A Call is a payload with something inserted.
type Call struct {
	Event   *protocol.Event
	Payload protocol.Raw
}

// Run is a call of the tool with a shell line, in a folder. ok is false if it runs
// none.
func (s *Shape) Run(line, dir string) (c Call, ok bool) {
	if len(s.does.Commands) == 0 {
		return c, false
	}
	at := s.place(dir)
	c, ok = s.with(dir, writing{
		text: func(text string) (string, bool) {
			if trimmed := strings.TrimSpace(text); trimmed != "" && slices.Contains(s.does.Lines, trimmed) || slices.Contains(s.does.Lines, text) {
				if strings.HasSuffix(text, "\n") {
					return line + "\n", true
				}
				return line, true
			}
			return at(text), false
		},
		list: func(words []string) ([]string, bool) {
			if !slices.ContainsFunc(s.does.Commands, func(c protocol.Command) bool { return len(words) > 0 && slices.Equal(c.Argv, words) }) {
				return nil, false
			}
			if plain(line) {
				return strings.Fields(line), true
			}
			return []string{"bash", "-lc", line}, true
		},
		program: func(words []string) ([]string, bool) {
			return []string{"bash", "-lc", line}, slices.ContainsFunc(s.does.Commands, func(c protocol.Command) bool { return slices.Equal(c.Argv, words) })
		},
	})
	if !ok {
		return c, false
	}
	d := deed.Of(c.Event)
	return c, slices.ContainsFunc(d.Lines, func(have string) bool { return strings.TrimSpace(have) == line }) || slices.ContainsFunc(d.Commands, func(have protocol.Command) bool {
		return have.Text == line || strings.HasSuffix(have.Text, line) || slices.Equal(have.Argv, strings.Fields(line))
	})
}

// plain reports whether a line's words are simply what is between its blanks.
func plain(line string) bool {
	return !strings.ContainsAny(line, "\"'`$\\;&|<>(){}[]*?!#~\n")
}

// place moves a path of the payload's folder into another one.
func (s *Shape) place(dir string) func(string) string {
	return func(text string) string {
		rest, ok := strings.CutPrefix(text, s.dir)
		if !ok || s.dir == "" || rest != "" && rest[0] != '/' {
			return text
		}
		return dir + rest
	}
}

// Change is a call of the tool that makes a change, in a folder. ok is false if it
// makes none of that kind.
func (s *Shape) Change(want protocol.Change, dir string) (c Call, ok bool) {
	if len(s.does.Changes) == 0 {
		return c, false
	}
	at := s.place(dir)
	c, ok = s.with(dir, writing{
		name: func(name string) (string, bool) { return s.path(name, want, dir) },
		text: func(text string) (string, bool) {
			if patch, ok := patched(text, want, dir); ok {
				return patch, true
			}
			if path, ok := s.path(text, want, dir); ok {
				return path, true
			}
			for _, have := range s.does.Changes {
				switch {
				case have.HasNew && have.New != "" && (text == have.New || text == strings.TrimSuffix(have.New, "\n")):
					return want.New, true
				case have.HasOld && have.Old != "" && text == have.Old && want.HasOld:
					return want.Old, true
				}
			}
			return at(text), false
		},
	})
	if !ok {
		return c, false
	}
	return c, slices.ContainsFunc(deed.Of(c.Event).Changes, func(have protocol.Change) bool {
		if have.Path != want.Path && have.To != want.Path {
			return false
		}
		return !want.HasNew || have.HasNew && strings.Contains(have.New, strings.TrimSpace(want.New))
	})
}

// path is a change's path, for a text of the payload that is one, in the agent's
// form: absolute, or relative to the folder.
func (s *Shape) path(text string, want protocol.Change, dir string) (string, bool) {
	bare := strings.TrimPrefix(text, "file://")
	if bare == "" || strings.ContainsAny(bare, "\n ") {
		return "", false
	}
	full := bare
	if !strings.HasPrefix(full, "/") {
		full = s.dir + "/" + bare
	}
	full = filepath.ToSlash(filepath.Clean(full))
	for _, have := range s.does.Changes {
		switch {
		case full != have.Path && full != have.To:
			continue
		case have.To == full && have.To != "" || have.To == "":
			if bare[0] != '/' {
				return Relative(want.Path, dir), true
			}
			return strings.TrimSuffix(text, bare) + want.Path, true
		}
	}
	return "", false
}

// Relative is a path relative to a folder, if it is below it.
func Relative(path, dir string) string {
	if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/")+"/"); ok {
		return rest
	}
	return path
}

// subjects are the members with the subject of a call of a portable tool that neither
// runs nor changes anything; none for other tools.
func subjects(tool string) []string {
	switch tool {
	case protocol.ReadFile:
		return []string{"file_path"}
	case protocol.Search:
		return []string{"pattern", "path"}
	case protocol.Fetch:
		return []string{"url"}
	case protocol.WebSearch:
		return []string{"query"}
	case protocol.Task:
		return []string{"prompt", "description", "subagent_type"}
	}
	return nil
}

// Ask is a call of the tool on the subject of another call of its kind, in a folder:
// the same file, pattern, address or question. ok is false if it is of another kind,
// or has no place for that.
func (s *Shape) Ask(want *protocol.Call, dir string) (c Call, ok bool) {
	if s.call.Name != want.Name {
		return c, false
	}
	better := map[string]string{} // the payload's own texts
	for _, key := range subjects(want.Name) {
		if have, text := s.call.Input.Text(key), want.Input.Text(key); have != "" && text != "" {
			if strings.HasSuffix(key, "path") && have[0] != '/' {
				text = Relative(text, dir) // in the agent's form
			}
			better[have] = text
		}
	}
	at := s.place(dir)
	put := writing{text: func(text string) (string, bool) {
		for have, other := range better {
			if text == have {
				return other, true
			} else if strings.Contains(have, "://") && strings.Contains(text, have) {
				return strings.ReplaceAll(text, have, other), true
			}
		}
		return at(text), false
	}}
	if c, ok = s.with(dir, put); ok || len(subjects(want.Name)) == 0 {
		return c, ok
	}
	// A list holds it: of several, it is the first.
	if have, text := firstText(s.call.NativeInput.Raw()), want.Input.Text(subjects(want.Name)[0]); have != "" && text != "" {
		better = map[string]string{have: text}
	}
	return s.with(dir, put)
}

// firstText is the first text in a value: what a list of files or questions begins with.
func firstText(v protocol.Raw) string {
	switch {
	case len(v) == 0:
	case v[0] == '"':
		text := protocol.TextOf(v)
		if len(text) > 1 && (text[0] == '[' || text[0] == '{') && protocol.ValidValue([]byte(text)) == nil {
			return firstText(protocol.Raw(text))
		}
		return text
	case v[0] == '[':
		for _, e := range protocol.ElementsOf(v) {
			if text := firstText(e); text != "" {
				return text
			}
		}
	case v[0] == '{':
		for _, m := range protocol.ObjectOf(v) {
			if text := firstText(m.Value); text != "" {
				return text
			}
		}
	}
	return ""
}

// with is the payload rewritten; ok is false if nothing in it changed.
func (s *Shape) with(dir string, w writing) (c Call, ok bool) {
	payload := w.object(s.payload)
	if !w.done {
		return c, false
	}
	ev := s.decode(payload, dir)
	if ev == nil || ev.Call == nil {
		return c, false
	}
	return Call{ev, payload.Raw()}, true
}
