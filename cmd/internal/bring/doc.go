// Package bring reads hooks from the settings of other programs,
// and makes hook folders of them. It is what import does; doctor asks it what there is.
//
//	plan, err := bring.Make(host, bring.Options{})          // changes nothing
//	plan, err := bring.Carry(host, bring.Options{}, agreed) // writes what is new
//
// An entry goes one way:
//
//	source.go     where settings lie: an agent's, a path that was named
//	plugin.go     and those of its plugins
//	value.go      JSON with comments, TOML and YAML as one kind of value, with lines
//	entry.go      the entries of a file, whatever form they stand in
//	translate.go  an entry becomes a hook, or a reason why not
//	match.go      its matcher, by the rules of the program whose protocol it speaks
//	rule.go       its "if", as keys of a matcher
//	script.go     what it runs: is that there, and does it need its own agent
//	name.go       what a person would call it
//	plan.go       which folder it has already, and what is to be written
//	twice.go      whether an agent has it by itself as well
//	folder.go     the HOOK.md
//	refuses.go    a test of a guard whose line says what it does
//	write.go      the folder, whole or not at all, by one import at a time
//
// Where an agent keeps its people's hooks, and how these differ from those that it
// can be said to speak like, is data of its dialect ([protocol.Custom]); runner.go
// knows the programs that run git's hooks, which are no agents.
//
// # What is held to
//
// Nothing is run. Files of a project and of a plugin are opened beneath it, so that no
// link leads out; a file has at most 1 MiB, 64 values in one another and 500 entries.
// Settings are never written. An entry that would run more often than before, or wait
// for what nobody says to it, is not brought: that would be a guard that refuses
// everything, or none.
//
// A folder knows its entry by metadata.imported: the file and the event, a seal of the
// entry (has it changed there?) and one of the HOOK.md (has somebody edited it?).
package bring
