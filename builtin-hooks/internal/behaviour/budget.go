package behaviour

import (
	"strings"
	"unicode/utf8"
)

// Say adds a text to what the agent is told, as far as there is room.
// What does not fit is cut at the end of a line, and more says how to get it.
func (c *Call) Say(text, more string) {
	text = c.take(text, more)
	if c.Answer.AdditionalContext != "" && text != "" {
		text = c.Answer.AdditionalContext + "\n\n" + text
	}
	if text != "" {
		c.Answer.AdditionalContext = text
	}
}

func (c *Call) take(text, more string) string {
	text = Cut(text, c.Runtime.TextBudget, more)
	c.Runtime.TextBudget -= utf8.RuneCountInString(text)
	return text
}

// Cut is text in at most room characters: whole lines of it, and then more. A
// text whose last line is its closing tag keeps that. Nothing is said where not
// even a line fits.
func Cut(text string, room int, more string) string {
	if utf8.RuneCountInString(text) <= room {
		return text
	}
	lines := strings.Split(text, "\n")
	end := ""
	if last := lines[len(lines)-1]; len(lines) > 1 && strings.HasPrefix(last, "</") {
		end = "\n" + last
		lines = lines[:len(lines)-1]
	}
	tail := "… " + more + end
	left := room - utf8.RuneCountInString(tail)
	var kept strings.Builder
	n := 0
	for _, line := range lines {
		size := utf8.RuneCountInString(line) + 1
		if size > left {
			break
		}
		kept.WriteString(line + "\n")
		left -= size
		n++
	}
	if n == 0 || n == 1 && strings.HasPrefix(lines[0], "<") {
		return ""
	}
	return kept.String() + tail
}
