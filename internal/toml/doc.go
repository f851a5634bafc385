// Package toml reads TOML into plain Go values, and gives the position of each
// in the text.
//
//	doc, err := toml.Parse(text)        // an *Error has its position
//	on, ok := doc.Root["enabled"].(bool)
//	place, ok := doc.Find("hooks.disable[0].name")
//	line, col := toml.Position(text, place.Key)
//
// The parser is that of github.com/pelletier/go-toml/v2; its package unstable gives
// expressions with positions, and links neither encoding/json nor anything that is slow
// to start. This package does what its decoder does by reflection: it converts scalars
// and puts keys into tables.
//
// # Values
//
// A table is a map[string]any, an array []any, an array of tables from [[headers]]
// []map[string]any. Scalars are string, bool, int64, float64 and, for every kind of date
// or time, time.Time, in UTC if the text names no zone.
//
// # What is an error
//
// A syntax error, a value out of range, a duplicate key, a second header of one table,
// nesting deeper than a hundred levels, a key of more parts, one that is longer than
// 1,024 bytes with its tables, and more than 10,000 keys and tables: a file that a
// stranger wrote must not take minutes, or gigabytes. One thing is allowed that TOML forbids: a
// header or a dotted key may add to a table that a dotted key or an inline table has
// created. The meaning of such files is clear, and earlier versions accepted them.
package toml
