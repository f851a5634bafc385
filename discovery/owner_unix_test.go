//go:build unix

package discovery

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Who trusts all projects trusts what is their own: not what others may change.
func TestAlwaysTrustsOnesOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := w.hook(ProjectLayer, "p", preTool)
	settings := w.settings(ProjectLayer, "[[hooks.disable]]\nname = \"p\"\n")
	w.settings(UserLayer, "[trust]\nproject = \"always\"\n")
	run := filepath.Join(dir, "scripts", "run")
	type change struct {
		path     string
		mode     os.FileMode
		uid, gid int
		why      string
	}
	changes := map[string]change{
		"a script":           {run, 0o777, -1, -1, "scripts/run: everybody may write to it (mode 0777)"},
		"the front matter":   {filepath.Join(dir, "HOOK.md"), 0o646, -1, -1, "HOOK.md: everybody may write to it"},
		"a folder of it":     {filepath.Dir(run), 0o777 | os.ModeSticky, -1, -1, "scripts: everybody may write to it"},
		"its folder":         {dir, 0o777, -1, -1, "hooks/p: everybody may write to it"},
		"the hooks folder":   {filepath.Dir(dir), 0o777, -1, -1, "hooks: everybody may write to it"},
		"the folder .agents": {filepath.Dir(filepath.Dir(dir)), 0o777, -1, -1, ".agents: everybody may write to it"},
		"the project":        {w.project, 0o777, -1, -1, "project: everybody may write to it"},
	}
	if os.Getuid() == 0 {
		changes["somebody's script"] = change{run, 0o755, 54321, -1, "scripts/run: it belongs to another user (54321)"}
		changes["somebody's project"] = change{w.project, 0o755, 54321, -1, "project: it belongs to another user (54321)"}
		changes["a group's script"] = change{run, 0o775, -1, 54321, "scripts/run: a group may write to it (mode 0775)"}
	}
	os.Remove(settings)
	w.wantDue(preTool, "project p")
	for what, c := range changes {
		t.Run(what, func(t *testing.T) {
			was, err := os.Stat(c.path)
			must.Do(t, err)
			must.Do(t, os.Chmod(c.path, c.mode))
			must.Do(t, os.Lchown(c.path, c.uid, c.gid))
			if got := w.due(preTool); len(got) != 0 {
				t.Error("it runs")
			}
			set := w.event(preTool)
			set.Open()
			for _, h := range set.Ready(preTool) {
				h.ask(&h.vouch)
			}
			told := strings.Join(w.short(set.Problems), "\n")
			if !strings.Contains(told, c.why) || !strings.Contains(told, "agents-hooks trust") {
				t.Error(told)
			}
			w.approve()
			w.wantDue(preTool, "project p")
			if h := w.event(preTool); len(h.Untrusted(preTool)) != 0 {
				t.Error("approved, and not trusted")
			}
			w.src.AnyOwner = true
			w.wantDue(preTool, "project p")
			w.src.AnyOwner = false
			must.Do(t, os.RemoveAll(w.src.State))
			must.Do(t, os.Chmod(c.path, was.Mode()))
			must.Do(t, os.Lchown(c.path, os.Getuid(), os.Getgid()))
		})
	}
	w.wantDue(preTool, "project p")
	w.settings(ProjectLayer, "[[hooks.disable]]\nname = \"p\"\n")
	w.wantDue(preTool)
	must.Do(t, os.Chmod(settings, 0o666))
	w.wantDue(preTool, "project p")
}
