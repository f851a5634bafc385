package store

import (
	"slices"
	"testing"
)

// What a number or a letter names is another thing than what another one names, and a value that
// changes is an update. called-1 stood before the rule, called-2 was written after it.
// BM-TRU-02, BM-TRU-03, BM-TRU-35.
func TestThingsThatANumberOrALetterNames(t *testing.T) {
	t.Parallel()
	cache := withLexicon(t)
	for file, want := range map[string]played{"called-1.txt": {replaced: 29, kept: 30}, "called-2.txt": {replaced: 23, kept: 23}} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			var p played
			for _, l := range rows(t, "../truth/testdata/"+file) {
				one := play(t, cache, []saving{{"fact", l[1], l[1]}, {l[0], l[1], l[2]}})
				p.replaced, p.asked, p.silent, p.kept = p.replaced+one.replaced, p.asked+one.asked, p.silent+one.silent, p.kept+one.kept
			}
			t.Logf("%+v", p)
			if p.replaced < want.replaced || p.kept < want.kept {
				t.Errorf("want %+v, or better", want)
			}
		})
	}
}

// Of several such things the one that is named is updated, and one of which the same is said is no
// repetition.
// BM-TRU-01, BM-TRU-02, BM-TRU-03, BM-TRU-35.
func TestOfSeveralLabelledThingsTheNamedOneIsUpdated(t *testing.T) {
	t.Parallel()
	for _, lexicon := range []string{"", withLexicon(t)} {
		f := newFolder(t)
		f.Cache = lexicon
		of := map[string]string{}
		for _, text := range []string{"Gate A opens at 7:15.", "Gate I opens at 7:15.", "Gate B opens at 7:15.", "Sensor 8 is in hall 3.", "Sensor 9 is in hall 3.", "2号冰箱放疫苗。", "3号冰箱放疫苗。"} {
			s := f.save(text)
			if of[text] = s.ID; s.Status != "ok" || len(s.Supersedes) > 0 {
				t.Errorf("%q: %+v", text, s)
			}
		}
		for newer, older := range map[string]string{"Gate I opens at 8:15.": "Gate I opens at 7:15.", "Sensor 9 is in hall 5.": "Sensor 9 is in hall 3."} {
			if s := f.save(newer); !slices.Equal(s.Supersedes, []string{of[older]}) {
				t.Errorf("%q: %+v", newer, s)
			}
		}
	}
}
