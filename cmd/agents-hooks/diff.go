package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// diffContext is how many unchanged lines stand around a change.
const diffContext = 3

// maxDiffCells bounds the table of a comparison. Texts that differ in more than
// that are shown as one removal and one addition.
const maxDiffCells = 4 << 20

// A diffLine is a line of both texts (' '), of the old one ('-') or of the new
// one ('+').
type diffLine struct {
	mark byte
	text string
}

// unifiedDiff shows how a file changes, in the form of diff -u. A nil text is a
// file that does not exist. Control characters are left out, so the result is
// for eyes, not for patch.
func unifiedDiff(name string, before, after []byte) string {
	if bytes.Equal(before, after) && (before == nil) == (after == nil) {
		return ""
	}
	if binary(before) || binary(after) {
		return fmt.Sprintf("%s: not a text (%d bytes before, %d after)\n", name, len(before), len(after))
	}
	var b strings.Builder
	b.WriteString("--- " + diffName(name, before) + "\n+++ " + diffName(name, after) + "\n")
	lines := compare(splitLines(before), splitLines(after))
	for _, h := range hunks(lines) {
		writeHunk(&b, lines, h)
	}
	return b.String()
}

func diffName(name string, text []byte) string {
	if text == nil {
		return "/dev/null"
	}
	return plain(name)
}

func binary(b []byte) bool { return bytes.IndexByte(b[:min(len(b), 8000)], 0) >= 0 }

// splitLines keeps line ends, so that a change of those alone is a change.
func splitLines(b []byte) []string {
	var lines []string
	for line := range strings.Lines(string(b)) {
		lines = append(lines, line)
	}
	return lines
}

// compare aligns two texts by their longest common subsequence of lines.
func compare(a, b []string) []diffLine {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []diffLine
	for _, s := range a[:head] {
		out = append(out, diffLine{' ', s})
	}
	out = append(out, align(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, s := range a[len(a)-tail:] {
		out = append(out, diffLine{' ', s})
	}
	return out
}

func align(a, b []string) []diffLine {
	var out []diffLine
	i, j := 0, 0
	if (len(a)+1)*(len(b)+1) <= maxDiffCells {
		// common[i][j] is the length of the longest common subsequence of a[i:]
		// and b[j:].
		common := make([][]int32, len(a)+1)
		for i := range common {
			common[i] = make([]int32, len(b)+1)
		}
		for i := len(a) - 1; i >= 0; i-- {
			for j := len(b) - 1; j >= 0; j-- {
				if a[i] == b[j] {
					common[i][j] = common[i+1][j+1] + 1
				} else {
					common[i][j] = max(common[i+1][j], common[i][j+1])
				}
			}
		}
		for i < len(a) && j < len(b) {
			switch {
			case a[i] == b[j]:
				out = append(out, diffLine{' ', a[i]})
				i++
				j++
			case common[i+1][j] >= common[i][j+1]:
				out = append(out, diffLine{'-', a[i]})
				i++
			default:
				out = append(out, diffLine{'+', b[j]})
				j++
			}
		}
	}
	for ; i < len(a); i++ {
		out = append(out, diffLine{'-', a[i]})
	}
	for ; j < len(b); j++ {
		out = append(out, diffLine{'+', b[j]})
	}
	return out
}

// hunks are the ranges of lines to be shown: changes with their context, those
// that touch joined.
func hunks(lines []diffLine) [][2]int {
	var out [][2]int
	for i, l := range lines {
		if l.mark == ' ' {
			continue
		}
		from, to := max(0, i-diffContext), min(len(lines), i+1+diffContext)
		if n := len(out); n > 0 && from <= out[n-1][1] {
			out[n-1][1] = to
			continue
		}
		out = append(out, [2]int{from, to})
	}
	return out
}

func writeHunk(b *strings.Builder, lines []diffLine, h [2]int) {
	oldAt, newAt := 1, 1
	for _, l := range lines[:h[0]] {
		if l.mark != '+' {
			oldAt++
		}
		if l.mark != '-' {
			newAt++
		}
	}
	olds, news := 0, 0
	for _, l := range lines[h[0]:h[1]] {
		if l.mark != '+' {
			olds++
		}
		if l.mark != '-' {
			news++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", hunkRange(oldAt, olds), hunkRange(newAt, news))
	for _, l := range lines[h[0]:h[1]] {
		text, ended := strings.CutSuffix(l.text, "\n")
		b.WriteByte(l.mark)
		if text, crlf := strings.CutSuffix(text, "\r"); crlf {
			b.WriteString(protocol.Plain(text) + "␍")
		} else {
			b.WriteString(protocol.Plain(text))
		}
		b.WriteByte('\n')
		if !ended {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
}

// hunkRange is "line,count" as diff -u has it: of an empty range the line before
// it is named, and a count of one is left out.
func hunkRange(line, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", line-1)
	case 1:
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, count)
}
