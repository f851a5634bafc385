package truth

import "testing"

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
