package discovery

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The project is found upward from the event's directory.
func TestFindProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hooks := func(dir string) { w.dir(filepath.Join(dir, ".agents", "hooks")) }
	repo := w.project
	hooks(repo)
	sub := filepath.Join(repo, "pkg", "deep")
	w.dir(sub)
	nested := filepath.Join(repo, "vendor", "lib") // a folder of its own with hooks
	hooks(nested)
	submodule := filepath.Join(repo, "third_party", "mod")
	w.file(filepath.Join(submodule, ".git"), "gitdir: ../../.git/modules/mod\n", 0o644)
	worktree := filepath.Join(w.home, "src", "worktree")
	w.file(filepath.Join(worktree, ".git"), "gitdir: ../project/.git/worktrees/worktree\n", 0o644)
	hooks(worktree)
	plain := filepath.Join(w.root, "srv", "app") // no repository
	hooks(plain)
	w.dir(filepath.Join(plain, "a", "b"))
	tomlOnly := filepath.Join(w.root, "srv", "toml")
	w.file(filepath.Join(tomlOnly, ".agents", "hooks.toml"), "", 0o644)
	bare := filepath.Join(w.root, "srv", "bare", "x")
	w.dir(bare)
	agentsOnly := filepath.Join(w.root, "srv", "skills")
	w.dir(filepath.Join(agentsOnly, ".agents", "skills"))
	hooks(w.home)
	underHome := filepath.Join(w.home, "notes")
	w.dir(underHome)
	outer := filepath.Join(w.root, "srv", "outer") // hooks above a repository
	hooks(outer)
	inner := filepath.Join(outer, "repo", "x")
	w.dir(inner)
	w.dir(filepath.Join(outer, "repo", ".git"))

	for _, tt := range []struct{ rule, dir, project, root string }{
		{"the repository's root", repo, repo, repo},
		{"a directory below", sub, repo, repo},
		{"one that is gone", filepath.Join(sub, "gone", "too"), repo, repo},
		{"gap 18: the nearest", filepath.Join(nested, "x"), nested, repo},
		{"a submodule is a repository", submodule, "", submodule},
		{"a worktree has its own", filepath.Join(worktree, "x"), worktree, worktree},
		{"gap 18: no repository", filepath.Join(plain, "a", "b"), plain, plain},
		{"hooks.toml alone", tomlOnly, tomlOnly, tomlOnly},
		{"gap 18: no project", bare, "", bare},
		{"gap 18: .agents alone is none", agentsOnly, "", agentsOnly},
		{"not in the home directory", w.home, "", w.home},
		{"nor below it", underHome, "", underHome},
		{"not above the repository", inner, "", filepath.Join(outer, "repo")},
		{"no directory", "", "", ""},
		{"a relative one", "src", "", "src"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			project, root := FindProject(tt.dir, w.home)
			if project != tt.project || root != tt.root {
				t.Errorf("%s: project %q, root %q; want %q, %q", tt.rule, project, root, tt.project, tt.root)
			}
		})
	}
}

// Links are resolved, so that the agent's name for a directory and ours
// mean the same project, and the same approvals.
func TestFindProjectThroughLinks(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	w := newWorld(t)
	w.dir(w.hooksOf(ProjectLayer))
	sub := filepath.Join(w.project, "pkg")
	w.dir(sub)
	link := filepath.Join(w.root, "link")
	w.link(sub, link)
	if project, root := FindProject(link, w.home); project != w.project || root != w.project {
		t.Errorf("project %q, root %q", project, root)
	}
	home := filepath.Join(w.root, "home-link")
	w.link(w.home, home)
	w.dir(filepath.Join(w.home, ".agents", "hooks"))
	notes := filepath.Join(home, "notes")
	w.dir(notes)
	for _, h := range []string{home, w.home} {
		if project, _ := FindProject(notes, h); project != "" {
			t.Errorf("home is %q: its hooks are a project %q", h, project)
		}
	}
	must.Do(t, os.RemoveAll(sub))
	if project, _ := FindProject(sub, w.home); project != w.project {
		t.Errorf("a directory that is gone: %q", project)
	}
}

