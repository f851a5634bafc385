package internal_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/linediff"
)

func diffOf(old, new string, show func(string) string) string {
	var b strings.Builder
	linediff.Write(&b, old, new, show)
	return b.String()
}

func asIs(line string) string { return line }

// patch applies hunks to a text as a person would: each says which lines it
// stands for. It is an error if it does not fit.
func patch(old, hunks string) (string, error) {
	var out strings.Builder
	from := strings.SplitAfter(old, "\n")
	if from[len(from)-1] == "" {
		from = from[:len(from)-1]
	}
	at, news, left, lefts := 0, 0, 0, 0
	take := func(op byte, text string) error {
		if op != '+' {
			if at >= len(from) || from[at] != text {
				return fmt.Errorf("line %d of the old text is not %q", at+1, text)
			}
			at, left = at+1, left-1
		}
		if op != '-' {
			out.WriteString(text)
			news, lefts = news+1, lefts-1
		}
		return nil
	}
	lines := strings.SplitAfter(hunks, "\n")
	for i := 0; i < len(lines)-1; i++ {
		line := lines[i]
		if rest, ok := strings.CutPrefix(line, "@@ -"); ok {
			if left != 0 || lefts != 0 {
				return "", fmt.Errorf("the hunk before %q is short", line)
			}
			a, b, _ := strings.Cut(strings.TrimSuffix(rest, " @@\n"), " +")
			var line, begin int
			line, left = span(a)
			for ; at < line-min(left, 1); at, news = at+1, news+1 {
				out.WriteString(from[at])
			}
			if begin, lefts = span(b); begin-min(lefts, 1) != news {
				return "", fmt.Errorf("the hunk %q begins at line %d of the new text", rest, news+1)
			}
			continue
		}
		text := line[1:]
		if i+1 < len(lines)-1 && lines[i+1][0] == '\\' {
			text = strings.TrimSuffix(text, "\n")
			i++
		}
		if err := take(line[0], text); err != nil {
			return "", err
		}
	}
	if left != 0 || lefts != 0 {
		return "", fmt.Errorf("the last hunk is short")
	}
	for ; at < len(from); at++ {
		out.WriteString(from[at])
	}
	return out.String(), nil
}

func span(s string) (line, n int) {
	a, b, ok := strings.Cut(s, ",")
	line, _ = strconv.Atoi(a)
	if n = 1; ok {
		n, _ = strconv.Atoi(b)
	}
	return line, n
}

// Applying a diff to the old text gives the new one, whatever they are.
func TestDiffIsRight(t *testing.T) {
	t.Parallel()
	seed := uint32(1)
	next := func(n int) int {
		seed = seed*1664525 + 1013904223
		return int(seed>>8) % n
	}
	text := func(kinds int) string {
		var b strings.Builder
		for range next(30) {
			fmt.Fprintln(&b, next(kinds))
		}
		if next(3) == 0 {
			b.WriteString("end")
		}
		return b.String()
	}
	for i := range 2000 {
		kinds := []int{2, 4, 50}[i%3]
		old := text(kinds)
		new := text(kinds)
		if i%2 == 0 { // near each other, as files are
			lines := strings.SplitAfter(old, "\n")
			lines[next(len(lines))] = "changed\n"
			new = strings.Join(lines, "")
		}
		got := diffOf(old, new, asIs)
		if back, err := patch(old, got); err != nil || back != new {
			t.Fatalf("%q to %q: %v, reads back as %q:\n%s", old, new, err, back, got)
		}
		if (got == "") != (old == new) {
			t.Fatalf("%q to %q: %q", old, new, got)
		}
	}
}

// The form is that of diff -u: three lines around a change, a range of one line
// without its length, and what has no newline at its end says so.
func TestDiffHasTheUsualForm(t *testing.T) {
	t.Parallel()
	number := func(from, to int) (s string) {
		for i := from; i <= to; i++ {
			s += fmt.Sprintln(i)
		}
		return s
	}
	for _, tt := range []struct{ old, new, want string }{
		{"", "", ""},
		{"", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		{"a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		{"a", "b", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
		{number(1, 20), number(1, 9) + "x\n" + number(11, 20), "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+x\n 11\n 12\n 13\n"},
		{number(1, 20), number(1, 4) + number(6, 10) + number(12, 20), "@@ -2,13 +2,11 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n 9\n 10\n-11\n 12\n 13\n 14\n"},
		{number(1, 20), number(2, 19), "@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -17,4 +16,3 @@\n 17\n 18\n 19\n-20\n"},
	} {
		t.Run(fmt.Sprintf("old %q, new %q", tt.old, tt.new), func(t *testing.T) {
			if got := diffOf(tt.old, tt.new, asIs); got != tt.want {
				t.Errorf("%q to %q\n%s\nwant\n%s", tt.old, tt.new, got, tt.want)
			}
		})
	}
}

// A line is shown as the caller says, whatever it looks like, and nothing but
// lines is.
func TestEveryLineOfADiffIsShown(t *testing.T) {
	t.Parallel()
	old := "same\n@@ -1 +1 @@\n\\ No newline at end of file\n--- a\n+++ b\n\n"
	got := diffOf(old, old+"diff x y\nlast\x1b[2K", func(line string) string { return "<" + line + ">" })
	want := "@@ -4,3 +4,5 @@\n <--- a>\n <+++ b>\n <>\n+<diff x y>\n+<last\x1b[2K>\n\\ No newline at end of file\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Two large texts without a common line are no reason to give up, or to take
// minutes: the lines of one are removed, those of the other added.
func TestDiffOfLargeTexts(t *testing.T) {
	t.Parallel()
	var a, b strings.Builder
	for i := range 200_000 {
		fmt.Fprintln(&a, "a", i)
		fmt.Fprintln(&b, "b", i)
	}
	got := diffOf(a.String(), b.String(), asIs)
	if n := strings.Count(got, "\n"); n != 400_001 || !strings.HasPrefix(got, "@@ -1,200000 +1,200000 @@\n") {
		t.Errorf("%d lines", n)
	}
}
