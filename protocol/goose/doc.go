// Package goose is the dialect of Goose.
//
// Not observed: this is from the program's source, crates/goose/src/hooks.
//
// Our entry is in a separate plugin, ~/.agents/plugins/agents-hooks, or in
// one of that name below a project's .agents/plugins; of two plugins with the
// same name Goose uses the project's. A plugin needs no manifest: it is a folder with
// hooks/hooks.json.
//
// A hook can only block: Goose reads nothing but a verdict from standard output, and
// any other output makes the hook fail.
package goose
