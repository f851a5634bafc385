package search

import (
	"fmt"
	"slices"
	"testing"
)

// A prompt that is about several things is told of a memory that shares several rare
// words with it, each by itself; one rare word, or the parts of one name, prove too little.
// BM-RCL-09.
func TestSeveralRareWordsProveWhatAMemoryIsAbout(t *testing.T) {
	t.Parallel()
	docs := corpus(t)
	for id, text := range map[string]string{
		"heron": "The heron drains invoices at midnight; its journal lies on the archive volume",
		"name":  "parseFrontMatterBlock keeps the order of keys",
	} {
		docs = append(docs, Doc{ID: id, Kind: "fact", Type: "W", Content: text})
	}
	s := snapshotOf(t, docs, lexiconOf(t, t.TempDir()))
	for _, c := range []struct {
		query, id string
		proves    bool
	}{
		{"please write a small tool that looks at the journal of the heron and tells me by mail which volume it filled, then clean up the old ones", "heron", true},
		{"please write a small tool that looks at the heron and tells me by mail what happened, then clean up the old ones", "heron", false},
		{"move parseFrontMatterBlock into a package of its own and give the caller an error in place of a nil", "name", false},
	} {
		t.Run(fmt.Sprintf("%.80s", c.query), func(t *testing.T) {
			hits := Search(s, Query{Text: c.query, Max: 3, rough: true})
			sure := slices.ContainsFunc(hits, func(h Hit) bool { return h.ID == c.id && h.Sure })
			if sure != c.proves {
				t.Errorf("%q proves %s: %v, found %+v", c.query, c.id, sure, hits)
			}
		})
	}
}
