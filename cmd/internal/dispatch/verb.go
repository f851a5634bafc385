package dispatch

import (
	"io"

	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/runner"
)

// Verb runs the verbs that need no command line framework: run, and the hidden
// one of the async supervisor. ok is false for every other word.
func Verb(h host.Host, args []string, stdin io.Reader, stdout, stderr io.Writer) (exit int, ok bool) {
	switch args[0] {
	case "run":
		return Run(h, args[1:], stdin, stdout, stderr), true
	case runner.SuperviseVerb:
		return runner.Supervise(stdin, h.Env, func(name, state string) discovery.Builtin { return supervised(h, name, state) }), true
	}
	return 0, false
}

// supervised is the function of an async built-in hook, nil if there is none of
// that name. Its settings are read anew: the event that it is for is over.
func supervised(h host.Host, name, state string) discovery.Builtin {
	return builtin.Find(builtin.World(h, state, builtin.Settings(h.Sources())), name)
}
