package shell

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/linediff"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// UnifiedDiff shows how a file changes, in the form of diff -u. A nil text is a
// missing file. Control characters are left out, so the result is for reading, not
// for patch.
func UnifiedDiff(name string, before, after []byte) string {
	if bytes.Equal(before, after) && (before == nil) == (after == nil) {
		return ""
	}
	if binary(before) || binary(after) {
		return fmt.Sprintf("%s: not a text (%d bytes before, %d after)\n", name, len(before), len(after))
	}
	var b strings.Builder
	b.WriteString("--- " + diffName(name, before) + "\n+++ " + diffName(name, after) + "\n")
	linediff.Write(&b, string(before), string(after), diffLine)
	return b.String()
}

func diffName(name string, text []byte) string {
	if text == nil {
		return "/dev/null"
	}
	return Plain(name)
}

func binary(b []byte) bool { return bytes.IndexByte(b[:min(len(b), 8000)], 0) >= 0 }

// diffLine is a line as it is shown; unusual line ends and hidden characters are made
// visible, so that a change of only those can be seen.
func diffLine(line string) string {
	if text, crlf := strings.CutSuffix(line, "\r"); crlf {
		return protocol.Visible(text) + "␍"
	}
	return protocol.Visible(line)
}

// PaintDiff colours a diff on a terminal.
func PaintDiff(sh *Shell, diff string) string {
	if !sh.Colour(sh.Out) {
		return diff
	}
	var b strings.Builder
	for line := range strings.Lines(diff) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "+++ "), strings.HasPrefix(text, "--- "):
			text = sh.Paint(Bold, text)
		case strings.HasPrefix(text, "+"):
			text = sh.Paint(Green, text)
		case strings.HasPrefix(text, "-"):
			text = sh.Paint(Red, text)
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}
