package truth_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// How turns of phrase are learned: those that so many sets have, and so many pairs; so often
// through all pairs; at what rate, and how much each weight is drawn to nothing.
const (
	phraseSets  = 2
	phrasePairs = 4
	phraseTurns = 15
	phraseRate  = 0.1
	phraseDrawn = 0.5
	phraseLeast = 0.05 // what says less is left out
)

// A phrased pair is the turns of phrase of two statements, and whether one updates the other.
type phrased struct {
	phrases []uint32
	known   []int // those of which the weights are sought, by their places
	y       float64
}

// learn finds how much each turn of phrase says for an update, in all sets but some, by logistic
// regression (AdaGrad).
func learn(made map[string]playedSet, without func(set string) bool) map[uint32]float64 {
	list, sets, pairs := phrasedPairs(made, without)
	var known []uint32
	place := map[uint32]int{}
	for _, h := range slices.Sorted(maps.Keys(pairs)) {
		if pairs[h] >= phrasePairs && sets[h] >= phraseSets {
			place[h] = len(known)
			known = append(known, h)
		}
	}
	for i, p := range list {
		for _, h := range p.phrases {
			if at, is := place[h]; is {
				list[i].known = append(list[i].known, at)
			}
		}
	}
	weights, curves := make([]float64, len(known)), make([]float64, len(known))
	random := rand.New(rand.NewPCG(1, 1))
	for range phraseTurns {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, p := range list {
			odds := 0.0
			for _, at := range p.known {
				odds += weights[at]
			}
			miss := p.y - 1/(1+math.Exp(-odds))
			for _, at := range p.known {
				pull := miss - phraseDrawn/float64(pairs[known[at]])*weights[at]
				curves[at] += pull * pull
				weights[at] += phraseRate * pull / math.Sqrt(curves[at]+1)
			}
		}
	}
	out := map[uint32]float64{}
	for at, w := range weights {
		if math.Abs(w) >= phraseLeast {
			out[known[at]] = w
		}
	}
	return out
}

// phrasedPairs are the targets of all moments or else their first rivals, and of each turn of
// phrase in how many sets and pairs it is.
func phrasedPairs(made map[string]playedSet, without func(set string) bool) (list []phrased, sets, pairs map[uint32]int) {
	sets, pairs = map[uint32]int{}, map[uint32]int{}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if name != setOf(name) || without(name) {
			continue
		}
		here := map[uint32]bool{}
		for k, m := range made[name].moments {
			for i, phrases := range made[name].phrases[k] {
				if i > 0 && i != m.of || made[name].signs[k][i] == nil {
					continue
				}
				list = append(list, phrased{phrases: phrases, y: map[bool]float64{true: 1}[i == m.of]})
				for _, h := range phrases {
					pairs[h]++
					here[h] = true
				}
			}
		}
		for h := range here {
			sets[h]++
		}
	}
	return list, sets, pairs
}
