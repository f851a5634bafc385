package spec

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

//go:embed requirements.json
var manifest []byte

// An Entry is a requirement in the manifest, requirements.json: the sentence as it was
// when its cases were last checked. A test fails if the sentence of a page and its
// entry differ, so that nobody rewords a rule without checking its cases.
type Entry struct {
	ID    string `json:"id"`
	Level Level  `json:"level"`
	Hash  string `json:"hash"` // Requirement.Hash of the sentence
}

// Hash is the first 16 hexadecimal digits of the SHA-256 of the level, the mark
// and the sentence.
func (r Requirement) Hash() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %t %s", r.Level, r.Interpretation, r.Text))
	return hex.EncodeToString(sum[:8])
}

// Manifest returns the entries of requirements.json in the order of the pages.
func Manifest() []Entry {
	var entries []Entry
	if err := json.Unmarshal(manifest, &entries); err != nil {
		panic(err) // embedded, and a test reads it
	}
	return entries
}

// Drift compares the sentences of the pages with the manifest and says, one line a
// requirement, what has not been looked at.
func Drift(reqs []Requirement, entries []Entry) []string {
	var drift []string
	seen := make(map[string]Entry, len(entries))
	for _, e := range entries {
		if _, twice := seen[e.ID]; twice {
			drift = append(drift, e.ID+" stands twice in requirements.json")
		}
		seen[e.ID] = e
	}
	for _, r := range reqs {
		e, ok := seen[r.ID]
		delete(seen, r.ID)
		switch {
		case !ok:
			drift = append(drift, fmt.Sprintf("%s is new: %s", r.ID, r.Text))
		case e.Level != r.Level:
			drift = append(drift, fmt.Sprintf("%s was %s and is %s", r.ID, e.Level, r.Level))
		case e.Hash != r.Hash():
			drift = append(drift, fmt.Sprintf("%s has another sentence now: %s", r.ID, r.Text))
		}
	}
	for _, e := range entries {
		if _, gone := seen[e.ID]; gone {
			drift = append(drift, e.ID+" is gone from its page")
			delete(seen, e.ID)
		}
	}
	return drift
}
