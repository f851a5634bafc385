// Package find finds memories: what a search is, for a prompt that is recalled to as
// for a command or a tool. It is linked into the program that runs on every event,
// so that a recall starts no process.
//
// The files of a memory folder are the truth. What a search reads is derived from
// them, and may be deleted at any time: a [Snapshot], one file that is read as it
// lies, over which is laid what changed since.
//
//	s, err := find.Open(path, lexicon)
//	err = s.Refresh(find.Sources(dir), now, 0)
//	hits := find.Search(s, find.Query{Text: "数据库 timeout", Max: 5})
//
// [Quick] does it for folders, within what a prompt may wait; [Thorough] reads
// whatever has to be read, and keeps it; [Shelf.Keep] is what an index's worker does.
//
// # What a hit is worth
//
// By words (search.go, byWords): of each thing that a query asks for, the surest way
// in which an entry says it: the word itself, one that the lexicon links to it in the
// other language, or, where nobody knows the word, one that it may be a slip of; the
// rarer the word, the more it counts, as often as it stands there in a text of that
// length. That is a part of 1. Words are made by words.go, because SQLite's own
// tokenizers do not find one or two characters of Chinese.
//
// By meaning (byMeaning): the cosine of what the query is about with what the entry
// is about, by the vectors of their words (package lexicon). Chinese is cut into words
// for it (cut). Of thousands of entries the nearest are chosen by their sketches.
//
// Both together rank (fit): where words are shared they decide, and where hardly any
// is, meaning does; then the best are compared word by word, by how near a word is and
// how rare it is among them to be as near (closely). Nothing is left
// out for being far: what is likely about something else is marked [Hit.Weak], and
// comes last.
package find
