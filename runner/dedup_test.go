//go:build unix

package runner

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// One tool use, two callers, one run and one answer.
func TestDedup(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	ctx := context.Background()
	open := func() *Session { return OpenSession(state, "a", "s") }
	_, release, hit := open().Dedup(ctx, "pre-tool-call", "t1", "ls")
	if hit {
		t.Fatal("the first caller is no second one")
	}
	release([]byte("answer\x00"))
	if answer, _, hit := open().Dedup(ctx, "pre-tool-call", "t1", "ls"); !hit || string(answer) != "answer\x00" {
		t.Errorf("second caller: %q, %v", answer, hit)
	}
	for what, s := range map[string]struct{ agent, session, event, id, said string }{
		"another id":      {"a", "s", "pre-tool-call", "t2", "ls"},
		"another event":   {"a", "s", "post-tool-call", "t1", "ls"},
		"another session": {"a", "r", "pre-tool-call", "t1", "ls"},
		"another agent":   {"b", "s", "pre-tool-call", "t1", "ls"},
		"another command": {"a", "s", "pre-tool-call", "t1", "rm -rf /"},
		"a moved border":  {"a", "s", "pre-tool-cal", "lt1", "ls"},
		"no id":           {"a", "s", "pre-tool-call", "", "ls"},
		"no session":      {"a", "", "pre-tool-call", "t1", "ls"},
	} {
		t.Run(what, func(t *testing.T) {
			_, release, hit := OpenSession(state, s.agent, s.session).Dedup(ctx, s.event, s.id, s.said)
			if hit {
				t.Errorf("%s: a hit", what)
			}
			release(nil)
		})
	}
	_, release, _ = open().Dedup(ctx, "e", "empty", "ls")
	release([]byte{})
	if answer, _, hit := open().Dedup(ctx, "e", "empty", "ls"); !hit || len(answer) != 0 {
		t.Errorf("an empty answer is one: %q, %v", answer, hit)
	}
	_, release, _ = open().Dedup(ctx, "e", "none", "ls")
	release(nil)
	if _, _, hit := open().Dedup(ctx, "e", "none", "ls"); hit {
		t.Error("a caller without an answer gave one")
	}
	var none *Session
	if _, release, hit := none.Dedup(ctx, "e", "x", "ls"); hit {
		t.Error("a hit without a session")
	} else {
		release([]byte("x"))
	}
}

// An answer stands for two seconds, and is then cleared away by one call in
// sweepEvery. It does not run beside other tests: a process that one of them forks
// has our open files, and so their locks, until it starts its program, and what is
// locked is not cleared away.
func TestDedupWindow(t *testing.T) {
	state := t.TempDir()
	ctx := context.Background()
	s := OpenSession(state, "a", "s")
	dir := filepath.Join(state, "dedup")
	long := time.Now().Add(-3 * time.Second)
	var entries []os.DirEntry
	for n := range sweepEvery - 1 {
		id := "held"
		if n > 0 {
			id = strconv.Itoa(n)
		}
		_, release, _ := s.Dedup(ctx, "e", id, "ls")
		release([]byte("x"))
		entries, _ = os.ReadDir(dir)
		for _, e := range entries {
			os.Chtimes(filepath.Join(dir, e.Name()), long, long)
		}
	}
	if len(entries) != sweepEvery-1 {
		t.Fatalf("%d files, want all that there were", len(entries))
	}
	_, releaseHeld, hit := s.Dedup(ctx, "e", "held", "ls")
	if hit {
		t.Error("an answer of three seconds ago was given")
	}
	for _, e := range entries { // Dedup changed the time of the held one
		os.Chtimes(filepath.Join(dir, e.Name()), long, long)
	}
	_, release, _ := s.Dedup(ctx, "e", "new", "ls")
	release([]byte("y"))
	if entries, _ = os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("%d files are left, want the new one and the held one", len(entries))
	}
	releaseHeld([]byte("z"))
	if answer, _, hit := s.Dedup(ctx, "e", "held", "ls"); !hit || string(answer) != "z" {
		t.Errorf("the held one: %q, %v", answer, hit)
	}
}

