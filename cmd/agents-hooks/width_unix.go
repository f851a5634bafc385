//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminalWidth is how many places a line of a terminal has, 0 if the stream is
// none.
func terminalWidth(stream any) int {
	f, ok := stream.(*os.File)
	if !ok || !isTerminal(f) {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
