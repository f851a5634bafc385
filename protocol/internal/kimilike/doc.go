// Package kimilike reads and writes the wire form that the two Kimi programs
// share: Claude Code's names of events and fields for the most part, with ids,
// results and errors of their own, and an answer of which only a denial counts.
//
// The older program writes texts where the newer one writes arrays of parts and
// objects; both spellings are read for either.
package kimilike
