// Package linediff compares two texts line by line, for people who are to see
// what an approval, an installation or a repair changes.
package linediff

import (
	"fmt"
	"strings"
)

const (
	// context is how many unchanged lines stand around a change.
	context = 3
	// maxEdits is how many lines two texts may differ in before the diff shows
	// one as removed and the other as added.
	maxEdits = 2000
)

// An edit is one line of a diff: ' ' in both, '-' removed, '+' added.
type edit struct {
	op   byte
	line string
}

// Write writes the hunks that lead from one text to another, in the form of
// diff -u and without its head. show is how a line without its end is shown: what
// a terminal would act on has to go, and only the caller knows how.
func Write(b *strings.Builder, old, new string, show func(line string) string) {
	edits := diffLines(splitLines(old), splitLines(new))
	oldLine, newLine := 1, 1
	for i := 0; i < len(edits); {
		if edits[i].op == ' ' {
			i, oldLine, newLine = i+1, oldLine+1, newLine+1
			continue
		}
		begin := max(0, i-context)
		end := hunkEnd(edits, i)
		oldLine, newLine = oldLine-(i-begin), newLine-(i-begin)
		oldLen, newLen := hunkLens(edits[begin:end])
		fmt.Fprintf(b, "@@ -%s +%s @@\n", hunkRange(oldLine, oldLen), hunkRange(newLine, newLen))
		for _, e := range edits[begin:end] {
			b.WriteByte(e.op)
			b.WriteString(show(strings.TrimSuffix(e.line, "\n")) + "\n")
			if !strings.HasSuffix(e.line, "\n") {
				b.WriteString("\\ No newline at end of file\n")
			}
		}
		i, oldLine, newLine = end, oldLine+oldLen, newLine+newLen
	}
}

// hunkEnd is the end of the hunk that edits[i] begins: changes closer than twice
// the context belong together.
func hunkEnd(edits []edit, i int) int {
	last := i
	for j := i; j < len(edits) && j-last <= 2*context; j++ {
		if edits[j].op != ' ' {
			last = j
		}
	}
	return min(len(edits), last+1+context)
}

func hunkLens(edits []edit) (old, new int) {
	for _, e := range edits {
		if e.op != '+' {
			old++
		}
		if e.op != '-' {
			new++
		}
	}
	return old, new
}

func hunkRange(line, n int) string {
	if n == 0 {
		line--
	}
	if n == 1 {
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, n)
}

func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// diffLines finds the shortest way from one list of lines to another, by Myers'
// greedy algorithm, after the common ends are cut off.
func diffLines(a, b []string) []edit {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var edits []edit
	for _, line := range a[:head] {
		edits = append(edits, edit{' ', line})
	}
	edits = append(edits, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, line := range a[len(a)-tail:] {
		edits = append(edits, edit{' ', line})
	}
	return edits
}

func middle(a, b []string) []edit {
	trace, ok := shortest(a, b)
	if !ok {
		var edits []edit
		for _, line := range a {
			edits = append(edits, edit{'-', line})
		}
		for _, line := range b {
			edits = append(edits, edit{'+', line})
		}
		return edits
	}
	return backtrack(trace, a, b)
}

const unreached = -1 << 30

// shortest records, for each number of edits d, how far each diagonal k = x - y
// was reached: trace[d][k+d].
func shortest(a, b []string) (trace [][]int, ok bool) {
	for d := 0; d <= min(len(a)+len(b), maxEdits); d++ {
		reach := make([]int, 2*d+1)
		trace = append(trace, reach)
		for k := -d; k <= d; k += 2 {
			x := 0
			if d > 0 {
				x = step(trace[d-1], d-1, k)
			}
			y := x - k
			if x > len(a) || y > len(b) || x < 0 || y < 0 {
				reach[k+d] = unreached
				continue
			}
			for x < len(a) && y < len(b) && a[x] == b[y] {
				x, y = x+1, y+1
			}
			reach[k+d] = x
			if x >= len(a) && y >= len(b) {
				return trace, true
			}
		}
	}
	return nil, false
}

// step is where diagonal k is entered from the reach of d edits: down from the
// diagonal above (an added line) or right from the one below (a removed line).
func step(reach []int, d, k int) int {
	down, right := unreached, unreached
	if k+1 <= d {
		down = reach[k+1+d]
	}
	if k-1 >= -d {
		right = reach[k-1+d] + 1
	}
	return max(down, right)
}

func backtrack(trace [][]int, a, b []string) []edit {
	x, y := len(a), len(b)
	var reversed []edit
	for d := len(trace) - 1; d >= 0; d-- {
		k := x - y
		start := 0
		if d > 0 {
			start = step(trace[d-1], d-1, k)
		}
		for x > start && x > 0 && y > 0 && x-start > 0 {
			x, y = x-1, y-1
			reversed = append(reversed, edit{' ', a[x]})
		}
		if d == 0 {
			break
		}
		if k+1 <= d-1 && trace[d-1][k+1+d-1] == start {
			y--
			reversed = append(reversed, edit{'+', b[y]})
		} else {
			x--
			reversed = append(reversed, edit{'-', a[x]})
		}
	}
	edits := make([]edit, len(reversed))
	for i, e := range reversed {
		edits[len(reversed)-1-i] = e
	}
	return edits
}
