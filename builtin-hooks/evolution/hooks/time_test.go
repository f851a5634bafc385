package hooks

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The answer to the second failure has the strategy, where the agent reads what comes
// after a call; nothing more is said before the third attempt. EV-TEL-01, EV-TEL-02.
func TestTheSecondFailureIsAnswered(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tool = func([]string) (string, error) { return geneAnswer, nil }
	if said := s.fail("npx tsc", tscOutput); said != "" || len(s.asked) > 0 {
		t.Errorf("after one failure: %q", said)
	}
	said := s.fail("npx tsc", tscOutput)
	wants(t, said, "[Evolution]", "error:typescript", "twice", "Fix the first type error", "1. Read the first diagnostic")
	if a := s.before("npx tsc"); a.AdditionalContext != "" || len(s.asked) != 1 {
		t.Errorf("said again: %q %d", a.AdditionalContext, len(s.asked))
	}
	// What became of it is seen at the next end of the command.
	s.end("npx tsc", 0, "")
	if j := s.journal(); len(j.Feedback()) != 1 || j.Feedback()[0].Outcome != "success" {
		t.Errorf("%+v", j.Feedback())
	}
}

// The first failure has unpacked in the background what the second one is compared with, once a session
// and only if it is not there: nobody waits for it then.
func TestTheFirstFailureUnpacksTheWords(t *testing.T) {
	t.Parallel()
	unpacks := []string{"builtin", "worker", "evolution"}
	for _, c := range []struct {
		name string
		set  func(s *scene)
		want [][]string
	}{
		{"words that are not there", func(*scene) {}, [][]string{unpacks}},
		{"words that are there", func(s *scene) { s.world.Words = func(string) string { return s.project } }, nil},
		{"no cache", func(s *scene) { s.world.Words = nil }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.tool = func([]string) (string, error) { return geneAnswer, nil }
			s.world.Words = func(cache string) string { return filepath.Join(cache, "words") }
			c.set(s)
			s.end("npx tsc --version", 0, "")
			if len(s.detached) > 0 {
				t.Errorf("before anything failed: %q", s.detached)
			}
			if s.fail("npx tsc", tscOutput); !reflect.DeepEqual(s.detached, c.want) {
				t.Errorf("at the first failure: %q", s.detached)
			}
			if said := s.fail("npx tsc", tscOutput); said == "" || !reflect.DeepEqual(s.detached, c.want) {
				t.Errorf("at the second: %q, %q", s.detached, said)
			}
		})
	}
}

// What nobody tried to mend between the two is told to the one who looks for a gene. EV-FND-04.
func TestTriedIsTold(t *testing.T) {
	t.Parallel()
	for _, tried := range []bool{false, true} {
		s := newScene(t)
		s.tool = func([]string) (string, error) { return geneAnswer, nil }
		s.fail("npx tsc", tscOutput)
		if tried {
			s.event("evolution-journal", "context", "tool_name", `"EditFile"`, "tool_input", `{"file_path": "src/cart.ts"}`, "tool_response", `"ok"`, "tool_use_id", s.id())
		}
		s.fail("npx tsc", tscOutput)
		if len(s.asked) != 1 || slices.Contains(s.asked[0], "--tried") != tried {
			t.Errorf("tried %v: %q", tried, s.asked)
		}
	}
}

// The words of a suggestion say who tried it, and how it went. EV-TEL-07.
func TestTheWordsAreTrue(t *testing.T) {
	t.Parallel()
	for numbers, want := range map[string]string{
		`"confidence": 0, "runs": 0`:                "nobody has tried it yet",
		`"confidence": 0.2, "runs": 4, "helped": 3`: "What helped before (3 of 4 times)",
		`"confidence": 0.1, "runs": 2, "helped": 0`: "did not help yet",
		`"confidence": 0.7, "runs": 0, "helped": 0`: "What helped others (confidence 70%)",
	} {
		t.Run(numbers, func(t *testing.T) {
			s := newScene(t)
			s.tool = func([]string) (string, error) {
				return `{"gene_id": "g", "title": "T", "strategy": ["a"], ` + numbers + `}`, nil
			}
			s.fail("npx tsc", tscOutput)
			if said := s.fail("npx tsc", tscOutput); !strings.Contains(said, want) {
				t.Errorf("%s: %q", numbers, said)
			}
		})
	}
}
