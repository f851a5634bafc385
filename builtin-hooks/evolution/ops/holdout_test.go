package ops

import (
	"fmt"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// EV-JRN-26: with hold_out one failure in ten is told nothing of, the same one each time;
// without it none is.
func TestOneFailureInTenIsHeldOut(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ask := func(i int) (held bool) {
		out := b.call("evolve_analyze", fmt.Sprintf(`{"signals": ["error:timeout"], "session": "s%d", "failure": "f%d kind=k exit=1 text=dial tcp 127.0.0.1:5432: connect: connection refused"}`, i, i))
		held, _ = out["held_out"].(bool)
		if held && (out["gene_id"] != "" || out["action"] != "none") {
			t.Errorf("held out, and told: %v", out)
		}
		return held
	}
	asked := slowtest.Count(25, 400)
	count := func(asked int) (held int) {
		for i := range asked {
			first := ask(i)
			if i < slowtest.Count(2, 20) && ask(i) != first {
				t.Errorf("failure %d: the answer changes", i)
			}
			if first {
				held++
			}
		}
		return held
	}
	if held := count(slowtest.Count(3, 20)); held != 0 {
		t.Errorf("%d are held out, and nobody wants that", held)
	}
	b.HoldOut = true
	if held := count(asked); held < max(1, asked/40) || held > asked/4 {
		t.Errorf("%d of %d are held out", held, asked)
	}
}
