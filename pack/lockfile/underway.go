package lockfile

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Committed is what a journal says of its phase once the change is decided.
const Committed = "commit"

// Journal is where package store writes what it is doing to the hooks folder in
// agents: in the person's state directory.
func Journal(state, agents string) string {
	sum := sha256.Sum256([]byte(agents))
	return filepath.Join(state, "packs", hex.EncodeToString(sum[:12])+".json")
}

// Underway reports whether a change that was begun, and not ended yet, takes a folder
// from or to a state: while folders take each other's place one at a time, and after
// a process that was killed at it, both are as they should be.
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
