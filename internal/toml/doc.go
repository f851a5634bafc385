// Package toml reads TOML into plain Go values, and says where each of them
// stands in the text.
//
//	doc, err := toml.Parse(text)        // an *Error knows its place
//	on, ok := doc.Root["enabled"].(bool)
//	place, ok := doc.Find("hooks.disable[0].name")
//	line, col := toml.Position(text, place.Key)
//
// The grammar is read by the parser of github.com/pelletier/go-toml/v2; its
// package unstable gives expressions with places, and links neither
// encoding/json nor anything that is slow to start. What is done here is what
// the decoder above that parser does by reflection: values are made of scalars,
// and keys are put into tables.
//
// # Values
//
// A table is a map[string]any, an array []any, an array of tables that were made
// by [[headers]] []map[string]any. Scalars are string, bool, int64, float64 and,
// whatever kind of date or time it is, time.Time, in UTC where the text names no
// zone.
//
// # What is an error
//
// What the grammar does not know, a value out of its range, a key that is given
// twice, a second header of one table, and what is nested more than a hundred
// levels deep. One thing is allowed that TOML forbids: a table that a dotted key
// or an inline table has made may be added to by a header or a dotted key. Files
// that say so mean something, and were always read.
package toml
