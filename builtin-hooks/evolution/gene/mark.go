package gene

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Mark identifies what a person reads of a gene, and its state: it changes with the
// text, and with anybody's decision about the gene.
func Mark(g *Gene) string {
	// Map keys are sorted.
	b, err := json.Marshal([]any{g.Title, g.Description, g.Preconditions, g.Strategy, g.Translations, g.Visibility, g.HeldFor, g.Author})
	if err != nil {
		panic(err) // strings cannot fail
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}
