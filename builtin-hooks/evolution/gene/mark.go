package gene

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Mark is of what a person reads of a gene and of its state: of another text, or after somebody else's
// decision, it is another one.
func Mark(g *Gene) string {
	// Texts in maps come in the order of their keys.
	b, err := json.Marshal([]any{g.Title, g.Description, g.Preconditions, g.Strategy, g.Translations, g.Visibility, g.HeldFor, g.Author})
	if err != nil {
		panic(err) // strings have no error
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}
