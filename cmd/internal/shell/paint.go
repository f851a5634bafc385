package shell

// A Colour is the SGR code of one.
type Colour string

const (
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
	Dim    Colour = "2"
	Bold   Colour = "1"
)

// Paint colours a part of the answer, if stdout is a terminal that wants it.
func (sh *Shell) Paint(c Colour, text string) string {
	if !sh.Colour(sh.Out) {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}
