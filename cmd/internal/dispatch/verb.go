package dispatch

import (
	"cmp"
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
		return runner.Supervise(stdin, h.Env, func(name, state string) discovery.Builtin { return supervised(h, args[1:], name, state) }), true
	}
	return 0, false
}

// supervised is the function of an async built-in hook, nil if there is none of
// that name. Its settings are read anew, where the dispatcher read them: the
// event that it is for is over.
func supervised(h host.Host, args []string, name, state string) discovery.Builtin {
	o := parseArgs(args)
	o.state = state
	src := o.sources(h, o.agent == "")
	w := builtin.World(h, state, builtin.Settings(src))
	if o.agent != "" {
		builtin.Confine(w, src)
	}
	return builtin.Find(w, name)
}

// brief is what the supervisor of async hooks has to know of the arguments.
func (o *options) brief(specForm bool) []string {
	var args []string
	if !specForm {
		args = append(args, "--agent="+cmp.Or(o.agent, "any")) // which one does not matter
	}
	if o.config != "" {
		args = append(args, "--config="+o.config)
	}
	if o.trust {
		args = append(args, "--trust=always")
	}
	if o.noProject {
		args = append(args, "--no-project")
	}
	return args
}
