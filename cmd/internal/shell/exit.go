package shell

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/examples"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Exit codes of every command except run, whose own are in package dispatch.
const (
	ExitDone   = 0
	exitFailed = 1
	ExitUsage  = 64
	// ExitInterrupted is the exit code that a shell reports for a program ended by
	// Ctrl-C.
	ExitInterrupted = 130
)

// A usageError is a command line that cannot be understood.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

// Usagef is an error in the command line: exit 64.
func Usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// ErrReported ends a command with exit 1 if its own output has already said what is
// wrong.
var ErrReported = errors.New("reported")

// ErrStopped ends a command that Ctrl-C ended while it was at work.
var ErrStopped = errors.New("interrupted")

// An ExitCode ends a command with a specific code: a hook's.
type ExitCode int

func (e ExitCode) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// A Hinted error has hints on what to do about it.
type Hinted struct {
	error
	Hints []string
}

// Unwrap is the error without the hints.
func (e Hinted) Unwrap() error { return e.error }

// WithHint adds hint lines to an error.
func WithHint(err error, hints ...string) error { return Hinted{err, hints} }

// help is where the command that ran is documented.
func (sh *Shell) help() []string {
	if sh.running == "" {
		return []string{sh.Name + " --help"}
	}
	if lines := examples.Of(sh.running); lines != nil {
		line, _, _ := strings.Cut(lines[0], "  # ")
		return []string{"for example: " + strings.TrimSpace(line), sh.running + " --help"}
	}
	return []string{sh.running + " --help"}
}

// exit prints an error in the program's usual form and turns it into an exit code.
func (sh *Shell) exit(err error) int {
	code := sh.told(err)
	if sh.interrupted {
		return ExitInterrupted
	}
	return code
}

func (sh *Shell) told(err error) int {
	if err == nil {
		return ExitDone
	}
	var h Hinted
	hints := []string(nil)
	if errors.As(err, &h) {
		hints = h.Hints
	}
	var u usageError
	var code ExitCode
	switch {
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, ErrReported):
		return exitFailed
	case errors.As(err, &u):
		if hints == nil {
			hints = sh.help()
		}
		sh.fault(codeUsage, u.msg, hints)
		return ExitUsage
	case errors.Is(err, ErrStopped), errors.Is(err, context.Canceled):
		sh.fault(CodeFailed, err.Error(), nil)
		return ExitInterrupted
	default:
		said, fix := sh.Wrong(err)
		if fix != "" && len(hints) == 0 {
			hints = []string{fix}
		}
		if len(hints) == 0 && sh.running != "" && !errors.Is(err, ErrDeclined) && !errors.Is(err, ErrInterrupted) && !errors.Is(err, errNoAnswer) {
			hints = []string{sh.running + " --help"}
		}
		sh.fault(CodeFailed, said, hints)
		return exitFailed
	}
}

// What the error of a command that was asked for JSON is called in it.
const (
	CodeFailed = "FAILED"
	codeUsage  = "USAGE"
)

// fault says what went wrong and what to do about it. A program that asked for JSON gets
// it as its document too, unless it has had one.
func (sh *Shell) fault(code, what string, hints []string) {
	sh.Say("%s", what)
	sh.Hints(hints)
	switch doc := sh.ErrorDoc(code, what, hints); { // it is on stderr, too
	case sh.answered:
	case sh.oneLine && !sh.Person():
		doc["status"], doc["reason"] = "error", protocol.Plain(what)
		_ = sh.Line(doc)
	case sh.askedJSON():
		_ = sh.JSON(doc)
	}
}

// ErrorDoc is the document of a command that has no answer: spec/error.schema.json.
func (sh *Shell) ErrorDoc(code, what string, hints []string) map[string]any {
	return map[string]any{"schema": 1, "error": map[string]string{
		"code": code, "message": protocol.Plain(what), "fix": protocol.Plain(sh.Carried(strings.Join(hints, "\n"))),
	}}
}

// askedJSON reports whether a command line asks for JSON, also one that cannot be
// parsed.
func (sh *Shell) askedJSON() (asked bool) {
	if sh.parsed != nil {
		return sh.parsed.Bool("json")
	}
	for _, w := range sh.typed {
		if w == "--" {
			break
		}
		switch name, value, inline := strings.Cut(w, "="); {
		case name != "--json" && name != "-json":
		case inline:
			asked, _ = strconv.ParseBool(value)
		default:
			asked = true
		}
	}
	return asked
}
