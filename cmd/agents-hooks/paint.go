package main

// A colour is the SGR code of one.
type colour string

const (
	red    colour = "31"
	green  colour = "32"
	yellow colour = "33"
	dim    colour = "2"
	bold   colour = "1"
)

// paint colours a part of the answer, if stdout is a terminal that wants it.
func (t *tool) paint(c colour, text string) string {
	if !t.colour(t.out) {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}
