// Package sqlitefile reads the tables of an SQLite file, and nothing else. It is for
// programs that import data of their older versions and want no database library for
// that. It writes and locks nothing, and creates no file beside it.
//
//	f, err := sqlitefile.Read(path)
//	for row, err := range f.Rows("genes") {
//		id := row[0].Text()
//	}
//
// It reads the file together with its write-ahead log, up to the last complete
// transaction: b-trees of tables with and without rowids, values that overflow their
// page, pages of any size. Columns that were added later are missing at the end of
// older rows; a column that is the rowid is filled in.
//
// While another process writes, file and log may not match: both are read twice, until
// nothing changed in between. A rollback journal with an unfinished transaction is an
// error, as are texts in UTF-16; both need the library.
//
// The file may be corrupt in any way. A reference to the outside, to itself or to
// nothing is an error that names the page; damaged data is never skipped silently.
package sqlitefile
