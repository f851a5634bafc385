package shell

import (
	"io"
	"os"
	"regexp"

	"golang.org/x/term"
)

// A Colour is an SGR code.
type Colour string

const (
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
	Dim    Colour = "2"
	Bold   Colour = "1"
)

// colours are what Paint writes.
var colours = regexp.MustCompile(`\x1b\[(31|32|33|2|1|0)m`)

// Paint colours a part of the answer, if stdout is a terminal that supports it.
func (sh *Shell) Paint(c Colour, text string) string {
	if !sh.Colour(sh.Out) {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// Colour reports whether a stream is a terminal that supports colour.
func (sh *Shell) Colour(w io.Writer) bool {
	if sh.Host.Getenv("NO_COLOR") != "" || sh.Host.Getenv("TERM") == "dumb" {
		return false
	}
	return IsTerminal(w)
}

// IsTerminal reports whether a stream is a terminal. Other character devices, such as
// /dev/null, are not.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width is the number of columns for the answer: the terminal's, at least 40, and 80
// if the output goes elsewhere.
func (sh *Shell) Width() int {
	if width := TerminalWidth(sh.Out); width > 0 {
		return max(width, 40)
	}
	return 80
}

// TerminalWidth is a terminal's number of columns, 0 if the stream is not a terminal.
func TerminalWidth(stream any) int {
	f, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
