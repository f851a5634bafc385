package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"
)

// Exit codes of every command but run, whose own are in package dispatch.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 64
)

// A usageError is a command line that cannot be understood.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// errReported ends a command with exit 1 when what is wrong was said already, by
// the command's own output.
var errReported = errors.New("reported")

// An exitCode ends a command with a code of its own: that of the hook it was.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// A hinted error carries what to do about it.
type hinted struct {
	error
	hints []string
}

func (e hinted) Unwrap() error { return e.error }

// withHint adds hint lines to an error.
func withHint(err error, hints ...string) error { return hinted{err, hints} }

// exit says an error in the one voice of the program and turns it into an exit
// code.
func (t *tool) exit(err error) int {
	if err == nil {
		return exitDone
	}
	var h hinted
	hints := []string(nil)
	if errors.As(err, &h) {
		hints = h.hints
	}
	var u usageError
	var code exitCode
	switch {
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, errReported):
		return exitFailed
	case errors.As(err, &u):
		t.say("%s", u.msg)
		t.hints(hints)
		return exitUsage
	default:
		t.say("%v", err)
		t.hints(hints)
		return exitFailed
	}
}

// onUsage is what urfave/cli calls for a bad flag; by itself it would print the
// help to stdout.
func onUsage(c *cli.Context, err error, _ bool) error {
	name := "agents-hooks"
	if c.Command != nil && c.Command.HelpName != "" {
		name = c.Command.HelpName // "agents-hooks record on"
	}
	return withHint(usageError{err.Error()}, name+" --help")
}
