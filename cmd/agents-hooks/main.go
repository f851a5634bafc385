// Command agents-hooks runs declarative hook folders for coding agents.
//
// A hook is a folder with a HOOK.md and a script. install writes one entry into
// an agent's configuration; from then on every hook folder in
// ~/.config/agents/hooks or a project's .agents/hooks works in that agent.
//
// The words are those of DESIGN 8: run dispatches one event; list, explain,
// validate, doctor, agents, log say what is there and why; new, test, trust,
// enable, install change things. Every reading command has --json.
package main

import (
	"io"
	"os"

	"github.com/agents-hooks/agents-hooks/cmd/internal/dispatch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

func main() {
	os.Exit(run(host.FromProcess(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run looks at the first word before anything is built: an event pays for no
// command line framework.
func run(h host.Host, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	args = helpLast(args)
	if len(args) > 0 && !asksHelp(args) {
		if exit, ok := dispatch.Verb(h, args, stdin, stdout, stderr); ok {
			return exit
		}
	}
	t := &tool{host: h, in: stdin, out: stdout, err: stderr}
	app := t.app()
	app.Commands = t.commandsFor(args)
	return t.exit(app.Run(append([]string{"agents-hooks"}, flagsFirst(app.Commands, args)...)))
}
