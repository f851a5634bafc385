package shell

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Plain is text from a repository made safe to show, on one line.
func Plain(s string) string {
	return text.OneLine(protocol.Plain(s))
}

// FirstLine is the first non-blank line of a text, made safe to show.
func FirstLine(s string) string { return Plain(text.FirstLine(protocol.Plain(s))) }

// Headline is the beginning of a text, on one line.
func Headline(s string) string {
	const most = 200
	line := text.OneLine(s)
	if head := text.Head(line, most); head != line {
		return head + " …"
	}
	return line
}

// Size is a number of bytes as text.
func Size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
