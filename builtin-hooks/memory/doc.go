// Package memory is what an agent remembers of a project: decisions, preferences
// and sessions, in plain files that a person can read and edit. They are the
// truth; whatever else is kept, such as an index, is derived from them and may be
// deleted at any time.
//
// This package is linked into every event (see package builtinhooks): it imports
// neither SQLite nor encoding/json nor regexp. What needs those lies in packages
// below it, such as memory/endpoint, and is for commands.
package memory
