package truth

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

type plainSense struct{}

func (plainSense) Like(a, b string) float32  { return 0 }
func (plainSense) Knows(word string) bool    { return true }
func (plainSense) Tells(word string) float32 { return 0.5 }
func (plainSense) Cut(run string) []string   { return []string{run} }

// Each sign has its name, and the forest asks for no other: one that is added or moved needs a
// forest made anew (TestForest, with -fit), or it would be read as another.
func TestTheForestAsksForSignsThatThereAre(t *testing.T) {
	rivals := []Rival{{Text: "The gateway listens on 9000"}, {Text: "Lunch is at noon"}}
	list := contenders("The gateway listens on 9001 now", rivals, plainSense{})
	for i, c := range list {
		if have := len(c.signs(i, list, rivals, 2)); have != len(signNames) {
			t.Fatalf("%d signs, and %d names", have, len(signNames))
		}
	}
	asked := make([]bool, len(signNames))
	for k, tree := range woods().trees {
		for i, n := range tree {
			switch {
			case n.sign == noSign:
			case int(n.sign) >= len(signNames) || int(n.over) <= i+1 || int(n.over) >= len(tree):
				t.Fatalf("tree %d, node %d: %+v", k, i, n)
			default:
				asked[n.sign] = true
			}
		}
	}
	for i, is := range asked {
		if !is {
			t.Errorf("no tree asks for %s: take it out", signNames[i])
		}
	}
	if len(oddsOf()) < 500 {
		t.Errorf("%d words", len(oddsOf()))
	}
}

// A turn of phrase is found by halves: the hashes ascend, and none says nothing.
func TestTurnsOfPhraseAscend(t *testing.T) {
	if len(learned)%phraseSize != 0 || len(learned) < 10_000*phraseSize {
		t.Fatalf("%d bytes", len(learned))
	}
	for at := 0; at < len(learned); at += phraseSize {
		hash := binary.LittleEndian.Uint32(learned[at:])
		if at > 0 && hash <= binary.LittleEndian.Uint32(learned[at-phraseSize:]) {
			t.Fatalf("entry %d does not ascend", at/phraseSize)
		}
		if w := weightOf(hash); w == 0 || w != float64(int8(learned[at+4]))/weightParts {
			t.Fatalf("entry %d weighs %g", at/phraseSize, w)
		}
	}
	if w := weightOf(0) + weightOf(1<<32-1); w != 0 {
		t.Errorf("what was never seen weighs %g", w)
	}
}

// Amounts, values and what both are about are another in each memory; what is said of them tells.
func TestATurnOfPhraseIsOfAnyMemory(t *testing.T) {
	for _, c := range []struct{ older, newer, want string }{
		{"The gateway listens on 9000", "The gateway moved to 9001", "^ the = moved to # $"},
		{"Postgres stores the orders", "Postgres keeps the orders for 30 days", "^ = keeps the = for # @ $"},
		{"CI runs on Mondays", "CI runs on Fridays since May", "^ ci runs on @ since may $"},
	} {
		older, newer := Read(c.older).said, Read(c.newer).said
		if have := strings.Join(framed(newer.all, older.all), " "); have != c.want {
			t.Errorf("%q beside %q: %s, want %s", c.newer, c.older, have, c.want)
		}
	}
	one, other := (&comparison{old: Read("Port: 9000").said, new: Read("Port: 9001").said}).phrases(), (&comparison{old: Read("Quota: 12").said, new: Read("Quota: 15").said}).phrases()
	if !slices.Equal(one, other) {
		t.Error("a port and a quota are put otherwise")
	}
}
