// Package kiro is the dialect of Kiro: its IDE from version 1 and its command
// line from version 3, which read the same files of the format "v1".
//
// Not observed: what is here is from Kiro's documentation, and from others' notes
// on it where the pages are silent or contradict each other. The command line up
// to version 2 keeps its hooks in the files of its agents; it is spoken to in the
// dialect of Amazon Q.
//
// Our entries stand in a file of their own, ~/.kiro/hooks/agents-hooks.json or,
// for a project, its .kiro/hooks/agents-hooks.json.
package kiro
