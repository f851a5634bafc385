package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A version in the name of a branch is a code: a fact about the work has the same one, as a whole. A
// part of two letters is a word as others are, if few facts have it. Both hold whether an index is
// searched or files are read.
// BM-LOD-10, BM-LOD-20.
func TestAVersionOrTwoLettersOfABranchSayWhatTheWorkIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		branch, says string
		told         bool
	}{
		{"release/2.3", "Release 2.3 must not contain the new editor", true}, {"release/2.3", "The 2.3 drops Python", true},
		{"release/2.3.x", "What goes into 2.3.", true}, {"v2.3", "v2.3 drops XML", true}, {"v2.3", "Version 2.3 drops XML", true},
		{"2.3", "V2.3 drops XML", true}, {"release-2.3.0", "2.3.0 is cut on Friday", true}, {"hotfix/1.4.2-tls", "Only TLS goes into 1.4.2, by Mia", true},
		{"1.x", "The 1.x line gets no features", true}, {"release/2026.11", "(2026.11) is frozen", true}, {"release/0.9", "0.9 has no editor", true},
		{"发布/2.3", "2.3版本不含新编辑器", true},
		{"release/2.3", "Release 12.3 has the editor", false},
		{"release/2.3", "Gate 23 is painted", false}, {"hotfix/1.4.2", "Release 1.4 has it", false}, {"release/2.3", "Release 2.4 has it", false},
		{"v3", "v3 of the API drops XML", true}, {"feat/v3", "The API V3 drops XML", true}, {"feat/v3", "The API v4 drops XML", false},
		{"ci", "The CI has four runners", true}, {"feat/db", "The db is Postgres", true}, {"main-ui", "Svelte makes the UI", true},
		{"feat/db", "The dbase is gone", false}, {"fix/it", "We decided it so", false}, {"feat/42", "Gate 42 is painted", false},
	} {
		for _, indexed := range []bool{true, false} {
			t.Run(strings.ReplaceAll(fmt.Sprint(c.branch, c.says, indexed), "/", " "), func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				s.settings["budget"] = int64(2000)
				s.on(c.branch)
				if !indexed { // nor can one be made
					must.Do(t, os.MkdirAll(filepath.Dir(s.world.Cache), 0o755))
					s.world.Cache = ""
				}
				s.fact(c.says, 200*24*time.Hour)
				for i := range 40 {
					s.fact(fmt.Sprintf("Room %d-%d of the depot has circular lamps, with %d.%d dbm", i, i+23, i+4, i+5), time.Duration(i)*time.Minute)
				}
				if got := s.event("memory-load", "context", "source", `"startup"`).AdditionalContext; strings.Contains(got, c.says) != c.told {
					t.Errorf("told: %v, want %v:\n%s", !c.told, c.told, got)
				}
			})
		}
	}
}
