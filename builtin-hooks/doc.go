// Package builtinhooks holds the hooks that come with the program: memory,
// workspace, evolution and skill prompts. They are ordinary hooks in the lowest
// layer. The only difference is that the runner calls a function instead of starting
// a process, because a process costs each event more than everything else.
//
//	builtin-hooks/
//	    builtin.go                 the list of behaviours: one line each
//	    <behaviour>/hooks/         package of the hooks' code …
//	    <behaviour>/hooks/<name>/  … beside a folder with a HOOK.md each, embedded
//	    <behaviour>/guide/         what an agent is told about it, embedded: a SKILL.md as en.md and zh.md
//	    <behaviour>/               the engine: files, formats; a hook imports only what it needs
//	    <behaviour>/…              what only commands need (an SQLite index, HTTP, pages), with
//	                               its operations: memory/ops, workspace/ops, evolution/ops, skills/ops
//	    op                         what an operation is; commands and tools are generated from it
//	    tables                     the operations of all behaviours, for programs other than the dispatcher
//	    internal/behaviour         what a behaviour is, and the contract of a hook
//	    internal/setting           one table of settings for each behaviour
//	    internal/…                 shared code
//
// # What an event may link
//
// The hooks' packages, and what they import, are linked into the program that
// runs on every event. They must not link SQLite, net/http, encoding/json or regexp (a
// test in cmd/agents-hooks checks that; package protocol reads and writes JSON). What
// needs one of those runs as a command of agents-hooks, which a hook starts through
// its Runtime.
//
// # No goroutines
//
// The runner recovers from a panic of a hook, but not from one in a goroutine that
// the hook started, which would end the process. So built-in hooks start no goroutines,
// which a test checks. Work that continues after the answer runs in a separate
// process.
package builtinhooks
