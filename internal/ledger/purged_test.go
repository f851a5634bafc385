package ledger

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What was removed for good is nobody's when it comes back, asked for by nobody, and stays that in
// another process, where everything else is let in, and where the project moved to.
func TestWhatWasPurgedComesBackAsNobodys(t *testing.T) {
	t.Parallel()
	const line, other = `{"id":"a","content":"the vault"}`, `{"id":"b","content":"the mirror"}`
	state, root := at(t)
	l := At(state, root)
	note(t, l, page)
	must.Do(t, l.Note(LineKey([]byte(line)), LineKey([]byte(other))))
	var gone []Key
	for _, p := range Pieces(page) {
		if strings.Contains(p.Text, "push to main") {
			gone = append(gone, p.Key)
		}
	}
	must.Do(t, l.Purge(append(gone, LineKey([]byte(line)))))
	moved := At(state, t.TempDir())
	must.Do(t, moved.Take(At(state, root)))
	for name, l := range map[string]*Ledger{"here": l, "another process": At(state, root), "approvals off": At(state, root).Always(), "moved": moved} {
		if l.Of(LineKey([]byte(line))) != Nobody || !l.Purged(LineKey([]byte(line))) || l.Of(LineKey([]byte(other))) != Own || l.Purged(LineKey([]byte(other))) {
			t.Errorf("%s: the line is somebody's", name)
		}
		if f, ok := l.LinesFile("x.jsonl", line+"\n"+other+"\n", nil); ok {
			t.Errorf("%s: it is asked for: %+v", name, f)
		}
		parts := l.Page(page)
		if strings.Contains(parts.Known+parts.Let+parts.Rest, "push to main") || !strings.Contains(parts.Known, "run the tests") || len(parts.Waiting) > 0 {
			t.Errorf("%s: %+v", name, parts)
		}
	}
	// Whoever changes the page around it, or lets other things in, lets it in neither.
	l.NotePage(page, strings.Replace(page, "- run the tests", "- run all tests", 1))
	must.Do(t, l.Let(Memory, []Key{LineKey([]byte(`{"id":"c"}`))}))
	if parts := l.Page(page); strings.Contains(parts.Known, "push to main") {
		t.Errorf("it is back: %s", parts.Known)
	}
}
