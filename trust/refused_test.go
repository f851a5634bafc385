package trust

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A refusal is of one item, of one project, in one state; a later one of the same item takes
// its place.
func TestARefusalIsOfOneItemInOneState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, q := w.hook("p"), w.hook("q")
	refuse := func(it Item, time string) {
		must.Do(t, Refuse(w.state, Nos{{w.project, it.Thing.Name(), it.Hash, time}}))
	}
	when := func(project string, th Thing, want string) {
		t.Helper()
		if got := ReadNos(w.state).WhenOf(context.Background(), project, th); got != want {
			t.Errorf("%s in %s was refused %q, want %q", th.Name(), filepath.Base(project), got, want)
		}
	}
	when(w.project, p, "")
	refuse(w.list(p)[0], "first")
	when(w.project, p, "first")
	when(w.project, q, "")
	when(filepath.Join(w.project, "other"), p, "")
	refuse(w.list(q)[0], "second")
	w.file(filepath.Join(p.Path, "scripts", "run"), "#!/bin/sh\nexit 1\n", 0o755)
	when(w.project, p, "")
	when(w.project, q, "second")
	refuse(w.list(p)[0], "third")
	when(w.project, p, "third")
	if nos := ReadNos(w.state); len(nos) != 2 {
		t.Errorf("%d are kept: %v", len(nos), nos)
	}
	must.Do(t, os.RemoveAll(p.Path))
	when(w.project, p, "")
}

// Of refusals the newest are kept, and an unreadable record has none.
func TestRefusalsAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var list Nos
	for n := range maxNos + 1 {
		list = append(list, No{w.project, fmt.Sprint(n), "h", "t"})
	}
	must.Do(t, Refuse(w.state, list))
	nos := ReadNos(w.state)
	if len(nos) != maxNos || nos.When(w.project, "0", "h") != "" || nos.When(w.project, "1", "h") != "t" || nos.When(w.project, fmt.Sprint(maxNos), "h") != "t" {
		t.Errorf("%d are kept, from %q to %q", len(nos), nos[0].Name, nos[len(nos)-1].Name)
	}
	w.file(refusedPath(w.state), "[", 0o600)
	if nos := ReadNos(w.state); len(nos) != 0 {
		t.Errorf("of an unreadable record: %v", nos)
	}
	must.Do(t, Refuse(w.state, list[:1]))
	if got := ReadNos(w.state).When(w.project, "0", "h"); got != "t" {
		t.Errorf("after an unreadable record: %q", got)
	}
}
