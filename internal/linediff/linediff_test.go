package linediff

import (
	"fmt"
	"slices"
	"testing"
)

// Applying a diff to the old text gives the new one, whatever they are.
func TestDiffLinesIsRight(t *testing.T) {
	t.Parallel()
	seed := uint32(1)
	next := func(n int) int {
		seed = seed*1664525 + 1013904223
		return int(seed>>8) % n
	}
	for range 3000 {
		var a, b []string
		for range next(12) {
			a = append(a, fmt.Sprint(next(4)))
		}
		for range next(12) {
			b = append(b, fmt.Sprint(next(4)))
		}
		var old, new []string
		for _, e := range diffLines(a, b) {
			if e.op != '+' {
				old = append(old, e.line)
			}
			if e.op != '-' {
				new = append(new, e.line)
			}
		}
		if !slices.Equal(old, a) || !slices.Equal(new, b) {
			t.Fatalf("%q to %q: reads back as %q and %q", a, b, old, new)
		}
	}
	var a, b []string
	for i := range 5000 {
		a, b = append(a, fmt.Sprint("a", i)), append(b, fmt.Sprint("b", i))
	}
	if n := len(diffLines(a, b)); n != 10000 {
		t.Errorf("two long texts without a common line: %d edits", n)
	}
}
