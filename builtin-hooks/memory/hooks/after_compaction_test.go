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

// What a session is told after a compaction is within the budget together with the request to save,
// which is told then, or with the next prompt where it would take most of the budget: also where
// another event than that of the compaction tells it.
// BM-LOD-05, BM-LOD-19.
func TestTheRequestAfterACompactionIsWithinTheBudget(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "zh"} {
		for _, program := range []string{"/opt/agents-hooks", "/" + strings.Repeat("deep/", 40) + "agents-hooks"} {
			for _, budget := range []int{500, 600, 800, 1200, 2000, 4000, 8000} {
				for _, can := range []string{"context", "nothing"} {
					t.Run(fmt.Sprint(lang, len(program), budget, can), func(t *testing.T) {
						t.Parallel()
						s := newScene(t)
						s.settings = map[string]any{"language": lang, "budget": int64(budget)}
						s.world.Program = func() string { return program }
						for i := range 60 {
							s.fact(fmt.Sprintf("Room %d of the depot has a lamp of type %d, which Mia cleans on day %d", i, i*31, i%7), time.Duration(i)*time.Hour)
						}
						must.Do(t, errors.Join(s.place().KeepSummary(memory.Summary{
							ID: "sum-20260217110000000-abcdef", Session: "s0", Topic: "Zagreb cutover", Text: "Moved the Zagreb cluster to the new vault; half of the services are done.",
							Decisions: []string{"Use vault agent"}, Todos: []string{"Renew the tokens"}, Time: s.now.Add(-time.Hour), Source: "layer1_rules",
						}, false)))
						s.event("memory-load", "context", "source", `"startup"`)
						if can == "nothing" {
							s.event("memory-flush", can)
						}
						told := s.event("memory-load", can, "source", `"compact"`).AdditionalContext
						if can == "nothing" {
							told = s.prompt("go on").AdditionalContext
						}
						if n := utf8.RuneCountInString(told); n > budget {
							t.Errorf("%d characters:\n%s", n, told)
						}
						wants(t, told, "Zagreb cutover")
						if !strings.Contains(told, "[Memory Flush]") {
							told = s.prompt("and on").AdditionalContext
						}
						wants(t, told, "[Memory Flush]", program+" memory save ")
					})
				}
			}
		}
	}
}

// How to save waits for the first prompt where a fact about the work would be left out for it.
// BM-LOD-10, BM-LOD-18.
func TestHowToSaveWaitsForAFactAboutTheWork(t *testing.T) {
	t.Parallel()
	for budget := 500; budget <= 700; budget += 50 {
		for length := 30; length <= 100; length += 10 {
			t.Run(fmt.Sprint(budget, length), func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				s.settings["budget"] = int64(budget)
				s.on("fix/elevator-alarm")
				about := "The elevator alarm is " + strings.Repeat("tested in the old tower of the town by a firm ", 2)[:length-22]
				s.fact(about, 200*24*time.Hour)
				for i := range 20 {
					s.fact(fmt.Sprintf("Hall %d is red", i), time.Duration(i)*time.Hour)
				}
				told := s.event("memory-load", "context", "source", `"startup"`).AdditionalContext
				wants(t, told, strings.TrimSpace(about))
				if n := utf8.RuneCountInString(told); n > budget {
					t.Errorf("%d characters", n)
				}
				if !strings.Contains(told, " memory save ") {
					told = s.prompt("go on").AdditionalContext
				}
				wants(t, told, " memory save ")
			})
		}
	}
}
