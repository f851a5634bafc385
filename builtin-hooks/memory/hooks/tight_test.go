package hooks

import (
	"errors"
	"fmt"
	"slices"
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
					if !strings.Contains(told, "Bells ring") {
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

// In the smallest budgets what was decided and what is to do is told, and how to save waits for the
// first prompt; there is a way to search wherever the program is.
// BM-LOD-06, BM-LOD-08, BM-LOD-17, BM-LOD-18.
func TestHowToSaveWaitsForWhatIsToDo(t *testing.T) {
	t.Parallel()
	items := []string{"Use vault agent, not sidecars", "Keep the old vault until January", "Renew the Zagreb tokens", "Move the last six services"}
	for _, lang := range []string{"en", "zh"} {
		for _, program := range []string{"/opt/agents-hooks", "/" + strings.Repeat("deep/", 40) + "agents-hooks"} {
			for budget := 500; budget <= 1400; budget += 100 {
				t.Run(fmt.Sprint(lang, len(program), budget), func(t *testing.T) {
					t.Parallel()
					s := newScene(t)
					s.settings = map[string]any{"language": lang, "budget": int64(budget)}
					s.world.Program = func() string { return program }
					for i := range 20 {
						s.fact(fmt.Sprintf("Room %d of the depot has lamp type %d", i, i*31), time.Duration(i)*time.Hour)
					}
					must.Do(t, errors.Join(s.place().KeepSummary(memory.Summary{
						ID: "sum-20260217110000000-abcdef", Session: "s0", Topic: "Zagreb cutover", Text: "Moved the Zagreb cluster to the new vault; half of the services are done.",
						Decisions: items[:2], Todos: items[2:], Time: s.now.Add(-time.Hour), Source: "layer1_rules",
					}, false)))
					told := s.event("memory-load", "context", "source", `"startup"`).AdditionalContext
					wants(t, told, append(slices.Clone(items), " memory search ")...)
					if n := utf8.RuneCountInString(told); n > budget {
						t.Errorf("%d characters", n)
					}
					if !strings.Contains(told, program) {
						wants(t, s.prompt("go on").AdditionalContext, program+" memory save ")
					}
				})
			}
		}
	}
}
