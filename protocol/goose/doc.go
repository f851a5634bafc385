// Package goose is the dialect of Goose.
//
// Not observed: what is here is from the program's source, crates/goose/src/hooks.
//
// Our entry stands in a plugin of its own, ~/.agents/plugins/agents-hooks, or in
// one of that name below a project's .agents/plugins; of two plugins with one
// name Goose takes the project's. There is no manifest to write: a folder with
// hooks/hooks.json is a plugin.
//
// Goose takes from a hook that it blocks, and otherwise nothing: standard output
// is for the verdict alone, and a word that is none makes the hook a failed one.
package goose
