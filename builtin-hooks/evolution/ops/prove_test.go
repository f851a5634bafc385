package ops

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Who doubts a gene gets its origin, each outcome, and sums that change with any of them.
// EV-SHR-12.
func TestProve(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.call("evolve_create_gene", `{"category": "repair", "title": "Wait for the port", "signals_match": ["error:timeout"], "strategy": ["Wait until the port answers."]}`)["gene_id"].(string)
	proof := func() map[string]any { return b.call("evolve_prove", fmt.Sprintf(`{"gene_id": %q}`, id)) }
	before := proof()
	b.call("evolve_record", fmt.Sprintf(`{"gene_id": %q, "signals": ["error:timeout"], "outcome": "success", "summary": "it was late", "session": "s1", "followed": true}`, id))
	after := proof()
	steps := sha256.Sum256([]byte("Wait until the port answers."))
	hashes := after["hashes"].(map[string]any)
	if hashes["steps"] != hex.EncodeToString(steps[:]) || hashes["outcomes"] == before["hashes"].(map[string]any)["outcomes"] {
		t.Errorf("%v", hashes)
	}
	list := after["outcomes"].([]any)
	if len(list) != 1 || after["from"].(map[string]any)["origin"] != "local" || after["sums"].(map[string]any)["said"] != 1.0 {
		t.Fatalf("%v", after)
	}
	// The sum of an outcome can be made again from what is printed.
	var o Outcome
	raw, err := json.Marshal(list[0])
	if err == nil {
		err = json.Unmarshal(raw, &o)
	}
	must.Do(t, err)
	line, err := json.Marshal(o)
	must.Do(t, err)
	if again := sha256.Sum256(line); hex.EncodeToString(again[:]) != hashes["outcomes"] {
		t.Errorf("the sum of %s is not %v", line, hashes["outcomes"])
	}
	b.fails("evolve_prove", `{"gene_id": "gene_none"}`, "NO_GENE", "gene_none")
}
