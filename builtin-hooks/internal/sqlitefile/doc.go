// Package sqlitefile reads the tables of an SQLite file, and does nothing else: for
// programs that must take over what an older version of theirs kept there, and want no
// database for it. Nothing is written or locked, and no file is made beside it.
//
//	f, err := sqlitefile.Read(path)
//	for row, err := range f.Rows("genes") {
//		id := row[0].Text()
//	}
//
// It reads what the file and its write-ahead log hold together, up to the last
// transaction that was finished: b-trees of tables with and without rowids, values that
// overflow their page, pages of any size. Columns that were added later are missing at
// the end of older rows; a column that is the rowid is filled in.
//
// While somebody else writes, file and log may not fit together: both are read twice,
// until nothing changed in between. A rollback journal with an unfinished transaction is
// an error, as are texts in UTF-16; both are for the library.
//
// All of the file may be wrong. What points outside, to itself or to nothing is an error,
// with the page; nothing that is damaged is passed over.
package sqlitefile
