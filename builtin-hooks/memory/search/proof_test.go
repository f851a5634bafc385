package search

import (
	"fmt"
	"slices"
	"testing"
)

// A prompt that is about several things is told of a memory that shares several rare
// words with it, each by itself, or a code or the name of a function; one rare word proves
// too little, and so do the parts of a name.
// BM-RCL-09, BM-RCL-14.
func TestSeveralRareWordsProveWhatAMemoryIsAbout(t *testing.T) {
	t.Parallel()
	docs := corpus(t)
	for id, text := range map[string]string{
		"heron": "The heron drains invoices at midnight; its journal lies on the archive volume",
		"code":  "Error K-731 means that the shutter is frozen: warm it for a minute",
		"test":  "test_lantern_drift depends on the clock of the machine",
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
		{"move parseFrontMatterBlock into a package of its own and give the caller an error in place of a nil", "name", true},
		{"what does K-731 mean?", "code", true},
		{"fix test_lantern_drift, it fails on CI again", "test", true},
		{"lantern tests are slow again", "test", false},
		{"is 731 a prime number?", "code", false},
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
