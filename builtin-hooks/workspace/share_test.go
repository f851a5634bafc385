package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What lets workspaces travel is taken back whole, also where a part of it is gone already; what somebody
// added to it stays while it is on.
func TestSharingIsTakenBack(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	folder := filepath.Join(project, ".agents", "workspace")
	must.Do(t, os.MkdirAll(folder, 0o755))
	in := &beneath.Root{Dir: project, Ctx: t.Context()}
	files := func() (n int) {
		list, err := os.ReadDir(folder)
		must.Do(t, err)
		return len(list)
	}
	must.Do(t, workspace.Share(in, project, folder, true))
	mine := filepath.Join(folder, ".gitattributes")
	must.Write(t, mine, "*.png binary\n")
	must.Do(t, workspace.Share(in, project, folder, true))
	if n := files(); n != 2 || must.Read(t, mine) != "*.png binary\n" {
		t.Errorf("%d files, %q", n, must.Read(t, mine))
	}
	must.Do(t, workspace.Share(in, project, folder, false))
	if n := files(); n != 0 {
		t.Errorf("%d files are left", n)
	}
	must.Do(t, workspace.Share(in, project, folder, true))
	must.Do(t, os.Remove(mine))
	must.Do(t, workspace.Share(in, project, folder, false))
	if n := files(); n != 0 {
		t.Errorf("%d files are left of one", n)
	}
}
