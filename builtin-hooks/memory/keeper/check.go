package keeper

import (
	"fmt"
	"os"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Damage counts the lines of the folder's files, and names those that cannot be
// read, as file:line.
func (k Keeper) Damage() (lines int, damaged []string, err error) {
	for _, file := range append(memory.FactFiles(k.Dir), memory.SessionsFile) {
		b, err := statefile.Read(k.path(file))
		if err != nil {
			return lines, damaged, err
		}
		n := 0
		for line := range strings.Lines(string(b)) {
			n++
			if line = strings.TrimSpace(line); line == "" {
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

// Writable is nil if facts can be saved: it writes a file and removes it.
func (k Keeper) Writable() error {
	f, err := os.CreateTemp(k.Dir, ".agents-hooks-*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}
