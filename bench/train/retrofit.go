package main

import (
	"math"
	"slices"
	"strings"
)

const (
	pull   = 1.0 // of all its neighbours together, against its own place
	settle = 3   // rounds
)

// retrofit moves words nearer to their synonyms in a thesaurus.
func retrofit(v vocabulary, vectors dense, synsets [][]string) {
	type near struct {
		to     int32
		weight float64
	}
	meanings := map[string]int{}
	for _, s := range synsets {
		meanings[s[0]]++
	}
	links := make([]map[int32]float64, len(v.words))
	seen := map[string]int{}
	for _, s := range synsets {
		seen[s[0]]++
		from := v.single(s[0])
		if from < 0 {
			continue
		}
		for _, word := range s[1:] {
			weight := 1 / float64(seen[s[0]])
			if word, kind, ok := strings.Cut(word, " ("); ok {
				weight *= map[string]float64{"generic term)": 0.3, "similar term)": 0.7, "related term)": 0.7}[kind]
				if to := v.single(word); to >= 0 && to != from && weight > 0 {
					add(links, from, to, weight)
				}
			} else if to := v.single(word); to >= 0 && to != from {
				add(links, from, to, weight)
			}
		}
	}
	lists := make([][]near, len(links))
	for i, l := range links {
		for to, w := range l {
			lists[i] = append(lists[i], near{to, w})
		}
		slices.SortFunc(lists[i], func(a, b near) int { return int(a.to - b.to) })
	}
	unitRows(vectors)
	first := dense{vectors.rows, vectors.wide, slices.Clone(vectors.data)}
	for range settle {
		last := dense{vectors.rows, vectors.wide, slices.Clone(vectors.data)}
		each(vectors.rows, func(i int) {
			var all float64
			for _, n := range lists[i] {
				all += n.weight
			}
			if all == 0 {
				return
			}
			by := pull * all / (all + 1) / all
			to := vectors.row(i)
			copy(to, first.row(i))
			for _, n := range lists[i] {
				x, from := float32(by*n.weight), last.row(int(n.to))
				for j := range to {
					to[j] += float32(x * from[j])
				}
			}
		})
		unitRows(vectors)
	}
}

func add(links []map[int32]float64, from, to int32, weight float64) {
	for _, way := range [][2]int32{{from, to}, {to, from}} {
		if links[way[0]] == nil {
			links[way[0]] = map[int32]float64{}
		}
		links[way[0]][way[1]] += weight / 2
	}
}

func unitRows(d dense) {
	each(d.rows, func(i int) {
		row := d.row(i)
		var sum float64
		for _, x := range row {
			sum += float64(float64(x) * float64(x))
		}
		if sum > 0 {
			n := float32(1 / math.Sqrt(sum))
			for j := range row {
				row[j] *= n
			}
		}
	})
}
