package search

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A name is found however its accents are typed, or where they are left away, and the other way
// round; in a snapshot's file, and among what it lacks.
// BM-FND-01, BM-FND-03, BM-FND-17.
func TestAccentsAreFoundHoweverTheyAreTyped(t *testing.T) {
	t.Parallel()
	docs := []Doc{
		{ID: "muller", Content: "Mu\u0308ller reviews all SQL"},
		{ID: "zoe", Content: "Zoë holds the keys"},
		{ID: "jose", Content: "José drives the van"},
		{ID: "zak", Content: "Łukasz Żak feeds the parrots"},
		{ID: "nguyen", Content: "Nguyễn waters the ferns"},
		{ID: "plain", Content: "Soren Kjaer sweeps the yard"},
		{ID: "jager", Content: "Jaeger keeps the minutes"},
		{ID: "hangul", Content: "\u1100\u1175\u11b7 paints fences"},
		{ID: "kana", Content: "か\u3099くせい winds clocks"},
		{ID: "yo", Content: "Семён shuts the gate"},
	}
	for i := range docs {
		docs[i].Kind = "fact"
	}
	fresh := snapshotOf(t, docs, nil)
	must.Do(t, fresh.Write())
	written, err := Open(fresh.path, nil)
	must.Do(t, err)
	t.Cleanup(written.Close)
	fresh = snapshotOf(t, docs, nil)
	for question, want := range map[string]string{
		"Müller": "muller", "Mu\u0308ller": "muller", "Muller": "muller", "mueller": "muller", "Mullre": "muller", "Mülelr": "muller",
		"Zoe": "zoe", "Zoe\u0308": "zoe", "Jose": "jose", "Jose\u0301": "jose", "Lukasz Zak": "zak", "Nguyen": "nguyen", "Nguye\u0302\u0303n": "nguyen",
		"Søren Kjær": "plain", "Jäger": "jager", "Ja\u0308ger": "jager", "김": "hangul", "がくせい": "kana", "Семен": "yo",
	} {
		for from, s := range map[string]*Snapshot{"written": written, "fresh": fresh} {
			if hits := Search(s, Query{Text: question, Max: 1}); len(hits) == 0 || hits[0].ID != want || hits[0].Weak {
				t.Errorf("%q, %s: %v, want %s", question, from, hits, want)
			}
		}
	}
}
