package trust

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Thirty folders with two links each to the next are a thousand million folders:
// they are refused soon, and looked through for links once each.
func TestFoldersAreCounted(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	hook := filepath.Join(project, ".agents", "hooks", "wide")
	must.Do(t, os.MkdirAll(filepath.Join(hook, "d0"), 0o755))
	for i := range 29 {
		next := filepath.Join(hook, fmt.Sprintf("d%d", i+1))
		must.Do(t, os.Mkdir(next, 0o755))
		for _, link := range []string{"a", "b"} {
			linktest.Make(t, filepath.Join("..", fmt.Sprintf("d%d", i+1)), filepath.Join(hook, fmt.Sprintf("d%d", i), link))
		}
	}
	begun := time.Now()
	items, err := List(t.TempDir(), project, []Thing{{HookID("wide"), hook}})
	if err != nil || len(items) != 1 || items[0].State != Refused || !strings.Contains(items[0].Problem, "more than 1024 folders") {
		t.Errorf("%+v, %v", items, err)
	}
	if _, err := Contained(t.Context(), project, hook); err != nil {
		t.Errorf("looking for links: %v", err)
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

// What could not be read in time is not approved, though it was.
func TestApprovalEndsWithTheContext(t *testing.T) {
	t.Parallel()
	state, project := t.TempDir(), t.TempDir()
	hook := filepath.Join(project, ".agents", "hooks", "one")
	must.Do(t, os.MkdirAll(hook, 0o755))
	thing := Thing{HookID("one"), hook}
	items, _ := List(state, project, []Thing{thing})
	must.Do(t, must.Err(Approve(state, project, items, time.Now())))
	record, err := Read(state)
	if err != nil || !record.Approves(t.Context(), project, thing) {
		t.Fatalf("not approved: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if record.Approves(ctx, project, thing) {
		t.Error("approved after the end")
	}
}
