package find

import "testing"

// A prompt that is about several things is told of a memory that shares several rare
// words with it, each by itself; the parts of one name, overlapping characters and words
// that many have prove too little.
// BM-RCL-09.
func TestSeveralRareWordsProveWhatAMemoryIsAbout(t *testing.T) {
	t.Parallel()
	docs := corpus(t)
	for id, text := range map[string]string{
		"heron": "The heron drains invoices at midnight; its journal lies on the archive volume",
		"name":  "parseFrontMatterBlock keeps the order of keys",
		"zh":    "灯塔照明控制器每周重启",
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
		{"给灯塔照明控制器的页面换一个图标", "zh", false},
	} {
		w := &search{of: s, q: Query{Text: c.query}, aims: s.aims(c.query)}
		for n := range docs {
			if id := s.Entry(n).ID; id == c.id && (w.proof(int32(n)) >= sureProof) != c.proves {
				t.Errorf("%q and %s: %.2f", c.query, id, w.proof(int32(n)))
			}
		}
	}
}
