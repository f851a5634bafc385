// Package linediff compares two texts line by line, to show what an approval, an
// installation or a repair changes.
//
// The lines are matched by rogpeppe/go-internal/diff, an anchored diff: lines that
// occur once in both texts are the anchors, and its time grows little faster than the
// texts, whatever they contain. This package formats the result: no header, since only
// the caller knows the names of the texts, ranges as in diff -u, and each line passed
// through the caller, because control characters must not be printed.
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
