// Package sqlite makes the address of a database file as SQLite wants it.
package sqlite

import "net/url"

// URI is the address of a database in a file. All of the path is escaped, its slashes
// too: SQLite would take two at the beginning for a host, and one before a drive for a
// folder.
func URI(path string) string { return "file:" + url.PathEscape(path) }
