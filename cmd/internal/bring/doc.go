// Package bring reads hooks from the settings of other programs, and turns them into hook
// folders, for import; doctor uses it to report what could be imported.
//
//	plan, err := bring.Make(host, bring.Options{})          // changes nothing
//	plan, err := bring.Carry(host, bring.Options{}, agreed) // writes what is new
//
// The path of an entry:
//
//	source.go     where settings are: an agent's, or a given path
//	plugin.go     those of its plugins
//	value.go      JSON with comments, TOML and YAML as one kind of value, with lines
//	entry.go      the entries of a file, in any form
//	translate.go  an entry becomes a hook, or a reason why not
//	match.go      its matcher, by the rules of the program whose protocol it speaks
//	rule.go       its "if", as keys of a matcher
//	script.go     what it runs: does that exist, and does it need its own agent
//	name.go       a name for it
//	plan.go       which folder it already has, and what will be written
//	twice.go      whether an agent also runs it itself
//	folder.go     the HOOK.md
//	refuses.go    a test for a guard whose line shows what it does
//	write.go      writes the folder atomically, one import at a time
//
// The dialect says where an agent keeps its users' hooks, and how they differ from the
// protocol that they resemble ([protocol.Custom]); runner.go knows the programs that run git
// hooks, which are not agents.
//
// # Safety
//
// Nothing is run. Files of a project and of a plugin are opened beneath it, so that no link
// leads out; a file has at most 1 MiB, 64 levels of nesting and 500 entries. Settings are
// never written. An entry that would run more often than before, or that needs input it would
// not get, is not imported: it would be a guard that blocks everything, or nothing.
//
// metadata.imported links a folder to its entry: the file and the event, a hash of the entry
// (has it changed there?) and one of the HOOK.md (was it edited?).
package bring
