//go:build unix

package runner

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// ask has hooks asked about an event of a session that can be blocked, or not.
func ask(t *testing.T, state, id string, typ protocol.EventType, can protocol.Can, blocks bool) Report {
	t.Helper()
	r := newRunner(t)
	r.Session = OpenSession(state, "agent", id)
	r.Builtin = func(string) Builtin {
		return func(_ context.Context, _ []string, _ []byte, _, stderr io.Writer) int {
			if !blocks {
				return 0
			}
			io.WriteString(stderr, "no")
			return 2
		}
	}
	ev := event(typ)
	ev.SessionID, ev.Can = id, can
	s := set(on(typ, builtin("silent")))
	s.Settings.Enabled = true
	return r.Run(context.Background(), ev, s)
}

const notBlock = protocol.CanAll &^ protocol.CanBlock

// HM-AGT-41 to HM-AGT-43: a block that its event cannot carry is given once, at the
// next event of that session that can carry it, and at no other.
func TestABlockIsOwed(t *testing.T) {
	t.Parallel()
	type step struct {
		id     string
		typ    protocol.EventType
		can    protocol.Can
		blocks bool
		given  bool // though no hook blocks it
	}
	const session, prompt, tool, stop = protocol.PreSession, protocol.PreAgentTurn, protocol.PreToolCall, protocol.PreAgentTurnStop
	for name, steps := range map[string][]step{
		"at the first prompt":                    {{"a", session, notBlock, true, false}, {"a", prompt, protocol.CanAll, false, true}, {"a", prompt, protocol.CanAll, false, false}, {"a", tool, protocol.CanAll, false, false}},
		"else at the first tool call":            {{"a", session, notBlock, true, false}, {"a", prompt, notBlock, false, false}, {"a", tool, protocol.CanAll, false, true}, {"a", tool, protocol.CanAll, false, false}},
		"of a prompt at the tool call":           {{"a", prompt, notBlock, true, false}, {"a", tool, protocol.CanAll, false, true}},
		"of both at once":                        {{"a", session, notBlock, true, false}, {"a", prompt, notBlock, true, false}, {"a", tool, protocol.CanAll, false, true}, {"a", tool, protocol.CanAll, false, false}},
		"not of a prompt before":                 {{"a", prompt, notBlock, true, false}, {"a", prompt, notBlock, false, false}, {"a", tool, protocol.CanAll, false, false}},
		"not in a session that began anew":       {{"a", session, notBlock, true, false}, {"a", session, notBlock, false, false}, {"a", prompt, protocol.CanAll, false, false}},
		"nor a prompt of before it did":          {{"a", prompt, notBlock, true, false}, {"a", session, notBlock, false, false}, {"a", tool, protocol.CanAll, false, false}},
		"not in another session":                 {{"a", session, notBlock, true, false}, {"b", prompt, protocol.CanAll, false, false}, {"a", prompt, protocol.CanAll, false, true}},
		"not at a stop":                          {{"a", session, notBlock, true, false}, {"a", stop, protocol.CanAll, false, false}, {"a", tool, protocol.CanAll, false, true}},
		"not where the event carried it":         {{"a", session, protocol.CanAll, true, false}, {"a", prompt, protocol.CanAll, false, false}},
		"nor without a session":                  {{"", session, notBlock, true, false}, {"", prompt, protocol.CanAll, false, false}},
		"not at a tool call that cannot be kept": {{"a", session, notBlock, true, false}, {"a", tool, notBlock, false, false}, {"a", prompt, protocol.CanAll, false, true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := t.TempDir()
			for i, s := range steps {
				rep := ask(t, state, s.id, s.typ, s.can, s.blocks)
				given := rep.Outcome.Decision == protocol.Block && len(rep.Results) == 0
				if given != s.given {
					t.Errorf("step %d, %s: given %v, want %v", i, s.typ, given, s.given)
				}
				if given && (!strings.HasPrefix(rep.Outcome.Reason, "[silent] no\n") || len(rep.Warnings) == 0 || rep.Warnings[0].Hook != "silent") {
					t.Errorf("step %d: %q, %v", i, rep.Outcome.Reason, rep.Warnings)
				}
				if owed := s.blocks && s.can == notBlock && s.id != ""; rep.Owed != owed {
					t.Errorf("step %d: owed %v, want %v", i, rep.Owed, owed)
				}
			}
		})
	}
}

// Two windows on one session are both told, or one of them; after that nobody is.
func TestOwedInTwoWindows(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	ask(t, state, "a", protocol.PreSession, notBlock, true)
	var mu sync.Mutex
	var wg sync.WaitGroup
	given := 0
	for range 8 {
		wg.Go(func() {
			if ask(t, state, "a", protocol.PreAgentTurn, protocol.CanAll, false).Outcome.Decision == protocol.Block {
				mu.Lock()
				given++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if given == 0 {
		t.Error("nobody was told")
	}
	if ask(t, state, "a", protocol.PreAgentTurn, protocol.CanAll, false).Outcome.Decision == protocol.Block {
		t.Error("told once more")
	}
}

// What cannot be kept is not owed, and what is no JSON, or of an event that cannot
// be owed, blocks nobody.
func TestOwedCannotBeKept(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	file := filepath.Join(state, "sessions")
	must.Write(t, file, "")
	if rep := ask(t, state, "a", protocol.PreSession, notBlock, true); rep.Owed || rep.Outcome.Decision != protocol.Block {
		t.Errorf("%+v", rep)
	}
	os.Remove(file)
	must.Do(t, os.MkdirAll(filepath.Join(file, "a"), 0o700))
	for _, text := range []string{"", "{", "[]", `{"pre-session": "x"}`, `{"pre-tool-call": ["a", "b"]}`, `{"pre-session": ["a"]}`} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			must.Write(t, filepath.Join(file, "a", "agent.owed"), text)
			if rep := ask(t, state, "a", protocol.PreToolCall, protocol.CanAll, false); rep.Outcome.Decision == protocol.Block {
				t.Errorf("%q blocks: %+v", text, rep.Outcome)
			}
		})
	}
	ask(t, state, "a", protocol.PreSession, notBlock, true)
	r := newRunner(t)
	r.Session = OpenSession(state, "agent", "a")
	ev := event(protocol.PreAgentTurn)
	ev.Can = protocol.CanAll
	if rep := r.Run(context.Background(), ev, &discovery.Set{}); rep.Outcome.Decision == protocol.Block {
		t.Error("given with everything switched off")
	}
}
