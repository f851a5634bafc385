package gene

import (
	"crypto/sha256"
	"encoding/hex"
)

// Mark identifies what a person reads of a gene, and its state: it changes with the text, and with
// anybody's decision about the gene. It is of the written form, in which an empty list is as good as none.
func Mark(g *Gene) string {
	// Map keys are sorted.
	b, err := Gene{
		Title: g.Title, Description: g.Description, Preconditions: g.Preconditions, Strategy: g.Strategy,
		Translations: g.Translations, Visibility: g.Visibility, HeldFor: g.HeldFor, Author: g.Author,
	}.MarshalJSON()
	if err != nil {
		panic(err) // strings cannot fail
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}
