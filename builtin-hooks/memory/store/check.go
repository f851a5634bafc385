package store

import (
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Damage counts the lines of the folder's files, and names those that cannot be read, as
// file:line.
func (k Keeper) Damage() (lines int, damaged []string, err error) {
	place := k.place()
	place.EveryBranch = true
	for _, file := range append(place.FactFiles(), place.SummaryFiles()...) {
		b, err := place.Read(file)
		if err != nil {
			return lines, damaged, err
		}
		n := 0
		for line := range strings.Lines(string(b)) {
			n++
			if line = strings.TrimSpace(line); line == "" || mark(line) {
				continue
			}
			lines++
			if _, err := protocol.ParseObject([]byte(line)); err != nil {
				damaged = append(damaged, fmt.Sprintf("%s:%d", file, n))
			}
		}
	}
	return lines, damaged, nil
}

// mark reports whether a line is a conflict marker of git: the lines between markers are read,
// from both sides.
func mark(line string) bool {
	return strings.HasPrefix(line, "<<<<<<<") || strings.HasPrefix(line, ">>>>>>>") || strings.HasPrefix(line, "|||||||") || line == "======="
}

// Writable is nil if facts can be saved: it writes a file and removes it.
func (k Keeper) Writable() error {
	return k.place().Writable(k.Random())
}
