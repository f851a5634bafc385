package discovery

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A world is a machine with a system and a user layer and a project, on real
// directories. Its root is named with everything that paths trip over.
type world struct {
	*testing.T
	root, home, user, system, project string
	src                               Sources
}

func newWorld(t *testing.T) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	root := filepath.Join(base, "a b&c%d$e'é日本")
	w := &world{T: t, root: root, home: filepath.Join(root, "home")}
	w.user = filepath.Join(w.home, ".config", "agents")
	w.system = filepath.Join(root, "xdg", "agents")
	w.project = filepath.Join(w.home, "src", "project")
	w.dir(filepath.Join(w.project, ".git"))
	w.src = Sources{System: []string{w.system}, User: w.user, Home: w.home, State: filepath.Join(root, "state"), GOOS: runtime.GOOS}
	return w
}

func (w *world) dir(path string) {
	w.Helper()
	must.Do(w, os.MkdirAll(path, 0o755))
}

func (w *world) file(path, content string, mode fs.FileMode) string {
	w.Helper()
	w.dir(filepath.Dir(path))
	must.Do(w, os.WriteFile(path, []byte(content), mode))
	must.Do(w, os.Chmod(path, mode))
	return path
}

func (w *world) link(target, path string) {
	w.Helper()
	w.dir(filepath.Dir(path))
	linktest.Make(w, target, path)
}

// hooksOf is the hooks folder of a layer.
func (w *world) hooksOf(layer LayerName) string {
	switch layer {
	case SystemLayer:
		return filepath.Join(w.system, "hooks")
	case UserLayer:
		return filepath.Join(w.user, "hooks")
	}
	return filepath.Join(w.project, ".agents", "hooks")
}

// hook writes a hook with an entry. extra are further lines of its front matter.
func (w *world) hook(layer LayerName, name string, trigger protocol.EventType, extra ...string) string {
	w.Helper()
	dir := filepath.Join(w.hooksOf(layer), name)
	w.hookAt(dir, name, trigger, extra...)
	return dir
}

func (w *world) hookAt(dir, name string, trigger protocol.EventType, extra ...string) {
	w.Helper()
	lines := append([]string{"---", "name: " + name, "description: A hook of " + name + ".", "trigger: " + string(trigger)}, extra...)
	w.file(filepath.Join(dir, "HOOK.md"), strings.Join(lines, "\n")+"\n---\n\nText.\n", 0o644)
	w.file(filepath.Join(dir, "scripts", "run"), "#!/bin/sh\nexit 0\n", 0o755)
}

func (w *world) settings(layer LayerName, text string) string {
	w.Helper()
	return w.file(filepath.Join(filepath.Dir(w.hooksOf(layer)), "hooks.toml"), text, 0o644)
}

// approve approves all that the project has.
func (w *world) approve() {
	w.Helper()
	items, err := w.list()
	must.Do(w, err)
	items = slices.DeleteFunc(items, func(it trust.Item) bool { return it.Hash == "" })
	must.Do(w, must.Err(trust.Approve(w.src.State, w.project, items, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))))
}

// all and event are the two ways to load.
func (w *world) all() *Set { return Load(w.src, w.project) }

func (w *world) event(t protocol.EventType) *Set {
	set := LoadEvent(w.src, t, w.project)
	set.Open()
	return set
}

// due are the hooks that would run for a tool event of a tool without input, or
// for another event, in order, found out the way the dispatcher does it.
func (w *world) due(t protocol.EventType) (names []string) {
	w.Helper()
	var b Budget
	set := w.event(t)
	ev := &protocol.Event{Type: t}
	if t.IsTool() {
		ev = toolEvent(w, "Shell", "Bash", `{"command": "ls"}`)
		ev.Type = t
	}
	for _, h := range set.Ready(t) {
		if h.Match(ev, &b, false).OK {
			names = append(names, string(h.Layer)+" "+h.Name)
		}
	}
	// Who asks for all must be told the same.
	var explained []string
	for _, e := range w.all().Explain(ev) {
		if e.Gate == "" {
			explained = append(explained, string(e.Hook.Layer)+" "+e.Hook.Name)
		}
	}
	if !slices.Equal(names, explained) {
		w.Errorf("%s: the dispatcher runs %q, explain says %q", t, names, explained)
	}
	return names
}

func (w *world) wantDue(t protocol.EventType, want ...string) {
	w.Helper()
	if got := w.due(t); !slices.Equal(got, want) {
		w.Errorf("%s runs %q, want %q", t, got, want)
	}
}

// find is a hook of a set by its layer and folder.
func find1(t *testing.T, s *Set, layer LayerName, folder string) *Hook {
	t.Helper()
	for _, h := range s.Hooks {
		if h.Layer == layer && h.folder == folder {
			return h
		}
	}
	t.Fatalf("no %s hook in folder %q", layer, folder)
	return nil
}

func (w *world) wantStatus(layer LayerName, folder string, status Status) *Hook {
	w.Helper()
	h := find1(w.T, w.all(), layer, folder)
	if h.Status != status {
		w.Errorf("%s hook %s is %s, want %s: %v", layer, folder, h.Status, status, sayAll(h.Problems))
	}
	return h
}

// short writes problems without the machine's paths.
func (w *world) short(list []Problem) (out []string) {
	for _, p := range list {
		out = append(out, filepath.ToSlash(strings.ReplaceAll(p.String(), w.root+string(filepath.Separator), "")))
	}
	return out
}

func (w *world) wantProblems(list []Problem, want ...string) {
	w.Helper()
	if got := w.short(list); !slices.Equal(got, want) {
		w.Errorf("problems:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func unixOnly(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("links and modes as Unix has them")
	}
}
