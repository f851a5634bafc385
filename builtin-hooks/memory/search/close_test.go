package search

import (
	"strings"
	"testing"
)

// A text is not the nearer to a question for being long: beside the same words, others
// that have nothing to do with it make it less so. A name that no lexicon has counts
// where it is shared, and more than a word that all texts have something near to.
// BM-FND-04.
func TestALongTextIsNotTheNearer(t *testing.T) {
	t.Parallel()
	s := New("", lexiconOf(t, t.TempDir()))
	const about = "Rollback is done by the release script"
	others := strings.Repeat("The invoice generator rounds amounts, masks names, prints labels for parcels and mails the archive to its readers. ", 3)
	texts := [][]count{s.about(about), s.about(about + ". " + others), s.about(others), s.about("Zorblax is down on Mondays"), s.about("The harbour is closed on Mondays")}
	near, rare := s.closeness(s.about("how do I undo a bad version"), texts)
	if rare[0] <= rare[1] || near[0] <= near[2] {
		t.Errorf("near %.2f, rare %.2f", near, rare)
	}
	near, rare = s.closeness(s.about("is zorblax up"), texts)
	if near[3] <= near[4] || rare[3] <= 2*max(rare[4], rare[0], rare[1]) {
		t.Errorf("a name: near %.2f, rare %.2f", near, rare)
	}
	if near, rare = s.closeness(nil, texts); near[0] != 0 || rare[0] != 0 {
		t.Errorf("nothing is asked: near %.2f, rare %.2f", near, rare)
	}
}
