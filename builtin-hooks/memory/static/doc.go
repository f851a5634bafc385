// Package static knows what texts mean by a model that is a table: each piece of a
// word has a vector, and a text that of the mean of its pieces. Model2Vec makes such
// models; package model2vec reads theirs, and writes them as one file that lies in
// memory as it lies on the disk, so that a prompt reads the few pages that its own
// words stand in, whatever the model's size:
//
//	m, err := static.Open(path)
//	defer m.Close()
//	v := m.Vector("数据库 timeout") // of length 1, nil if it knows none of it
//
// How a text comes apart into pieces is the tokenizer of the model: added tokens
// (tokens.go), what is done to the characters (normal.go), where it is split
// (split.go), and the pieces of each part, by WordPiece, Unigram, BPE or whole words.
// All of it stands in the head of the file.
//
// # The file
//
// Numbers are of four bytes, the lowest first.
//
//	magic, length of the head, checksums of the head and of the rest, 0
//	head      JSON: [Head]
//	sections  one after the other, each begins at a multiple of eight
//
// Nothing in it is taken on trust: what leads out of it is not there.
package static
