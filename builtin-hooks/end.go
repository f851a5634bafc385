package builtinhooks

import (
	"context"
	"strconv"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	engine "github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	memory "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/hooks"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A SessionEnd is what the worker of memory is told of a session that is over.
type SessionEnd struct {
	Dir, Session, Reason, Error string
	DurationMS                  int64
}

// EndSession is what memory does once a session is over, in a process that nobody
// waits for. sync brings the search index up to date; nil if there is none.
func EndSession(ctx context.Context, w *Runtime, env []string, end SessionEnd, sync func(engine.Place) error) error {
	b := memory.Behaviour()
	var ev protocol.Object
	ev.SetText("event_type", string(protocol.PostSession))
	ev.SetText("session_id", end.Session)
	ev.SetText("work_dir", end.Dir)
	ev.SetText("exit_reason", end.Reason)
	ev.Set("duration_ms", strconv.AppendInt(nil, end.DurationMS, 10))
	return memory.Work(behaviour.NewCall(ctx, &b, w, env, ev), engine.End{
		Session: end.Session, Reason: end.Reason, Error: end.Error, DurationMS: end.DurationMS,
	}, sync)
}
