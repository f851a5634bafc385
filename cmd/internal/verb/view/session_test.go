package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	memoryops "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	memoryview "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A person corrects, deletes and brings back the summary of a session as it was shown:
// what is not that any more stays, nothing is cut, and secrets are taken out.
// BM-VIE-06, BM-VIE-11.
func TestSummariesAreChangedAsTheyWereShown(t *testing.T) {
	t.Parallel()
	sh, project := machine(t, 0)
	k := memoryops.At(builtin.Standalone(sh.Host), builtin.Call(sh.Host, project)).Keeper
	must.Do(t, must.Err(k.Summarize(memory.Summary{Session: "s-late", Topic: "Rounding", Text: "Invoices are rounded down", Decisions: []string{"round down"}, Todos: []string{"tell finance", "write a test"}}, false)))
	address := serving(t, sh, project, "")
	session := func(p memoryview.Page) memoryview.Session {
		t.Helper()
		for _, s := range append(p.Sessions, p.Edit.Sessions...) {
			if s.Session == "s-late" {
				return s
			}
		}
		t.Fatal("no such session")
		return memoryview.Session{}
	}
	s := session(memoryPage(t, sh, project))
	seen := func(s memoryview.Session) map[string]string { return map[string]string{s.ID: s.Mark} }
	edit := map[string]any{"do": "summary", "ids": []string{s.ID}, "seen": seen(s), "content": "Invoices are rounded half up; pass" + "word=correct-horse-9Xk2", "todos": []string{"write a test", " "}}
	a := changeOn(t, address, edit)
	if a.Status != 200 {
		t.Fatal(a.Status, a.Error)
	}
	is := session(a.Part.Docs[0])
	if !strings.HasPrefix(is.Text, "Invoices are rounded half up") || strings.Contains(is.Text, "correct-horse") || is.Topic != "Rounding" ||
		!slices.Equal(is.Todos, []string{"write a test"}) || !slices.Equal(is.Decisions, []string{"round down"}) || is.Mark == s.Mark {
		t.Errorf("%+v", is)
	}
	if a := changeOn(t, address, edit); a.Status != 409 || !a.Stale {
		t.Errorf("from another window: %d %s", a.Status, a.Error)
	}
	for want, c := range map[string]map[string]any{
		"at most 2000": {"content": strings.Repeat("长", 2001)},
		"at most 200":  {"topic": strings.Repeat("t", 201)},
		"at most 800":  {"decisions": []string{strings.Repeat("d", 801)}},
		"empty":        {"content": " ", "topic": "<private>all</private>"},
	} {
		t.Run(want, func(t *testing.T) {
			c["do"], c["ids"], c["seen"] = "summary", []string{s.ID}, seen(is)
			if a := changeOn(t, address, c); a.Status != 422 || !strings.Contains(a.Error, want) {
				t.Errorf("%s: %d %s", want, a.Status, a.Error)
			}
		})
	}
	fact := factOn(t, memoryPage(t, sh, project), "PostgreSQL 16")
	if a := changeOn(t, address, map[string]any{"do": "summary", "ids": []string{fact.ID}, "seen": map[string]string{fact.ID: fact.Mark}, "topic": "x"}); a.Status != 422 {
		t.Errorf("a fact: %d %s", a.Status, a.Error)
	}
	a = changeOn(t, address, map[string]any{"do": "delete", "ids": []string{s.ID}, "seen": seen(is)})
	if a.Status != 200 || len(a.Part.Docs[0].Edit.Sessions) != 1 {
		t.Fatalf("%d %s", a.Status, a.Error)
	}
	a = changeOn(t, address, map[string]any{"do": "restore", "ids": []string{s.ID}, "seen": seen(session(a.Part.Docs[0]))})
	if a.Status != 200 || len(a.Part.Docs[0].Edit.Sessions) != 0 || session(a.Part.Docs[0]).Text != is.Text {
		t.Errorf("%d %s", a.Status, a.Error)
	}
}
