// Package bring reads hooks from the settings of other programs, and turns them into hook folders,
// for import; doctor uses it to report what could be imported.
//
//	plan, err := bring.Make(host, bring.Options{})          // changes nothing
//	plan, err := bring.Carry(host, bring.Options{}, agreed) // writes what is new
//
// How an entry is imported:
//
//	source.go      where settings are: an agent's, or a given path
//	plugin.go      the settings of an agent's plugins
//	runner.go      the files of programs that run git hooks
//	value.go       JSON with comments, TOML and YAML as one kind of value, with line numbers
//	entry.go       the entries of a file, in any form
//	translate.go   an entry becomes a hook, or a reason why not
//	match.go       its matcher, by the rules of the program whose protocol it speaks
//	script.go      what it runs: does that exist, and does it need its own agent
//	name.go        a name for it
//	plan.go        the folder it may already have, and what will be written
//	duplicates.go  whether an agent also runs the original
//	folder.go      the HOOK.md
//	refuses.go     a test for a guard whose command line shows what it does
//	write.go       writes the folder atomically, one import at a time
//
// The dialect says where an agent keeps its users' hooks, and how they differ from the protocol
// that they resemble ([protocol.Custom]). Programs that run git hooks are not agents.
//
// # Safety
//
// Nothing is run. Files of a project or a plugin are opened relative to it, so that no link leads
// outside; a file has at most 1 MiB, 64 levels of nesting and 500 entries. Settings are never
// written. An entry that would run more often than before, or that needs input it would not get, is
// not imported: it would be a guard that blocks everything, or nothing.
//
// metadata.imported links a folder to its entry: the file and the event, a hash of the entry
// (has it changed there?) and one of the HOOK.md (was it edited?).
package bring
