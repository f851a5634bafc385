package discovery

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What a path is from the root of the project: however it is spelled, wherever the
// agent has gone to since, and nothing of what lies beside it.
func TestPathsFromTheRoot(t *testing.T) {
	t.Parallel()
	top, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	project, link, home := filepath.Join(top, "project"), filepath.Join(top, "link"), filepath.Join(top, "home")
	for _, dir := range []string{filepath.Join(project, "sub"), home} {
		must.Do(t, os.MkdirAll(dir, 0o755))
	}
	linktest.Make(t, project, link)
	near := &Set{Root: project}
	near.loader = &loader{src: Sources{Home: home}, set: near}
	gone := &Set{Root: home}
	gone.loader = &loader{src: Sources{Home: home, Kept: []Root{{Dir: project}}}, set: gone}
	for _, c := range []struct {
		name             string
		set              *Set
		work, mark, path string
		want             string
	}{
		{"a path in it", near, project, "./", filepath.Join(project, "src", "a"), "./src/a"},
		{"by another name of it", near, link, "./", filepath.Join(link, "src", "new", "a"), "./src/new/a"},
		{"its own name from there", near, project, "./", filepath.Join(link, "src", "a"), "./src/a"},
		{"relative to where the work is", near, filepath.Join(project, "sub"), "./", filepath.Join("..", "src", "a"), "./src/a"},
		{"with a way out and back", near, project, "./", filepath.Join(project, "x", "..", "src", "a"), "./src/a"},
		{"a neighbour with a longer name", near, project, "./", project + "2" + string(filepath.Separator) + "a", ""},
		{"out of it", near, project, "./", filepath.Join(home, "a"), ""},
		{"text that is no path", near, project, "./", "text of\nseveral lines", ""},
		{"of the home", near, project, "~/", filepath.Join(home, ".ssh", "id"), "~/.ssh/id"},
		{"a folder of that name elsewhere", near, project, "~/", filepath.Join(project, ".ssh", "id"), ""},
		{"a project that is kept", gone, home, "./", filepath.Join(project, "src", "a"), "./src/a"},
		{"where the agent is now", gone, home, "./", filepath.Join(home, "b"), "./b"},
		{"no hook is known", nil, project, "./", filepath.Join(project, "a"), "./a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := trial{hook: &Hook{near: c.set}, ev: &protocol.Event{WorkDir: c.work}}
			if got := tr.from(c.mark, c.path); got != c.want {
				t.Errorf("%s in %s: %q, want %q", c.path, c.work, got, c.want)
			}
		})
	}
}
