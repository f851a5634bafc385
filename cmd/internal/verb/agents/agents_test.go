package agents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// docs/agents.md is what the dialects say, and docs/agents/ID.md what the page.md
// in the dialect's folder says, with what the dialect says where its mark stands.
// After a change to a dialect or its page:
//
//	AGENTS_HOOKS_UPDATE=1 go test ./cmd/internal/verb/agents -run TestAgentsPages
func TestAgentsPagesAreCurrent(t *testing.T) {
	t.Parallel()
	docs := filepath.Join("..", "..", "..", "..", "docs")
	path := filepath.Join(docs, "agents.md")
	begin, end := "<!-- begin: agents-hooks agents --markdown -->\n", "<!-- end -->\n"
	b := must.Read(t, path)
	before, rest, ok := strings.Cut(b, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s: no lines %q and %q", path, begin, end)
	}
	current(t, path, before+begin+"\n"+overview(agents.All())+"\n"+end+after)
	pages := map[string]bool{}
	for _, d := range agents.All() {
		pages[d.ID+".md"] = true
		if text := wholePage(t, d); text != "" {
			current(t, filepath.Join(docs, "agents", d.ID+".md"), text)
		}
	}
	have, err := os.ReadDir(filepath.Join(docs, "agents"))
	must.Do(t, err)
	for _, f := range have {
		if !pages[f.Name()] {
			t.Errorf("docs/agents/%s is of no agent", f.Name())
		}
	}
}

// wholePage is the page of an agent: what its author wrote into page.md, what a
// user gets and where to look in the agent itself, and between the two what the
// dialect says.
func wholePage(t *testing.T, d *protocol.Dialect) string {
	t.Helper()
	mark := "<!-- agents-hooks agents --markdown " + d.ID + " -->\n"
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "protocol", "*", "page.md"))
	must.Do(t, err)
	for _, path := range files {
		before, after, ok := strings.Cut(must.Read(t, path), mark)
		if !ok {
			continue
		}
		if intro, ok := strings.CutPrefix(before, "# "+d.Name+"\n"); !ok || len(strings.Fields(intro)) < 10 {
			t.Errorf("%s: want the title %q, and ten words or more before the mark", path, "# "+d.Name)
		}
		if debug, ok := strings.CutPrefix(after, "\n## In "+d.Name+" itself\n"); !ok || len(strings.Fields(debug)) < 10 {
			t.Errorf("%s: want the heading %q after the mark, and ten words or more below it", path, "## In "+d.Name+" itself")
		}
		if said := "Nothing of this was observed"; (d.Observed == "") != strings.Contains(strings.Join(strings.Fields(before), " "), said) {
			t.Errorf("%s: Observed of the dialect is %q: the words %q stand before the mark if it is empty, and only then", path, d.Observed, said)
		}
		made := "<!-- made of " + filepath.ToSlash(path[len("../../../../"):]) + " and the dialect: AGENTS_HOOKS_UPDATE=1 go test ./cmd/internal/verb/agents -run TestAgentsPages -->\n\n"
		return before + made + pageOf(d).markdown() + after
	}
	t.Errorf("%s: no protocol/*/page.md has the line %q, where what the dialect says is put in", d.ID, strings.TrimSpace(mark))
	return ""
}

// current holds a page to what it should say, or writes it.
func current(t *testing.T, path, want string) {
	t.Helper()
	now, _ := os.ReadFile(path)
	switch {
	case string(now) == want:
	case os.Getenv("AGENTS_HOOKS_UPDATE") != "":
		must.Write(t, path, want)
	default:
		t.Errorf("%s is not what the dialects say (AGENTS_HOOKS_UPDATE=1 go test ./cmd/internal/verb/agents writes it):\n%s", path, shell.UnifiedDiff(filepath.Base(path), now, []byte(want)))
	}
}

// Each capability has its letter in the tables, in the order of [protocol.Can].
func TestEachCapabilityHasALetter(t *testing.T) {
	t.Parallel()
	var words []string
	for _, l := range canLetters {
		words = append(words, l.word)
	}
	if want := protocol.CanAll.Words(); !slices.Equal(words, want) {
		t.Errorf("letters for %q, capabilities are %q", words, want)
	}
}
