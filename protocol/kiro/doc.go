// Package kiro is the dialect of Kiro: its IDE from version 1 and its command
// line from version 3, which read the same files of the format "v1".
//
// Not observed: this is from Kiro's documentation and, where that is silent or contradicts
// itself, from others' notes. The command line up to version 2 keeps its hooks in
// the files of its agents and uses the dialect of Amazon Q.
//
// Our entries are in a separate file, ~/.kiro/hooks/agents-hooks.json or,
// for a project, its .kiro/hooks/agents-hooks.json.
package kiro
