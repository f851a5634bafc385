// Package kimilike reads and writes the wire format that the two Kimi programs
// share: mostly Claude Code's names of events and fields, with their own ids,
// results and errors, and an answer in which only a denial counts.
//
// The older program writes strings where the newer one writes arrays of parts and
// objects; both forms are accepted from either.
package kimilike
