package hooks

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The smallest budget has room for the last session, and for how to search, wherever the program
// is; how to save is told at the next event if it does not fit beside them.
// BM-LOD-05, BM-LOD-06, BM-LOD-08, BM-LOD-17, BM-LOD-18.
func TestTheSmallestBudgetTellsTheLastSession(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "zh"} {
		for _, program := range []string{"/opt/agents-hooks", "/" + strings.Repeat("d", 70) + "/agents-hooks", "/" + strings.Repeat("deep/", 40) + "agents-hooks"} {
			for budget := 500; budget <= 800; budget += 50 {
				t.Run(fmt.Sprint(lang, len(program), budget), func(t *testing.T) {
					t.Parallel()
					s := newScene(t)
					s.settings = map[string]any{"language": lang, "budget": int64(budget)}
					s.world.Program = func() string { return program }
					s.fact("Bells ring at nine.", time.Hour)
					must.Do(t, errors.Join(s.place().KeepSummary(memory.Summary{
						ID: "sum-20260217110000000-abcdef", Session: "s0", Topic: "Renewal of the certificate with which the wallet passes of the shop are signed",
						Text: "Loaded at start.", Decisions: []string{"Not compiled in"}, Todos: []string{"Ask Bram for the type id"}, Time: s.now.Add(-time.Hour), Source: "layer1_rules",
					}, false)))
					told := s.event("memory-load", "context", "source", `"startup"`).AdditionalContext
					if n := utf8.RuneCountInString(told); n > budget {
						t.Errorf("%d characters", n)
					}
					wants(t, told, "Renewal of the certificate")
					for _, rest := range [...][2]string{{"Not compiled in", "Ask Bram"}} {
						if !strings.Contains(told, rest[0]) && !strings.Contains(told, "more)") && !strings.Contains(told, "还有") {
							t.Errorf("nothing says that there is more:\n%s", told)
						}
					}
					if !strings.Contains(told, "Bells ring") && (budget >= 600 || len(program) < 100) {
						wants(t, told, " memory search ")
					}
					if !strings.Contains(told, " memory save ") {
						wants(t, s.prompt("go on").AdditionalContext, " memory save ")
					}
					if again := s.prompt("yes").AdditionalContext; again != "" {
						t.Errorf("told twice: %s", again)
					}
				})
			}
		}
	}
}
