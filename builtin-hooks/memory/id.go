package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// idMost is how long an id may be.
const idMost = 80

// OurID is an id in the form of ours: letters, digits, '-', '_' and '.', of which no '-' is the
// first. Ids stand in commands that agents and users are told to run, and in lines that are told, so
// that one of another form, as a repository or an import can bring it, is known everywhere by a
// hash of it.
func OurID(id string) string {
	if id == "" || hasOurForm(id) {
		return id
	}
	prefix := "id-"
	if strings.HasPrefix(id, "sum-") {
		prefix = "sum-"
	}
	sum := sha256.Sum256([]byte(id))
	return prefix + hex.EncodeToString(sum[:8])
}

func hasOurForm[T string | []byte](id T) bool {
	if len(id) == 0 || len(id) > idMost || id[0] == '-' || id[0] == '.' {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}

// OurIDs are the ids of a list in the form of ours. The list is changed.
func OurIDs(list []string) []string {
	for i, id := range list {
		list[i] = OurID(id)
	}
	return list
}

// IDOf is the id of a line: its own, or if it has none, since somebody wrote it by hand, one that
// follows from what the fact in it says. Whoever changes such a line writes it there.
func IDOf(o protocol.Object) string {
	if id := o.Text("id"); id != "" {
		return OurID(id)
	}
	if f, ok := parseFact(o); ok {
		return f.ID
	}
	return ""
}

func idOfText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "hand-" + hex.EncodeToString(sum[:6])
}
