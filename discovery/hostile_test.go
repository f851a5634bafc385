package discovery

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/trust"
)

// Hooks of a project that nobody approved may have one name among them, and as many
// as there are: the person's hook runs.
func TestStrangersOfOneName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "guard", preTool)
	for _, folder := range []string{"one", "two", "three"} {
		w.hookAt(filepath.Join(w.hooksOf(ProjectLayer), folder), "stranger", preTool)
	}
	w.wantDue(preTool, "user guard")
}

// Bad input: a hostile repository. Nothing hangs, nothing outside is
// read, and what is wrong is said.
func TestHostileProject(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	w := newWorld(t)
	w.src.TrustAlways = true
	hooks := w.hooksOf(ProjectLayer)
	secret := "---\nname: secret-of-mine\ndescription: x\ntrigger: pre-tool-call\nkey: hunter2\n---\n"
	w.file(filepath.Join(w.home, "private", "HOOK.md"), secret, 0o600)
	w.file(filepath.Join(w.home, "private", "scripts", "run"), "", 0o755)

	w.hook(ProjectLayer, "good", preTool)
	w.dir(filepath.Join(hooks, "fifo"))
	mkfifo(t, filepath.Join(hooks, "fifo", "HOOK.md"))
	w.dir(filepath.Join(hooks, "device"))
	w.link("/dev/zero", filepath.Join(hooks, "device", "HOOK.md"))
	w.dir(filepath.Join(hooks, "folder", "HOOK.md"))
	huge := w.file(filepath.Join(hooks, "huge", "HOOK.md"), "---\nname: huge\n", 0o644)
	must.Do(t, os.Truncate(huge, 1<<30))
	w.link(filepath.Join(w.home, "private"), filepath.Join(hooks, "linked-folder"))
	w.link(filepath.Join(w.home, "private", "HOOK.md"), filepath.Join(hooks, "linked-file", "HOOK.md"))
	w.link("../linked-file/HOOK.md", filepath.Join(hooks, "linked-beside", "HOOK.md"))
	w.link("loop", filepath.Join(hooks, "loop"))
	w.link("HOOK.md", filepath.Join(hooks, "circle", "HOOK.md"))
	w.link(filepath.Join(w.root, "never made"), filepath.Join(hooks, "dangling"))
	w.hook(ProjectLayer, "entry-out", preTool)
	os.Remove(filepath.Join(hooks, "entry-out", "scripts", "run"))
	w.link(filepath.Join(w.home, "private", "scripts", "run"), filepath.Join(hooks, "entry-out", "scripts", "run"))
	w.hook(ProjectLayer, "scripts-out", preTool)
	os.RemoveAll(filepath.Join(hooks, "scripts-out", "scripts"))
	w.link(filepath.Join(w.home, "private", "scripts"), filepath.Join(hooks, "scripts-out", "scripts"))
	w.hook(ProjectLayer, "entry-fifo", preTool)
	os.Remove(filepath.Join(hooks, "entry-fifo", "scripts", "run"))
	mkfifo(t, filepath.Join(hooks, "entry-fifo", "scripts", "run"))
	w.hookAt(filepath.Join(hooks, "dots"), "../../etc", preTool)
	w.hook(ProjectLayer, "bomb", preTool, "matcher:", `  pattern: '`+bomb+`'`)

	w.wantDue(preTool, "project dots", "project good")
	set := w.all()
	want := map[string]string{
		"fifo":          "cannot be read: not a regular file but a named pipe",
		"device":        "cannot be read: the link leads out of",
		"folder":        "cannot be read: not a regular file but a folder",
		"huge":          "is not closed within its first 64 KiB",
		"linked-folder": "cannot be read: the link leads out of",
		"linked-file":   "cannot be read: the link leads out of",
		"linked-beside": "cannot be read: the link leads out of",
		"circle":        "cannot be read: ",
		"entry-out":     "leads out of",
		"scripts-out":   "leads out of",
		"entry-fifo":    "not a regular file but a named pipe",
	}
	for _, h := range set.Hooks {
		text := strings.Join(w.short(h.Problems), "\n")
		if strings.Contains(text, "hunter2") || strings.Contains(h.Name+text, "secret-of-mine") {
			t.Errorf("%s: something outside was read: %s", h.folder, text)
		}
		message, bad := want[h.folder]
		if bad != (h.Status == Broken) || !strings.Contains(text, message) {
			t.Errorf("%s is %s: %s", h.folder, h.Status, text)
		}
		delete(want, h.folder)
	}
	for folder := range want {
		t.Errorf("nothing is said of %s", folder)
	}
	for _, h := range w.event(preTool).Broken(preTool) {
		if h.Problems[0].Message == "" {
			t.Errorf("%s: no message", h.Name)
		}
	}
	items, _ := w.list()
	for _, it := range items {
		if _, err := it.Diff(w.src.State, w.project); (err == nil) != (it.State != trust.Refused) {
			t.Errorf("%s is %s, diff: %v", it.Name(), it.State, err)
		}
	}
}

// The hooks folder itself may not lead out of the project either.
func TestHostileHooksFolder(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	for _, what := range []string{".agents", ".agents/hooks"} {
		w := newWorld(t)
		w.src.TrustAlways = true
		w.hook(UserLayer, "mine", preTool)
		target := w.hooksOf(UserLayer)
		if what == ".agents" {
			target = filepath.Dir(target)
		}
		w.link(target, filepath.Join(w.project, what))
		w.wantDue(preTool, "user mine")
		got := w.short(w.event(preTool).Problems)
		if len(got) == 0 || !strings.Contains(got[0], ".agents/hooks: is not looked into: the link leads out of") {
			t.Errorf("%s: %q", what, got)
		}
	}
	w := newWorld(t)
	w.src.TrustAlways = true
	w.hookAt(filepath.Join(w.project, "tools", "hooks", "a"), "a", preTool)
	w.link("../tools/hooks", w.hooksOf(ProjectLayer))
	w.wantDue(preTool, "project a") // inside the project is fine
	w.link("../../tools/hooks/a", filepath.Join(w.project, "tools", "hooks", "b"))
}

// A hooks.toml may be hostile too.
func TestHostileSettings(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	for name, make := range map[string]func(w *world, path string){
		"cannot be read: not a regular file but a named pipe": func(w *world, path string) { mkfifo(w, path) },
		"cannot be read: not a regular file but a folder":     func(w *world, path string) { w.dir(path) },
		"over the limit of 1048576": func(w *world, path string) {
			w.file(path, "", 0o644)
			os.Truncate(path, 1<<30)
		},
		"cannot be read: the link leads out of": func(w *world, path string) {
			w.link(w.file(filepath.Join(w.home, "secret"), "hunter2 = 1", 0o600), path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.src.TrustAlways = true
			w.hook(ProjectLayer, "p", preTool)
			make(w, settingsPath(w.project))
			w.wantDue(preTool, "project p")
			got := strings.Join(w.short(w.event(preTool).Problems), "\n")
			if !strings.Contains(got, name) || strings.Contains(got, "hunter2") {
				t.Errorf("want %s: %s", name, got)
			}
			if it := w.item("hooks.toml"); it.State != trust.Refused {
				t.Errorf("%s: item is %s", name, it.State)
			}
		})
	}
	w := newWorld(t)
	w.hook(UserLayer, "u", preTool)
	mkfifo(t, filepath.Join(w.user, "hooks.toml"))
	w.wantDue(preTool, "user u")
	w.wantProblems(w.event(preTool).Problems, "home/.config/agents/hooks.toml: cannot be read: not a regular file but a named pipe: put a file there, or remove it; its settings are not honoured")
}
