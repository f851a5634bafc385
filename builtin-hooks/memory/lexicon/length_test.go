package lexicon

import (
	"math"
	"testing"
)

// What a word adds has the length that was asked for.
func TestAWordHasTheLengthAskedFor(t *testing.T) {
	t.Parallel()
	l, added := open(t), 0
	for n := 0; n < l.words; n += 997 {
		for _, times := range []float32{1, 2.5} {
			v := make([]float32, l.Dims())
			if !l.Add(n, times, v) {
				continue // it only links to others
			}
			added++
			sum := 0.0
			for _, x := range v {
				sum += float64(x) * float64(x)
			}
			if math.Abs(math.Sqrt(sum)-float64(times)) > 1e-4 {
				t.Errorf("%s, %v times: %v", l.Word(n), times, math.Sqrt(sum))
			}
		}
	}
	if added < 20 {
		t.Errorf("%d words have a vector", added)
	}
}
