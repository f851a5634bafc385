package dispatch

import (
	"io"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/runner"
)

// Verb runs the verbs that need no command line framework: run, and the hidden
// one of the async supervisor. ok is false for every other word.
func Verb(h host.Host, args []string, stdin io.Reader, stdout, stderr io.Writer) (exit int, ok bool) {
	switch args[0] {
	case "run":
		return Run(h, args[1:], stdin, stdout, stderr), true
	case runner.SuperviseVerb:
		return runner.Supervise(stdin, h.Env, nil), true
	}
	return 0, false
}
