// Package static computes vectors of texts by a model that is a table: each token has a
// vector, and a text the mean of its tokens' vectors. Model2Vec makes such models;
// package model2vec reads them, and writes them as one file that can be mapped into
// memory, so that a prompt reads only the few pages with its own words, whatever the
// model's size:
//
//	m, err := static.Open(path)
//	defer m.Close()
//	v := m.Vector("数据库 timeout") // of length 1, nil if no token is known
//
// The model's tokenizer splits a text into tokens: added tokens (tokens.go),
// normalization of characters (normal.go), splitting (split.go), and the tokens of each
// part, by WordPiece, Unigram, BPE or whole words. The head of the file has all of
// that.
//
// # The file
//
// Numbers are of four bytes, little-endian.
//
//	magic, length of the head, checksums of the head and of the rest, 0
//	head      JSON: [Head]
//	sections  in order, each begins at a multiple of eight
//
// The file is not trusted: a reference to the outside is treated as missing.
package static
