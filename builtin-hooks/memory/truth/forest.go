package truth

import (
	_ "embed"
	"encoding/binary"
	"math"
	"sync"
)

// grown is the forest that TestForest makes of the pairs in testdata with -fit: how many trees,
// and of each how many nodes, and these.
//
//go:embed forest.bin
var grown []byte

// A node of a tree asks for one sign, and goes on with the node that follows if it is at most so
// much, and elsewhere with another; a leaf, which asks for none, adds to the odds.
type node struct {
	sign uint8 // noSign: a leaf
	over uint8 // where the tree goes on if there is more of the sign
	at   float32
}

const (
	noSign   = 255
	nodeSize = 6 // bytes
)

// A forest is trees whose leaves add up to the logarithm of the odds that a newer statement
// takes the place of an older one: boosted trees, as they are called.
type forest struct {
	begin float64
	trees [][]node
}

var woods = sync.OnceValue(func() *forest { return readForest(grown) })

func readForest(b []byte) *forest {
	f := &forest{begin: float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))}
	for b = b[4:]; len(b) > 0; {
		tree := make([]node, b[0])
		for i := range tree {
			n := b[1+i*nodeSize:]
			tree[i] = node{n[0], n[1], math.Float32frombits(binary.LittleEndian.Uint32(n[2:]))}
		}
		f.trees = append(f.trees, tree)
		b = b[1+len(tree)*nodeSize:]
	}
	return f
}

// chance is how likely what has these signs takes the other's place.
func (f *forest) chance(signs []float64) float64 { return 1 / (1 + math.Exp(-f.odds(signs))) }

func (f *forest) odds(signs []float64) float64 {
	odds := f.begin
	for _, tree := range f.trees {
		i := 0
		for tree[i].sign != noSign {
			if float32(signs[tree[i].sign]) <= tree[i].at {
				i++
			} else {
				i = int(tree[i].over)
			}
		}
		odds += float64(tree[i].at)
	}
	return odds
}
