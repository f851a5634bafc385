// Command floor is the least that a dispatcher in Go does: it reads an event and checks
// for a folder of hooks. The same in C is testdata/floor.c.
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
