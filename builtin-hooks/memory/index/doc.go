// Package index finds memories.
//
// The files of a memory folder are the truth; the index is derived from them, in
// one SQLite file that may be deleted at any time. It is brought up to date
// before each search, so that a search sees what was saved a moment ago, by
// whatever program, and what a person changed by hand (MEM-32, MEM-33).
//
//	x, err := index.Open(file, index.Hash{})
//	err = x.Sync(ctx, sources)
//	found, err := x.Search(ctx, index.Query{Text: "数据库 timeout", Max: 5})
//
// # Two legs
//
// The text leg is FTS5 over words that this package makes itself (see words.go),
// because SQLite's own tokenizers do not find one or two characters of Chinese.
// A glossary of the trade lets 数据库 find "database". The vector leg compares
// the query's vector with every memory's: [Hash] needs nothing, [HTTP] asks an
// OpenAI-compatible endpoint. Reciprocal rank fusion makes one order of the two
// (MEM-28).
//
// A search that finds nothing says so: what shares too little with the query is
// no hit, however few others there are.
package index
