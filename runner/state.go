package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/discovery"
)

// The state directory, as far as this package writes it:
//
//	log/YYYY-MM-DD.jsonl            the run log
//	sessions/ID/AGENT.json          what one agent session remembers
//	dedup/                          answers given in the last two seconds
//	hooks/LAYER/NAME/               of one hook
//	hooks/project-HASH/NAME/        of one hook of one project
//	async/                          a place for each async hook that is alive
//
// What lies there besides is of others: trust.json and trust/ of discovery,
// record/ of the recordings, receipts of install.
//
// Directories are 0700, files 0600.

// stateDir is the state directory of one hook.
func stateDir(state string, h *discovery.Hook, project string) string {
	layer := string(h.Layer)
	if h.Layer == discovery.ProjectLayer {
		layer += "-" + shortHash(project)
	}
	return filepath.Join(state, "hooks", layer, safeName(h.Name))
}

// SessionDir is the directory of an agent session in the state directory. An id
// that is no plain file name on every system becomes a hash.
func SessionDir(stateDir, id string) string {
	return filepath.Join(stateDir, "sessions", safeName(id))
}

// safeName is s if it can be the name of a file anywhere, else a hash of it.
// The two cannot be mistaken for each other: no plain name begins with "x-".
func safeName(s string) string {
	if plainName(s) {
		return s
	}
	return "x-" + shortHash(s)
}

func plainName(s string) bool {
	if s == "" || len(s) > 80 || len(s) >= 2 && s[:2] == "x-" {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-' && i > 0, c == '_':
		default:
			// Upper case too: two ids must not meet on a file system that folds case.
			return false
		}
	}
	return !deviceName(s)
}

// deviceName reports whether Windows takes a name for a device.
func deviceName(s string) bool {
	switch s {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(s) == 4 && (s[:3] == "com" || s[:3] == "lpt") && s[3] >= '0' && s[3] <= '9'
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
