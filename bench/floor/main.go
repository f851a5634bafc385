// Command floor is the least that a dispatcher in Go does: it reads an event and looks
// whether there is a folder of hooks. Beside it stands the same in C, floor.c of the
// testdata.
package main

import (
	"io"
	"os"
)

func main() {
	if _, err := io.ReadAll(os.Stdin); err != nil {
		os.Exit(1)
	}
	if _, err := os.Stat(os.Getenv("HOME") + "/.config/agents/hooks"); err != nil {
		os.Exit(2)
	}
}
