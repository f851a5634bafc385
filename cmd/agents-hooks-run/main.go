// Command agents-hooks-run dispatches events and does nothing else: it is the run verb
// of agents-hooks without its command line. If it is beside agents-hooks, install
// writes it into the agents' configurations, so that an event does not pay for
// libraries that only other commands need.
package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/agents-hooks/agents-hooks/cmd/internal/dispatch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	_ "github.com/agents-hooks/agents-hooks/cmd/internal/onecore"
)

func main() {
	deepen(false)
	os.Exit(run(os.Args[1:]))
}

// deepen has the stack grow at once to what an event needs, while there is next to
// nothing on it: to double it on the way, four times, is to walk all frames each time.
//
//go:noinline
func deepen(use bool) {
	if use {
		var room [16 << 10]byte
		touch(&room)
	}
}

//go:noinline
func touch(room *[16 << 10]byte) { room[0] = 1 }

func run(args []string) int {
	if len(args) == 1 && (args[0] == "--version" || args[0] == "version") {
		version := "devel"
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
			version = info.Main.Version
		}
		fmt.Println("agents-hooks-run", version)
		return 0
	}
	if len(args) > 0 {
		if exit, ok := dispatch.Verb(host.FromProcess(), args, os.Stdin, os.Stdout, os.Stderr); ok {
			return exit
		}
	}
	fmt.Fprintln(os.Stderr, "agents-hooks-run: this program only runs events")
	fmt.Fprintln(os.Stderr, "hint: agents-hooks --help")
	return 64
}
