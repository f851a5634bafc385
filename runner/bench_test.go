//go:build unix

package runner

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// BenchmarkProcess is one sh hook in a warm dispatcher: all of the safety kit,
// against the bare start of the same script.
func BenchmarkProcess(b *testing.B) {
	b.Run("bare", func(b *testing.B) {
		path := hook("read").Entry.Path
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		must.Do(b, err)
		defer null.Close()
		for b.Loop() {
			p, err := start([]string{path}, "/", testEnv(), [3]*os.File{null, null, null}, ownGroup)
			must.Do(b, err)
			p.wait()
		}
	})
	b.Run("hook", func(b *testing.B) {
		r, s, ev := newRunner(b), set(hook("read")), event(protocol.PreToolCall)
		for b.Loop() {
			if rep := r.Run(context.Background(), ev, s); rep.Outcome.Decision != protocol.Allow {
				b.Fatal(rep.Results)
			}
		}
	})
}

func BenchmarkBuiltin(b *testing.B) {
	r, s, ev := newRunner(b), set(builtin("answer")), event(protocol.PreToolCall)
	for b.Loop() {
		r.Run(context.Background(), ev, s)
	}
}

func BenchmarkNoHook(b *testing.B) {
	r, s, ev := newRunner(b), set(), event(protocol.PreToolCall)
	for b.Loop() {
		r.Run(context.Background(), ev, s)
	}
}

func BenchmarkLog(b *testing.B) {
	r, s, ev := newRunner(b), set(hook("read")), event(protocol.PreToolCall)
	rep := r.Run(context.Background(), ev, s)
	for b.Loop() {
		must.Do(b, AppendLog(r.State, NewLogLine(rep, s, time.Now(), false)))
	}
}

func BenchmarkDedup(b *testing.B) {
	s := OpenSession(b.TempDir(), "a", "s")
	id := 0
	for b.Loop() {
		id++
		_, release, _ := s.Dedup(context.Background(), "e", string(protocol.Quote(time.Duration(id).String())), "ls")
		release([]byte("{}"))
	}
}

// BenchmarkStart is what the dispatcher pays for async hooks, not what they
// take.
func BenchmarkStart(b *testing.B) {
	r, s := newRunner(b), set()
	r.Self = hook("read").Entry.Path // ends at once
	launches := []Launch{{Hook: async(hook("read")), Event: event(protocol.PreToolCall)}}
	for b.Loop() {
		if ws := r.Start(launches, s); ws != nil {
			b.Fatal(ws)
		}
	}
}
