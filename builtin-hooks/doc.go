// Package builtinhooks holds the hooks that come with the program: memory,
// workspace, evolution and skill prompts. They are ordinary hooks in the lowest
// layer. What tells them from the others is only that the runner calls a
// function where it would start a process, because a process costs each event
// more than the whole rest of it.
//
//	builtin-hooks/
//	    builtin.go                 the list of behaviours: one line each
//	    <behaviour>/hooks/         package of the hooks' code …
//	    <behaviour>/hooks/<name>/  … beside a folder with a HOOK.md each, embedded
//	    <behaviour>/guide/         what an agent is told of it, embedded: a SKILL.md as en.md and zh.md
//	    <behaviour>/               the engine: files, formats; no hook knows more of it than it needs
//	    <behaviour>/…              what only commands need (an SQLite index, HTTP, pages), with
//	                               its operations: memory/ops, workspace/desk, evolution/desk, skills/ops
//	    op                         what an operation is: commands and tools are made of it
//	    tables                     the operations of all behaviours, for programs that have time
//	    internal/behaviour         what a behaviour is, and the contract of a hook
//	    internal/setting           one table of settings for each behaviour
//	    internal/…                 shared pieces, each once
//
// # What an event may link
//
// The hooks' packages, and what they import, are linked into the program that
// runs on every event. There is no SQLite, no net/http, no encoding/json and no
// regexp there (a test in cmd/agents-hooks looks; package protocol reads and
// writes JSON). What needs one of those runs as a command of agents-hooks, which
// a hook starts through its World.
//
// # No goroutines
//
// The runner recovers from a panic of a hook, but nobody can recover from one in
// a goroutine that the hook started: Go ends the process. So built-in hooks
// start none, and a test looks. What is to go on after the answer is a process
// of its own.
package builtinhooks
