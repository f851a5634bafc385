// Program train makes the lexicon with which memory's search finds meaning, from
// packages of Debian: texts of programs in English and Chinese side by side.
//
//	go run ./bench/train -packages DIR -lists DIR -write builtin-hooks/memory/lexicon
//
// DIR of -packages contains the .deb files that packages.txt names, that of -lists
// apt's lists with the descriptions in both languages; sources.md says where they are
// from, and under which licences. The same files give the same lexicon, byte for byte:
// nothing depends on time, on the order of maps or on the number of cores, on one kind
// of processor. The texts read can be kept in a file (-corpus), and learned from again.
//
// -readings FILE writes how Chinese characters are read, for package search, and no more.
//
// read.go and gettext.go read the sources; words.go numbers the words; vectors.go
// counts which occur near which, weighs that, and decomposes the matrix; retrofit.go
// moves synonyms together; dictionary.go learns from the pairs which word translates
// which; written.go reads notes and questions written for this (-written); contrast.go
// teaches the vectors of both languages what belongs together; write.go writes what
// package lexicon reads.
package main
