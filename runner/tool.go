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

// Output runs a program to its end, under the rules that hold for hooks, and
// returns what it wrote to stdout. It ends with ctx. Built-in hooks so reach what
// the dispatcher does not link.
func Output(ctx context.Context, argv []string, dir string, env []string, stdin []byte) ([]byte, error) {
	last, ok := ctx.Deadline()
	if !ok {
		last = time.Now().Add(defaultTimeout)
	}
	c := command{argv: argv, dir: firstDir(dir), env: env, stdin: stdin, time: allotment{limit: last, grace: defaultGrace / 10}, drain: defaultDrain, memory: workMemory}
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

// An ExitError is how a program left that [Output] ran, and what it said of it.
type ExitError struct {
	Program string
	Code    int
	Said    string
}

func (e *ExitError) Error() string {
	return fmt.Sprintf("%s left with %d: %s", e.Program, e.Code, e.Said)
}

// Line runs a line of a shell to its end, or to that of ctx, under the rules that hold
// for hooks: the whole group ends with it. said is what it wrote to either output. shell
// stands in for a sh that is not there. An error is that it did not run, or not to its
// end.
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
	c := command{argv: argv, dir: firstDir(dir), env: env, time: allotment{limit: last, grace: defaultGrace / 10}, drain: defaultDrain}
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

// WorkVerb is the verb, of a dispatcher's own main, under which it sees work in the
// background to its end. Its main calls [Work] for it.
const WorkVerb = "__work"

// The bounds of work in the background, and of memory of any command of ours.
const (
	workTime   = 10 * time.Minute
	workMemory = 2 << 30
)

// Work runs a program within bounds, and leaves a line in the run log if it met one
// or failed: nobody waits for it who could tell.
func Work(state string, argv []string, dir string, env []string) (exit int) {
	if len(argv) == 0 {
		return 1
	}
	start := time.Now()
	c := command{argv: argv, dir: firstDir(dir), env: env, time: allotment{limit: start.Add(workTime), grace: defaultGrace}, drain: defaultDrain, memory: workMemory, alone: true}
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

// Detach starts a program that nobody waits for: in a session of its own, with
// none of our streams, out of reach of whoever kills the agent's process group.
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
