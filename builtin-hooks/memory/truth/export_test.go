package truth

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
)

// SignNames say what each of the signs is.
func SignNames() []string { return signNames }

var signNames = strings.Fields(`
	whole topics both-topics old-head new-head shared length old-length new-length old-units new-units other-language
	old-lacks new-lacks old-lacks-words new-lacks-words old-lacks-names old-misses new-misses-head misses-heads old-unknown new-unknown new-akin
	values-akin other-kind old-amounts new-amounts old-contrasts new-contrasts old-behind new-behind old-head-names shared-names
	in-order in-order-whole old-leads new-leads slots slot-names slot-amounts slot-words slot-heads
	update changes cue turns ends denies apart always-apart old-denied same-verb formers too
	score shares only other ahead-score behind-score behind-shares behind-whole more-shares more-whole more-names more-words words phrasing word-odds word-odds-most`)

// Signs are those of each rival; none of one that says the same.
func Signs(newer string, rivals []Rival, many int, sense Sense) [][]float64 {
	out := make([][]float64, len(rivals))
	list := contenders(newer, rivals, sense)
	for i, c := range list {
		if c.rule != Same {
			out[i] = c.signs(i, list, rivals, many)
		}
	}
	return out
}

// NewWords are the words by which the newer differs.
func NewWords(older, newer string) []string {
	c := &comparison{lexicon: known(), old: Read(older).said, new: Read(newer).said}
	return c.newWords()
}

// Phrases are the hashes of the turns of phrase of two statements.
func Phrases(older, newer string) []uint32 {
	return (&comparison{lexicon: known(), old: Read(older).said, new: Read(newer).said}).phrases()
}

// PhraseBytes are what phrases.bin holds.
func PhraseBytes(weights map[uint32]float64) (out []byte) {
	for _, h := range slices.Sorted(maps.Keys(weights)) {
		out = binary.LittleEndian.AppendUint32(out, h)
		out = append(out, byte(int8(min(127, max(-127, math.Round(weights[h]*weightParts))))))
	}
	return out
}

// WordOdds is what words say, as two signs, the last ones of all; what turns of phrase say stands
// before them.
func WordOdds(words []string, odds map[string]float64) (sum, most float64) {
	return wordOdds(words, odds)
}

// Forest is a forest as it is being made.
type Forest struct{ f forest }

// TreeNode is a node of a tree as it is being made.
type TreeNode = node

// Node is a node of one of its trees.
func Node(sign, over int, at float64) node { return node{uint8(sign), uint8(over), float32(at)} }

// Leaf is a node that asks for no sign.
func Leaf(odds float64) node { return node{noSign, 0, float32(odds)} }

func (w *Forest) Begin(odds float64)             { w.f.begin = float64(float32(odds)) }
func (w *Forest) Add(tree []node)                { w.f.trees = append(w.f.trees, tree) }
func (w *Forest) Chance(signs []float64) float64 { return w.f.chance(signs) }
func (w *Forest) Odds(tree []node, x []float64) float64 {
	return (&forest{trees: [][]node{tree}}).odds(x)
}

// Bytes are what forest.bin holds.
func (w *Forest) Bytes() []byte {
	out := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(w.f.begin)))
	for _, tree := range w.f.trees {
		out = append(out, byte(len(tree)))
		for _, n := range tree {
			out = append(out, n.sign, n.over)
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(n.at))
		}
	}
	return out
}

// AmongBy is [Among] with another way to tell how sure an update is, by its signs; none stand for
// one that says the same.
func AmongBy(rivals []Rival, signs [][]float64, chance func(i int, signs []float64) float64, newer string) []Judgement {
	rules, sure := make([]Verdict, len(rivals)), make([]float64, len(rivals))
	for i, r := range rivals {
		if rules[i] = Same; signs[i] != nil {
			rules[i], sure[i] = Compare(r.Text, newer), chance(i, signs[i])
		}
	}
	return judge(rules, sure)
}
