package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Output runs a program to its end, with the same limits as hooks, and returns its
// stdout. It ends with ctx. Built-in hooks use it for what the dispatcher does not
// link.
func Output(ctx context.Context, argv []string, dir string, env []string, stdin []byte) ([]byte, error) {
	last, ok := ctx.Deadline()
	if !ok {
		last = time.Now().Add(defaultTimeout)
	}
	c := command{argv: argv, dir: firstDir(dir), env: env, stdin: stdin, time: deadlines{limit: last, grace: defaultGrace / 10}, drain: defaultDrain, memory: workMemory}
	e := c.run(ctx)
	switch {
	case e.err != nil:
		return nil, explain(argv, e.err)
	case e.stop != notStopped:
		return nil, fmt.Errorf("%s took too long", argv[0])
	case e.stdout.over:
		return nil, fmt.Errorf("%s wrote more than %d KiB", argv[0], maxStdout>>10)
	case e.exit != 0:
		return e.stdout.data, &ExitError{argv[0], e.exit, strings.TrimSpace(text.HeadBytes(string(e.stderr.data), 400))}
	}
	return e.stdout.data, nil
}

// An ExitError is the exit code of a program that [Output] ran, and its stderr.
type ExitError struct {
	Program string
	Code    int
	Said    string
}

func (e *ExitError) Error() string {
	return fmt.Sprintf("%s left with %d: %s", e.Program, e.Code, e.Said)
}

// Line runs a shell line until it or ctx ends, with the same limits as hooks: the whole
// process group ends with it. said is its output, stdout and stderr. shell is used if
// there is no sh. An error means that it did not run, or not to its end.
func Line(ctx context.Context, line, dir string, env, shell []string) (exit int, said string, err error) {
	front := shell
	if sh := lookPath("sh", env); sh != "" {
		front = []string{sh}
	}
	if len(front) == 0 {
		return -1, "", launchErrorf("there is no sh in PATH %q", variable(env, "PATH"))
	}
	last, ok := ctx.Deadline()
	if !ok {
		last = time.Now().Add(defaultTimeout)
	}
	argv := append(slices.Clone(front), "-c", "{ "+line+"\n} 2>&1")
	c := command{argv: argv, dir: firstDir(dir), env: env, time: deadlines{limit: last, grace: defaultGrace / 10}, drain: defaultDrain}
	e := c.run(ctx)
	switch {
	case e.err != nil:
		return -1, "", explain(argv, e.err)
	case e.stop == cancelled:
		return -1, string(e.stdout.data), context.Cause(ctx)
	case e.stop != notStopped:
		return -1, string(e.stdout.data), context.DeadlineExceeded
	}
	return e.exit, string(e.stdout.data), nil
}

// WorkVerb is the verb with which a dispatcher's own main supervises background work.
// Its main calls [Work] for it.
const WorkVerb = "__work"

// The bounds of work in the background, and of memory of any command of ours.
const (
	workTime   = 10 * time.Minute
	workMemory = 2 << 30
)

// Work runs a program within limits, and writes a line to the run log if it exceeded
// one or failed, since nobody waits for it.
func Work(state string, argv []string, dir string, env []string) (exit int) {
	if len(argv) == 0 {
		return 1
	}
	start := time.Now()
	c := command{argv: argv, dir: firstDir(dir), env: env, time: deadlines{limit: start.Add(workTime), grace: defaultGrace}, drain: defaultDrain, memory: workMemory, alone: true}
	e := c.run(context.Background())
	if e.err == nil && e.stop == notStopped && e.exit == 0 {
		return 0
	}
	how := fmt.Sprintf("left with %d", e.exit)
	switch {
	case e.err != nil:
		how = explain(argv, e.err).Error()
	case e.stop != notStopped:
		how = fmt.Sprintf("was stopped after %s", workTime)
	case e.signal != "":
		how = "was ended by " + e.signal
	}
	line := LogLine{Time: start, Duration: time.Since(start), Decision: protocol.NoOpinion.String(), Warnings: []Warning{{
		Kind: "background", Text: text.Clip(fmt.Sprintf("%s %s: %s", strings.Join(argv[1:], " "), how, strings.TrimSpace(string(e.stderr.data))), 2000),
	}}}
	if err := AppendLog(state, &line); err != nil {
		return 1
	}
	return 0
}

// Detach starts a program in the background: in its own session, with none of our
// streams, so that killing the agent's process group does not reach it.
func Detach(argv []string, dir string, env []string) error {
	if len(argv) == 0 || argv[0] == "" {
		return errors.New("there is no program to start")
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	p, err := start(argv, firstDir(dir), env, [3]*os.File{null, null, null}, ownSession)
	if err != nil {
		return explain(argv, err)
	}
	go p.wait() // a process that lives on, such as a test, leaves no zombie
	return nil
}
