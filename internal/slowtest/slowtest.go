// Package slowtest has the flag -slow for tests with long tables: go test ./... runs a
// part of them, so that it takes about a minute, and .ci/run runs all of them with the
// flag.
package slowtest

import (
	"flag"
	"slices"
	"testing"
)

var on = flag.Bool("slow", false, "play long tables whole, not in part")

// On reports whether all is to be played.
func On() bool { return *on }

// Only leaves a test out that is played with -slow alone; why says what is long about it,
// or what has its essence otherwise.
func Only(t testing.TB, why string) {
	t.Helper()
	if !*on {
		t.Skip(why + ": with -slow")
	}
}

// Part reports whether row i of a table is to be played: each of them with -slow, else
// one of so many.
func Part(i, of int) bool { return *on || i%of == 0 }

// Count is how many of something are played: all with -slow, else a part.
func Count(part, all int) int {
	if *on {
		return all
	}
	return part
}

// Among reports whether the row of a name is to be played: each with -slow, else those
// that are named here.
func Among(name string, part ...string) bool { return *on || slices.Contains(part, name) }
