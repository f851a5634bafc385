package truth_test

import (
	"math"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
)

// How trees are grown: so many, so deep, each of half of the signs, and adding so much of what it
// found; a leaf has rows of so much weight at least, and is drawn to nothing as if there were more.
const (
	treesMost  = 300
	treeDepth  = 4
	rate       = 0.1
	leafLeast  = 8
	leafDrawn  = 3
	signsUsed  = 2 // one in so many
	cutsMost   = 32
	curveLeast = 1e-4
)

// A weighed row is what tells whether the newer takes the place of the older, whether it does,
// and how much the row counts.
type weighed struct {
	x         []float64
	y, counts float64
}

// A grower makes boosted trees: each tells what all before it left untold.
type grower struct {
	rows   []weighed
	cuts   [][]float64 // of each sign, where it may be parted
	bins   [][]uint8   // and between which of these each row is
	pull   []float64   // of each row, by how much and how surely the odds are wrong
	curve  []float64
	random uint32
	use    []bool
	gains  []float64 // of each sign, what was gained by it
}

func grow(rows []weighed) (*truth.Forest, []float64) {
	g := &grower{rows: rows, pull: make([]float64, len(rows)), curve: make([]float64, len(rows)), random: 12345}
	g.cut()
	yes, all := 0.0, 0.0
	for _, r := range rows {
		yes += r.y * r.counts
		all += r.counts
	}
	w := &truth.Forest{}
	begin := math.Log(yes / (all - yes))
	w.Begin(begin)
	odds := slices.Repeat([]float64{begin}, len(rows))
	every := make([]int, len(rows))
	for i := range every {
		every[i] = i
	}
	for range treesMost {
		for i, r := range rows {
			p := 1 / (1 + math.Exp(-odds[i]))
			g.pull[i], g.curve[i] = (r.y-p)*r.counts, max(p*(1-p), curveLeast)*r.counts
		}
		for s := range g.use {
			g.random = g.random*1664525 + 1013904223
			g.use[s] = g.random>>8%signsUsed == 0
		}
		tree := g.branch(every, treeDepth)
		nodes := tree.nodes(nil)
		w.Add(nodes)
		for i, r := range rows {
			odds[i] += w.Odds(nodes, r.x)
		}
	}
	return w, g.gains
}

// cut finds where each sign may be parted: between all values that it has, or so that as many
// rows are between any two.
func (g *grower) cut() {
	signs := len(g.rows[0].x)
	g.cuts, g.bins, g.use, g.gains = make([][]float64, signs), make([][]uint8, signs), make([]bool, signs), make([]float64, signs)
	for s := range signs {
		values := make([]float64, len(g.rows))
		for i, r := range g.rows {
			values[i] = float64(float32(r.x[s]))
		}
		all := slices.Sorted(slices.Values(values))
		few := slices.Compact(slices.Clone(all))
		if len(few) <= cutsMost {
			for i := range len(few) - 1 {
				g.cuts[s] = append(g.cuts[s], float64(float32((few[i]+few[i+1])/2)))
			}
		} else {
			for k := 1; k < cutsMost; k++ {
				if v := all[k*len(all)/cutsMost]; len(g.cuts[s]) == 0 || v > g.cuts[s][len(g.cuts[s])-1] {
					g.cuts[s] = append(g.cuts[s], v)
				}
			}
		}
		g.bins[s] = make([]uint8, len(values))
		for i, v := range values {
			at, _ := slices.BinarySearch(g.cuts[s], v)
			g.bins[s][i] = uint8(at)
		}
	}
}

// A branch asks for one sign, or is a leaf.
type branch struct {
	sign        int
	at          float64
	least, most *branch
	odds        float64
}

func (b *branch) nodes(before []truth.TreeNode) []truth.TreeNode {
	if b.least == nil {
		return append(before, truth.Leaf(b.odds))
	}
	here := len(before)
	out := b.least.nodes(append(before, truth.Leaf(0)))
	out[here] = truth.Node(b.sign, len(out), b.at)
	return b.most.nodes(out)
}

// sums are those of some rows.
type sums struct{ pull, curve, counts float64 }

func (s sums) worth() float64 { return s.pull * s.pull / (s.curve + leafDrawn) }

func (g *grower) branch(rows []int, depth int) *branch {
	var all sums
	for _, i := range rows {
		all.pull, all.curve, all.counts = all.pull+g.pull[i], all.curve+g.curve[i], all.counts+g.rows[i].counts
	}
	b := &branch{sign: -1, odds: rate * all.pull / (all.curve + leafDrawn)}
	if depth == 0 {
		return b
	}
	best, cut := 1e-6, 0
	for s := range g.cuts {
		if !g.use[s] || len(g.cuts[s]) == 0 {
			continue
		}
		if gain, at := g.part(s, rows, all); gain > best {
			best, b.sign, cut = gain, s, at
		}
	}
	if b.sign < 0 {
		return b
	}
	b.at = g.cuts[b.sign][cut]
	g.gains[b.sign] += best
	var least, most []int
	for _, i := range rows {
		if int(g.bins[b.sign][i]) <= cut {
			least = append(least, i)
		} else {
			most = append(most, i)
		}
	}
	b.least, b.most = g.branch(least, depth-1), g.branch(most, depth-1)
	return b
}

// part finds where a sign parts some rows best, and what that gains.
func (g *grower) part(sign int, rows []int, all sums) (best float64, cut int) {
	var bins [cutsMost + 1]sums
	for _, i := range rows {
		b := &bins[g.bins[sign][i]]
		b.pull, b.curve, b.counts = b.pull+g.pull[i], b.curve+g.curve[i], b.counts+g.rows[i].counts
	}
	var least sums
	for at := range g.cuts[sign] {
		b := bins[at]
		least = sums{least.pull + b.pull, least.curve + b.curve, least.counts + b.counts}
		most := sums{all.pull - least.pull, all.curve - least.curve, all.counts - least.counts}
		if least.counts < leafLeast || most.counts < leafLeast {
			continue
		}
		if gain := least.worth() + most.worth() - all.worth(); gain > best {
			best, cut = gain, at
		}
	}
	return best, cut
}
