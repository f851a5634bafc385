// Package memory keeps what an agent remembers about a project: decisions, preferences and
// sessions, in plain files that people can read and edit. These are authoritative; everything
// else, such as an index, is derived from them and may be deleted at any time.
//
// This package is linked into every event (see package builtinhooks): it imports neither SQLite
// nor encoding/json nor regexp. Packages below it that need those, such as memory/endpoint, are
// for commands.
package memory
