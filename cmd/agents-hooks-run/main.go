// Command agents-hooks-run dispatches events and does nothing else: it is the run verb
// of agents-hooks without its command line. If it is beside agents-hooks, install
// writes it into the agents' configurations, so that an event does not pay for
// libraries that only other commands need.
//
// The runtime need not watch, for as long as an event takes, how many cores its control
// group has (2 % of an event), nor name its memory for those who look at /proc/self/maps (a
// system call for each part of it).
//
//go:debug updatemaxprocs=0
//go:debug decoratemappings=0
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
	os.Exit(run(os.Args[1:]))
}

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
