// Package qlike reads and writes the wire format of Amazon Q's command line, which
// Kiro kept: event names in camelCase, plain text on stdout for the model,
// and exit 2 with a reason on stderr to block.
//
// An agent's own package says which events and tools there are, and what an
// answer can carry.
package qlike
