package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// terminalWidth is how many places a line of a terminal has, 0 if the stream is
// none.
func terminalWidth(stream any) int {
	f, ok := stream.(*os.File)
	if !ok || !isTerminal(f) {
		return 0
	}
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info) != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}
