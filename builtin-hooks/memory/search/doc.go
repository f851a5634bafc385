// Package search searches memories, for recall at a prompt as well as for commands and
// tools. It is linked into the program that runs on every event, so that a recall starts no
// process.
//
// The files of a memory folder are authoritative. A search reads a [Snapshot], a file that is
// derived from them and may be deleted at any time, plus what changed since.
//
//	s, err := search.Open(path, lexicon)
//	err = s.Refresh(search.Sources(dir), now, 0)
//	hits := search.Search(s, search.Query{Text: "数据库 timeout", Max: 5})
//
// [Quick] does that for folders, within the time that a prompt may wait; [Thorough] reads
// everything that is necessary, and stores it; [Folder.Keep] is the work of the index worker.
//
// # Scoring
//
// By words (bywords.go): for each term of the query, the best match in an entry: the
// word itself, a word that the lexicon links to it in the other language, or, for an unknown
// word, one of which it may be a misspelling. Rare words count more, with their frequency
// relative to the length of the text. The score is between 0 and 1. words.go splits texts
// into words, because SQLite's tokenizers do not find one or two characters of Chinese.
//
// By meaning (byMeaning): the cosine of the vectors of query and entry, from the vectors of
// their words (package lexicon). Chinese is segmented for it (cut). Among thousands of
// entries, sketches preselect the nearest.
//
// Both are combined (fit): shared words decide, or meaning if there are hardly any. Then the
// best are compared word by word, by similarity and by how rare that similarity is among
// them (closely). Nothing is left out for a low score: results that are probably about
// something else are marked [Hit.Weak], and come last.
package search
