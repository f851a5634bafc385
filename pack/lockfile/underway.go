package lockfile

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Committed is the phase in a journal once the change is committed.
const Committed = "commit"

// Journal is where package store records a change to the hooks folder in agents: in the
// user's state directory.
func Journal(state, agents string) string {
	sum := sha256.Sum256([]byte(agents))
	return filepath.Join(state, "packs", hex.EncodeToString(sum[:12])+".json")
}

// Underway reports whether an unfinished change takes a folder from or to a state:
// while folders are replaced one at a time, and after a process was killed, both states
// are valid.
func Underway(state, agents, folder, hash string) bool {
	b, err := statefile.Read(Journal(state, agents))
	if err != nil || b == nil {
		return false
	}
	j, err := protocol.ParseObject(b)
	if err != nil || j.Text("phase") != Committed {
		return false
	}
	of := func(list string) string {
		o, _ := protocol.ParseObject(j.Get(list))
		return o.Text(folder)
	}
	return hash != "" && (hash == of("put") || hash == of("was") && of("put") != "")
}
