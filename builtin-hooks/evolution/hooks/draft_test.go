package hooks

import (
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/draft"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// mended is a session in which a failure came twice and was over.
func (s *scene) mended() {
	s.t.Helper()
	s.fail("npx tsc", tscOutput)
	s.event("evolution-journal", "context", "tool_name", `"EditFile"`, "tool_input", `{"file_path": "src/cart.ts"}`, "tool_response", `"ok"`, "tool_use_id", s.id())
	s.fail("npx tsc", tscOutput)
	s.event("evolution-journal", "context", "tool_name", `"EditFile"`, "tool_input", `{"file_path": "src/types.ts"}`, "tool_response", `"ok"`, "tool_use_id", s.id())
	s.end("npm run generate", 0, "")
	s.end("npx tsc", 0, "")
}

// What was over in a session in which nobody looked back is told to the next agent, with
// what was changed and what proved it, and asks for words; to two at most, and nothing is
// sent. EV-JRN-19, EV-JRN-20, EV-JRN-21.
func TestWhatHelpedWaitsForWords(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.mended()
	s.event("evolution-push", "")
	for n, wanted := range []bool{true, true, false} {
		s.session = "next-" + string(rune('a'+n))
		said := s.event("evolution-start", "context continue message", "source", `"startup"`).AdditionalContext
		if has := strings.Contains(said, "<evolution-draft>"); has != wanted {
			t.Errorf("session %d: %q", n, said)
		}
		if n == 0 {
			wants(t, said, "failed twice", "`npx tsc`", "TS2322", "`src/types.ts`", "`npm run generate`", "succeeded: `npx tsc`", "evolution create --session conv-123", "</evolution-draft>")
			if strings.Contains(said, "`src/cart.ts`") {
				t.Errorf("what was changed before the last failure did not help: %q", said)
			}
		}
	}
	for _, args := range s.detached {
		if strings.Contains(strings.Join(args, " "), "draft") {
			t.Errorf("sent: %q", args)
		}
	}
}

// Nothing is kept of a session that was looked back at, of one that ended badly, and of
// a failure that came once; and nobody is asked where reviews are off. EV-JRN-19.
func TestNothingWaitsOf(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func(s *scene){
		"a session that was reviewed": func(s *scene) { s.mended(); s.event("evolution-review", "continue message") },
		"a bad end":                   func(s *scene) { s.fail("npx tsc", tscOutput); s.fail("npx tsc", tscOutput) },
		"a failure that came once":    func(s *scene) { s.fail("npx tsc", tscOutput); s.end("npx tsc", 0, "") },
		"nothing that failed":         func(s *scene) { s.end("npx tsc", 0, "") },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			play(s)
			s.event("evolution-push", "")
			list, err := draft.List(evolution.Dir(s.world.Data), "global", s.now)
			if err != nil || len(list) > 0 {
				t.Errorf("%s: %+v %v", name, list, err)
			}
		})
	}
	s := newScene(t)
	s.settings["review"] = "off"
	s.mended()
	s.event("evolution-push", "")
	s.session = "next"
	if a := s.event("evolution-start", "context continue message", "source", `"startup"`); strings.Contains(a.AdditionalContext, "draft") {
		t.Errorf("asked: %q", a.AdditionalContext)
	}
}

// It is forgotten after two weeks, and when somebody found words. EV-JRN-20.
func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Now()
	one := draft.Draft{Session: "a", At: now, Message: "m", Failed: "x", Times: 2, Proof: "x", Signals: []string{"error:generic"}, Changed: []string{"f"}}
	two := one
	two.Session, two.At = "b", now.Add(-15*24*time.Hour)
	for _, d := range []draft.Draft{two, one} {
		must.Do(t, draft.Keep(dir, "s", []draft.Draft{d}))
	}
	list, err := draft.List(dir, "s", now)
	if err != nil || len(list) != 1 || list[0].Session != "a" || list[0].Changed[0] != "f" || list[0].Times != 2 || list[0].At.UnixMilli() != now.UnixMilli() {
		t.Fatalf("%+v %v", list, err)
	}
	must.Do(t, draft.Done(dir, "s", "a"))
	if _, ok, err := draft.Tell(dir, "s", now); ok || err != nil {
		t.Errorf("told after it was done: %v", err)
	}
	for range 2 * draft.Most {
		one.Session += "x"
		must.Do(t, draft.Keep(dir, "s", []draft.Draft{one}))
	}
	if list, _ := draft.List(dir, "s", now); len(list) != draft.Most || list[draft.Most-1].Session != one.Session {
		t.Errorf("%d", len(list))
	}
}

// A prompt that names a command with which a gene was proven here, or says what the gene
// is for, gets its name in one line, once; another prompt gets nothing. EV-TEL-16.
func TestProvenIsNamedAtThePrompt(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	ask := func(prompt string) string {
		return s.event("evolution-prompt", "context", "prompt", quote(prompt)).AdditionalContext
	}
	if said := ask("run go test and fix it"); said != "" {
		t.Errorf("without anything proven: %q", said)
	}
	s.proven(`{"global": [{"id": "gene_db", "title": "Start the database before integration tests", "helped": 3, "runs": 4, "on": ["go test", "make"]}], "other": [{"id": "x", "title": "X", "helped": 3, "runs": 3, "on": ["cargo test"]}]}`)
	for _, other := range []string{"write a release note", "make the button blue", "go and test the door", "run cargo test", "the database is slow"} {
		t.Run(other, func(t *testing.T) {
			if said := ask(other); said != "" {
				t.Errorf("%s: %q", other, said)
			}
		})
	}
	said := ask("Please run `go test ./...` until it is green.")
	wants(t, said, "[Evolution]", "go test", "Start the database", "3 of 4 times", "evolution show --gene-id gene_db")
	if strings.Contains(said, "\n") {
		t.Errorf("more than a line: %q", said)
	}
	if again := ask("run go test again"); again != "" {
		t.Errorf("said twice: %q", again)
	}
	s.session = "another"
	wants(t, ask("why do the integration tests want a database before they start?"), "Start the database")
	s.session, s.settings["passive"] = "third", false
	if said := ask("run go test"); said != "" || len(s.asked)+len(s.detached) > 0 {
		t.Errorf("switched off: %q", said)
	}
}

// What the steps are about here stands before them. EV-TEL-17.
func TestASuggestionNamesWhatItIsAbout(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tool = func([]string) (string, error) { return geneAnswer, nil }
	const output = "Traceback (most recent call last):\nModuleNotFoundError: No module named 'numpy'"
	s.fail("python run.py", output)
	wants(t, s.fail("python run.py", output), "has come up twice", "Here: module numpy – ", "No module named 'numpy'", "1. Read the first")
}

// What a gene that was learned helped with is known already, and needs no other words; what one that came with
// the program helped with does. EV-JRN-27.
func TestWhatALearnedGeneHelpedWithIsKnown(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]int{"gene_repair_1": 0, "seed_repair_x": 1} {
		t.Run(id, func(t *testing.T) {
			failure := "- bash: `npx tsc` (12:00) [FAILED]\n  - signal:error:typescript (count: 1, at: 12:00)\n  - failure: 5a53248f541b kind=8daea627c212 exit=2 family=tsc text=file.ts: error TS2322\n"
			j := journal.Parse(failure + failure + "- write: `a.ts` (12:01)\n- bash: `npx tsc` (12:02)\n  - gene_feedback: \"Generate the types\" gene_id=" + id + " outcome=success\n")
			if list := draft.Of(&j, "s", time.Now()); len(list) != want {
				t.Errorf("%s: %+v", id, list)
			}
		})
	}
}
