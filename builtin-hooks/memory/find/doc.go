// Package find finds memories: what a search is, whatever it reads. It is linked
// into the program that runs on every event, so that a recall starts no process.
//
// The files of a memory folder are the truth. Two things are derived from them
// and may be deleted at any time: the SQLite index of package index, and a
// [Snapshot], one file that a small program reads as it is. Both are a [Store],
// and a search of one finds what a search of the other does.
//
//	s, err := find.Open(filepath.Join(dir, find.SnapshotFile))
//	err = s.Refresh(find.Sources(dir), now)
//	hits, err := find.Search(ctx, s, find.Hash{}, find.Query{Text: "数据库 timeout", Max: 5})
//
// # Two legs
//
// The text leg is BM25 over words that this package makes itself (see words.go),
// because SQLite's own tokenizers do not find one or two characters of Chinese, and
// the stemmer of Snowball (kljensen/snowball) finds no more of the questions in
// package index's test (recall 0.90, reciprocal rank 0.85 with either), in twice
// the time.
// A glossary of the trade lets 数据库 find "database". The vector leg compares
// the query's vector with every memory's: [Hash] needs nothing. Reciprocal rank
// fusion makes one order of the two (MEM-28).
//
// A search that finds nothing says so: what shares too little with the query is
// no hit, however few others there are.
package find
