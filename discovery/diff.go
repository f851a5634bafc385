package discovery

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	diffContext = 3
	// maxDiffEdits is how many lines two texts may differ in before the diff
	// shows one as removed and the other as added.
	maxDiffEdits = 2000
)

// diffTrees is a unified diff between two states of a folder, both sorted by
// path.
func diffTrees(before, now []treeFile) string {
	var b strings.Builder
	for len(before) > 0 || len(now) > 0 {
		switch {
		case len(now) == 0 || len(before) > 0 && before[0].path < now[0].path:
			diffFile(&b, &before[0], nil)
			before = before[1:]
		case len(before) == 0 || now[0].path < before[0].path:
			diffFile(&b, nil, &now[0])
			now = now[1:]
		default:
			diffFile(&b, &before[0], &now[0])
			before, now = before[1:], now[1:]
		}
	}
	return b.String()
}

// diffFile writes what is different in one file, nil standing for none.
func diffFile(b *strings.Builder, before, now *treeFile) {
	from, to := "/dev/null", "/dev/null"
	var old, new []byte
	text := true
	if before != nil {
		from, old = "a/"+visible(before.path), before.text
		text = before.text != nil || before.size == 0
	}
	if now != nil {
		to, new = "b/"+visible(now.path), now.text
		text = text && (now.text != nil || now.size == 0)
	}
	if before != nil && now != nil && before.sum == now.sum {
		if before.exec == now.exec {
			return
		}
		fmt.Fprintf(b, "--- %s\n+++ %s\n%s\n", from, to, modeChange(before, now))
		return
	}
	fmt.Fprintf(b, "--- %s\n+++ %s\n", from, to)
	if change := modeChange(before, now); change != "" {
		b.WriteString(change + "\n")
	}
	if !text {
		b.WriteString("(not shown: no text, or too large; " + sizes(before, now) + ")\n")
		return
	}
	diffText(b, string(old), string(new))
}

// modeChange tells of a change of the executable bit.
func modeChange(before, now *treeFile) string {
	was, is := before != nil && before.exec, now != nil && now.exec
	switch {
	case now == nil || was == is:
		return ""
	case is:
		return "(executable)"
	}
	return "(no longer executable)"
}

func sizes(before, now *treeFile) string {
	switch {
	case before == nil:
		return fmt.Sprintf("%d bytes", now.size)
	case now == nil:
		return fmt.Sprintf("%d bytes removed", before.size)
	}
	return fmt.Sprintf("%d bytes, before %d", now.size, before.size)
}

// An edit is one line of a diff: ' ' in both, '-' removed, '+' added.
type edit struct {
	op   byte
	line string
}

// diffText writes the hunks between two texts.
func diffText(b *strings.Builder, old, new string) {
	edits := diffLines(splitLines(old), splitLines(new))
	oldLine, newLine := 1, 1
	for i := 0; i < len(edits); {
		if edits[i].op == ' ' {
			i, oldLine, newLine = i+1, oldLine+1, newLine+1
			continue
		}
		begin := max(0, i-diffContext)
		end := hunkEnd(edits, i)
		oldLine, newLine = oldLine-(i-begin), newLine-(i-begin)
		oldLen, newLen := hunkLens(edits[begin:end])
		fmt.Fprintf(b, "@@ -%s +%s @@\n", hunkRange(oldLine, oldLen), hunkRange(newLine, newLen))
		for _, e := range edits[begin:end] {
			b.WriteByte(e.op)
			b.WriteString(visible(strings.TrimSuffix(e.line, "\n")) + "\n")
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
	for j := i; j < len(edits) && j-last <= 2*diffContext; j++ {
		if edits[j].op != ' ' {
			last = j
		}
	}
	return min(len(edits), last+1+diffContext)
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
	for d := 0; d <= min(len(a)+len(b), maxDiffEdits); d++ {
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

// visible spells out what a terminal would act on instead of showing: a hook
// must not hide a line of itself from whoever approves it.
func visible(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\t':
			b.WriteByte('\t')
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r >= 0x80 && r < 0xa0, r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff, r >= 0xe0000 && r <= 0xe007f:
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
