package keeper

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Damage counts the lines of the folder's files, and names those that cannot be
// read, as file:line.
func (k Keeper) Damage() (lines int, damaged []string, err error) {
	for _, file := range append(k.place().FactFiles(), memory.SessionsFile) {
		b, err := k.place().Read(file)
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
	name := filepath.Join(k.Dir, ".agents-hooks-"+strconv.FormatUint(k.Random(), 36))
	f, err := k.Within.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	f.Close()
	return k.Within.Remove(name)
}
