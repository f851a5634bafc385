// Package linediff compares two texts line by line, for people who are to see
// what an approval, an installation or a repair changes.
//
// The lines are matched by rogpeppe/go-internal/diff, an anchored diff: lines
// that stand once in either text hold the rest in place, in time that grows
// little faster than the texts, whatever they hold. What is done here is the form
// in which they are shown: no head, since only the caller knows what to call the
// two texts, ranges as diff -u writes them, and each line through the caller's
// hands, because what a terminal would act on must not be printed.
package linediff

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// headLines are what the library writes before the first hunk.
const headLines = 3

// Write writes the hunks that lead from one text to another, in the form of
// diff -u and without its head. show is how a line without its end is shown.
func Write(b *strings.Builder, old, new string, show func(line string) string) {
	n := 0
	for line := range strings.Lines(string(diff.Diff("", []byte(old), "", []byte(new)))) {
		n++
		switch {
		case n <= headLines:
		case line[0] == '@':
			b.WriteString(hunkHead(line))
		case line[0] == '\\': // there is no newline at the end of the line before
			b.WriteString(line)
		default:
			b.WriteByte(line[0])
			b.WriteString(show(strings.TrimSuffix(line[1:], "\n")) + "\n")
		}
	}
}

// hunkHead is the first line of a hunk as diff -u writes it: of one line, the
// length goes without saying.
func hunkHead(line string) string {
	var oldLine, oldLen, newLine, newLen int
	if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &oldLine, &oldLen, &newLine, &newLen); err != nil {
		return line
	}
	return fmt.Sprintf("@@ -%s +%s @@\n", lineRange(oldLine, oldLen), lineRange(newLine, newLen))
}

func lineRange(line, n int) string {
	if n == 1 {
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, n)
}