// Two callers at once: the second waits for the answer of the first, which is
// another process here, and runs itself if that is killed.
func TestDedupConcurrent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule string
		end  func(p *process, state string)
		hit  bool
	}{
		{"the second waits", func(_ *process, state string) { write(filepath.Join(state, "go"), "", 0o600) }, true},
		{"the first died", func(p *process, _ string) { p.kill() }, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			state := t.TempDir()
			p := startRole(t, "dedup", os.Stderr, "STATE="+state)
			eventually(t, "the first caller has the event", func() bool {
				_, err := os.Stat(filepath.Join(state, "claimed"))
				return err == nil
			})
			short, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			if _, _, hit := OpenSession(state, "a", "s").Dedup(short, "e", "id", "ls"); hit {
				t.Error("an answer before there is one")
			}
			type reply struct {
				answer []byte
				hit    bool
			}
			got := make(chan reply, 1)
			go func() {
				answer, release, hit := OpenSession(state, "a", "s").Dedup(context.Background(), "e", "id", "ls")
				release([]byte("mine"))
				got <- reply{answer, hit}
			}()
			select {
			case r := <-got:
				t.Fatalf("the second did not wait: %+v", r)
			case <-time.After(50 * time.Millisecond):
			}
			c.end(p, state)
			r := guarded(t, func() reply { return <-got })
			guarded(t, p.wait)
			if r.hit != c.hit || c.hit && !bytes.Equal(r.answer, []byte("theirs")) {
				t.Errorf("%q, %v", r.answer, r.hit)
			}
		})
	}
}

// dedupFirst is the first of two callers.
func dedupFirst() int {
	state := os.Getenv("STATE")
	_, release, hit := OpenSession(state, "a", "s").Dedup(context.Background(), "e", "id", "ls")
	if hit {
		return 1
	}
	write(filepath.Join(state, "claimed"), "", 0o600)
	for {
		if _, err := os.Stat(filepath.Join(state, "go")); err == nil {
			release([]byte("theirs"))
			return 0
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// 24 dispatchers of one session at once. Every line of the log is whole,
// every count exact, every hook ran.
func TestManyDispatchers(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	const events = 5
	dispatchers := slowtest.Count(8, 24)
	var ps []*process
	for range dispatchers {
		ps = append(ps, startRole(t, "dispatcher", os.Stderr, "STATE="+state, "HOOK="+hook("block").Entry.Path))
	}
	for _, p := range ps {
		if s := guarded(t, p.wait); s.exit != 0 {
			t.Fatalf("a dispatcher left with %+v", s)
		}
	}
	lines := readLog(t, state)
	if len(lines) != dispatchers*events {
		t.Errorf("%d lines; want %d", len(lines), dispatchers*events)
	}
	ids := map[string]bool{}
	for _, l := range lines {
		ids[l.ID] = true
		if len(l.Hooks) != 1 || l.Hooks[0].Result != Blocked || l.Decision != "block" {
			t.Errorf("%+v", l)
		}
	}
	if len(ids) != dispatchers*events {
		t.Errorf("%d ids", len(ids))
	}
	entries, _ := os.ReadDir(filepath.Join(state, "log")) // two, at midnight
	raw := ""
	for _, e := range entries {
		raw += must.Read(t, filepath.Join(state, "log", e.Name()))
	}
	written := 0
	for line := range strings.Lines(raw) {
		if line != "\n" { // as one leaves who looked while another wrote
			written++
		}
	}
	if written != dispatchers*events {
		t.Errorf("the log has %d lines, %d can be read", written, len(lines))
	}
	s := OpenSession(state, "a", "s")
	if _, total := s.StopCount(); total != dispatchers*events {
		t.Errorf("counted to %d, want %d", total, dispatchers*events)
	}
	if once(s, "notice") {
		t.Error("the notice was not recorded")
	}
}

func dispatcher() int {
	state := os.Getenv("STATE")
	r := &Runner{Env: testEnv(), State: state}
	for range 5 {
		start := time.Now()
		s := set(entryHook(os.Getenv("HOOK")))
		rep := r.Run(context.Background(), event("pre-tool-call"), s)
		session := OpenSession(state, "a", "s")
		session.AllowContinue(Limits{Row: 1 << 20, Total: 1 << 20})
		once(session, "notice")
		if len(session.Warnings()) > 0 || AppendLog(state, NewLogLine(rep, s, start, false)) != nil {
			return 1
		}
	}
	return 0
}