// The hooks of all projects around a folder count, up to the repository's root, and
// in a session up to the root that it began in: however many lie in between.
func TestNobodyPushesOutAGuard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(ProjectLayer, "guard", preTool)
	w.approve()
	dir := w.project
	for range maxProjects + 8 {
		dir = filepath.Join(dir, "n")
		w.hookAt(filepath.Join(dir, ".agents", "hooks", "guard"), "guard", preTool)
	}
	w.dir(filepath.Join(w.project, "n", ".git"))
	due := func(src Sources, dir string) (set *Set, projects []string) {
		set = LoadEvent(src, preTool, dir)
		set.Open()
		for _, h := range set.Ready(preTool) {
			projects = append(projects, h.Project)
		}
		return set, projects
	}
	if _, got := due(w.src, filepath.Join(w.project, "m")); len(got) != 1 || got[0] != w.project {
		t.Errorf("from a folder that is not there: %q", got)
	}
	if _, got := due(w.src, dir); len(got) != 1 || got[0] != w.project {
		t.Errorf("without a session, in a repository within: %q", got)
	}
	stranger := w.src
	stranger.State = filepath.Join(w.root, "nothing-approved")
	if set, _ := due(stranger, dir); len(set.Untrusted(preTool)) != maxProjects {
		t.Errorf("%d hooks are asked for, want those of the repository within alone", len(set.Untrusted(preTool)))
	}
	src := w.src
	src.Kept = []Root{{w.project, w.project}}
	set, got := due(src, dir)
	if len(got) != 1 || got[0] != w.project {
		t.Errorf("in a session: %q", got)
	}
	if len(set.Problems) == 0 || !strings.Contains(set.Problems[0].Message, "projects: only the hooks of the outermost 32 are looked at") {
		t.Errorf("%v", set.Problems)
	}
	if _, changed := set.Roots(); changed {
		t.Error("a folder in the session's root is a root of its own")
	}
}

// Projects above one that is in no repository are those that its own way up has met.
func TestProjectsAboveAreMetOnce(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	inner := filepath.Join(dir, "a", "b")
	for _, project := range []string{dir, inner} {
		must.Do(t, os.MkdirAll(filepath.Join(project, ".agents", "hooks"), 0o755))
	}
	g := ground{home: t.TempDir()}
	near, root := g.climb(filepath.Join(inner, "c"), "")
	if len(near) != 1 || root != inner || g.root != inner || !slices.Contains(g.above, dir) {
		t.Errorf("near %q, root %q, above %q", near, root, g.above)
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	g = ground{home: g.home}
	if near, root := g.climb(inner, ""); len(near) != 2 || root != dir || g.root != "" {
		t.Errorf("in a repository: near %q, root %q, above %q", near, root, g.above)
	}
}

// The place where a session began does not take the place of an enclosing project, whose
// guards hold outside of a repository too.
func TestWhereASessionBeganPushesOutNoEnclosingGuard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	top := filepath.Join(w.root, "srv")
	outer, inner, began := filepath.Join(top, "p"), filepath.Join(top, "p", "q"), filepath.Join(top, "other")
	for _, w.project = range []string{outer, inner, began} {
		w.hook(ProjectLayer, "guard-"+filepath.Base(w.project), preTool)
		w.approve()
	}
	src := w.src
	src.Kept = []Root{{began, began}}
	set := LoadEvent(src, preTool, inner)
	set.Open()
	var got []string
	for _, h := range set.Ready(preTool) {
		got = append(got, h.Project)
	}
	slices.Sort(got)
	if want := []string{began, outer, inner}; !slices.Equal(got, want) {
		t.Errorf("guards of %q, want those of %q", got, want)
	}
}
