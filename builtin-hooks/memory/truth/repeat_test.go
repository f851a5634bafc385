package truth

import "testing"

// What only has the words of another is no repeat, and counts for none even where a true one is
// missed by that.
// BM-TRU-02, BM-TRU-04, BM-TRU-37.
func TestARepeatDiffersInNothingThatIsSaid(t *testing.T) {
	t.Parallel()
	for file, least := range map[string]int{"repeats-1.txt": 19, "repeats-2.txt": 17, "no-repeats.txt": 0} {
		found := 0
		for _, p := range pairs(t, file) {
			switch have := Compare(p.older, p.newer); {
			case p.want == "same" && have == Same:
				found++
			case p.want == "same":
				t.Logf("%v: %q, %q", have, p.older, p.newer)
			case have == Same:
				t.Errorf("counted as a repeat: %q, %q", p.older, p.newer)
			}
		}
		t.Logf("%s: %d repeats found", file, found)
		if found < least {
			t.Errorf("%s: %d repeats are found, want %d", file, found, least)
		}
	}
}
