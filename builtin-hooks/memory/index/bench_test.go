package index

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// grown is the benchmark's memories, again and again with other names and
// numbers in them, until there are n.
func grown(b *testing.B, n int) []Doc {
	base := corpus(b)
	var out []Doc
	for i := 0; len(out) < n; i++ {
		for _, d := range base[:min(len(base), n-len(out))] {
			if i > 0 {
				d.ID = fmt.Sprintf("%s-%d", d.ID, i)
				d.Content = fmt.Sprintf("%s (module%d, 第%d期, build %x)", d.Content, i*7919%1000, i, i*104729)
				d.Replaces = nil
				d.Time = d.Time.Add(-time.Duration(i) * time.Hour)
			}
			out = append(out, d)
		}
	}
	return out
}

// BenchmarkSearch opens the index for each search, as a command does.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1_000, 20_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := filled(b, grown(b, n), Hash{})
			path := x.path
			x.Close()
			qs := questions(b)
			i := 0
			for b.Loop() {
				x, err := Open(path, Hash{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := x.Search(context.Background(), Query{Text: qs[i%len(qs)].text, Max: 5, Now: now}); err != nil {
					b.Fatal(err)
				}
				x.Close()
				i++
			}
		})
	}
}

// BenchmarkFill makes an index of a thousand memories.
func BenchmarkFill(b *testing.B) {
	docs := grown(b, 1_000)
	for b.Loop() {
		filled(b, docs, Hash{}).Close()
	}
}
