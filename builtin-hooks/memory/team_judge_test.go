package memory_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What another member says is an update is judged as a save judges it: in other words too,
// where there is a lexicon; and not where rules alone would take it for one.
// BM-SHR-11.
func TestAnotherMembersUpdateIsJudgedAsASave(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		older, newer string
		words        bool // there is a lexicon
		replaces     bool
	}{
		{"Uploads are limited to 20 MB", "Users may upload files up to 50 MB", true, true},
		{"Uploads are limited to 20 MB", "Users may upload files up to 50 MB", false, false},
		{"The cache listens on port 6379", "The cache now listens on port 6380", false, true},
		{"Metrics live in Mimir; series names begin with the team", "Metrics now come from Mimir instead of the old Graphite files", true, false},
	} {
		t.Run(fmt.Sprintf("%s, %s, words %v", c.older, c.newer, c.words), func(t *testing.T) {
			m := newMachine(t)
			if c.words {
				must.Do(t, lexicon.Lay(filepath.Join(m.home, "cache"), words.Unpack))
			}
			ben, ann := change(1, "ben", c.older), change(2, "ann", c.newer)
			ann.Fact.Updates = []string{ben.Name}
			m.sends(ben, ann)
			if _, err := m.sync(); err != nil {
				t.Fatal(err)
			}
			var holds []string
			for _, e := range m.living() {
				holds = append(holds, e.ID)
			}
			if slices.Contains(holds, ben.Name) == c.replaces || !slices.Contains(holds, ann.Name) {
				t.Errorf("%q, then %q, with a lexicon %v: %q hold", c.older, c.newer, c.words, holds)
			}
		})
	}
}
