package runner

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"
)

// A Builtin is the function behind a built-in hook: it gets what a process would get as
// stdin and environment, and returns an exit code. ctx ends when the hook's time is
// over.
type Builtin func(ctx context.Context, env []string, stdin []byte, stdout, stderr io.Writer) (exit int)

// runBuiltin runs a built-in hook inside the dispatcher, behind the contract of
// a process: bytes in, bytes out, an exit code, a time limit. A panic is a
// failure, never a 2. Code that does not come back is left behind at its limit;
// the process ends soon after, and takes it along.
func runBuiltin(ctx context.Context, f Builtin, env []string, stdin []byte, t deadlines) exitState {
	ctx, cancel := context.WithDeadline(ctx, t.limit)
	defer cancel()
	stdout, stderr := &sink{max: maxStdout}, &sink{max: maxStderr}
	ended := make(chan exitState, 1)
	go func() {
		e := exitState{status: status{exit: -1}, panicked: "left without an exit code"}
		defer func() {
			if p := recover(); p != nil {
				e.panicked = panicText(p)
			}
			ended <- e
		}()
		e.exit = f(ctx, env, stdin, stdout, stderr)
		e.panicked = ""
	}()
	var e exitState
	select {
	case e = <-ended:
	case <-ctx.Done():
		select {
		case e = <-ended: // both at once: the exit code wins
		default:
			e = exitState{status: status{exit: -1}, stop: builtinStop(ctx, t)}
		}
	}
	e.stdout, e.stderr = stdout.close(), stderr.close()
	return e
}

func builtinStop(ctx context.Context, t deadlines) stop {
	switch {
	case ctx.Err() != context.DeadlineExceeded:
		return cancelled
	case t.event || !time.Now().Before(t.last) && !t.last.IsZero():
		return eventLimit
	}
	return ownLimit
}

// panicText is a panic and the place in our code where it happened.
func panicText(p any) string {
	text := fmt.Sprint(p)
	lines := strings.Split(string(debug.Stack()), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") && i+3 < len(lines) {
			place, _, _ := strings.Cut(strings.TrimSpace(lines[i+3]), " +0x")
			return text + " at " + place
		}
	}
	return text
}
