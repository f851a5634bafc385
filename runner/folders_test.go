//go:build unix

package runner

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// folders writes hook folders: the front matter of each, and a link to the
// script of a test hook for its entry, so that nothing is written that runs.
func folders(t *testing.T, dir string, hooks map[string][2]string) {
	t.Helper()
	for name, h := range hooks {
		front, entry := h[0], h[1]
		write(filepath.Join(dir, name, "HOOK.md"), "---\nname: "+name+"\ndescription: a test\n"+front+"\n---\n", 0o644)
		if entry != "" {
			write(filepath.Join(dir, name, "scripts", "body.sh"), "#!/bin/sh\n"+scripts[entry], 0o644)
			write(filepath.Join(dir, name, "scripts", "run.sh"), "#!/bin/sh\n. \"${0%/*}/body.sh\"\n", 0o644)
		}
	}
}

// TestFolders runs hooks as they lie on the disk: some of them turn out broken,
// or not trusted, only when it is their turn.
func TestFolders(t *testing.T) {
	t.Parallel()
	user, project := t.TempDir(), t.TempDir()
	folders(t, filepath.Join(user, "hooks"), map[string][2]string{
		"early":   {"trigger: pre-tool-call\npriority: 900", "context"},
		"rewrite": {"trigger: pre-tool-call\npriority: 800\nmatcher:\n  tool: Shell", "modify"},
		"guard":   {"trigger: pre-tool-call\npriority: 700\nmatcher:\n  tool: Shell\n  pattern: '^make safe$'", "ask"},
		"other":   {"trigger: pre-tool-call\npriority: 700\nmatcher:\n  tool: ReadFile", "block"},
		"regexp":  {"trigger: pre-tool-call\npriority: 600\nmatcher:\n  tool: '('", "block"},
		"hollow":  {"trigger: pre-tool-call\npriority: 500", ""},
		"strict":  {"trigger: pre-tool-call\npriority: 400\nmetadata:\n  on_error: block", ""},
		"late":    {"trigger: pre-tool-call\npriority: 300", "block"},
		"session": {"trigger: pre-session", "block"},
	})
	folders(t, filepath.Join(project, ".agents", "hooks"), map[string][2]string{
		"theirs": {"trigger: pre-tool-call\npriority: 950\nmetadata:\n  on_error: block", "block"},
	})
	r := newRunner(t)
	ev := event(protocol.PreToolCall)
	ev.WorkDir = project
	s := discovery.LoadEvent(discovery.Sources{User: user, State: r.State, Home: user, GOOS: runtime.GOOS}, ev.Type, project)
	rep := guarded(t, func() Report { return r.Run(context.Background(), ev, s) })
	var ran []string
	for _, res := range rep.Results {
		ran = append(ran, res.Hook.Name+"="+string(res.Verdict))
	}
	got := strings.Join(ran, " ")
	if rep.Outcome.Decision != protocol.Block || !strings.Contains(rep.Outcome.Reason, "[strict] is broken") {
		t.Errorf("a broken hook with on_error: %v, %q (%s)", rep.Outcome.Decision, rep.Outcome.Reason, got)
	}
	if want := "early=ok rewrite=ok guard=ok regexp=not_started hollow=not_started strict=not_started"; got != want {
		t.Errorf("verdicts %q, want %q", got, want)
	}
	told := 0
	for _, w := range rep.Warnings {
		if w.Kind == "broken" {
			told++
		}
	}
	if told != 3 {
		t.Errorf("broken hooks are never silent: %v", rep.Warnings)
	}
	if _, err := os.Stat(filepath.Join(r.State, "hooks", "user", "guard")); err != nil {
		t.Errorf("state directory: %v", err)
	}
}

// A hook of the person finds no program of the repository by its name, whatever
// way the PATH leads there; one of the project, which was approved, does.
func TestPathOfTheRepositoryIsForItsOwnHooks(t *testing.T) {
	t.Parallel()
	real := func(dir string) string {
		dir, err := filepath.EvalSymlinks(dir)
		must.Do(t, err)
		return dir
	}
	home, repo := real(t.TempDir()), real(t.TempDir())
	link := filepath.Join(home, "link")
	bin := filepath.Join(repo, ".venv", "bin")
	write(filepath.Join(bin, "jq"), "", 0o755)
	write(filepath.Join(home, "bin", "mine"), "", 0o755)
	must.Do(t, os.Symlink(repo, link))
	mine := filepath.Join(home, "bin")
	beside := repo + "-more"
	dirs := []string{bin, mine, repo + "/./x/../.venv//bin/", "/proc/self/cwd/bin", "/proc/self/root" + bin, filepath.Join(link, ".venv", "bin"), repo, ".", "", beside, "/usr/bin"}
	paths := func(state, project, root string) (person, theirs string) {
		r := Runner{State: state, Env: []string{"A=1", "PATH=" + strings.Join(dirs, ":")}}
		s := r.newHookEnv(event(protocol.PreToolCall), project, root)
		of := func(l discovery.LayerName) string {
			env, err := s.of(&discovery.Hook{Name: "x", Layer: l})
			must.Do(t, err)
			return strings.TrimSuffix(variable(env, "PATH"), strings.TrimPrefix(joinPath(nil), "PATH=/usr/local/bin:/usr/bin"))
		}
		if user, system, builtin := of(discovery.UserLayer), of(discovery.SystemLayer), of(discovery.BuiltinLayer); user != system || user != builtin {
			t.Errorf("%s, %s, %s", user, system, builtin)
		}
		return of(discovery.UserLayer), of(discovery.ProjectLayer)
	}
	safe := strings.Join([]string{mine, beside, "/usr/bin", "/usr/local/bin"}, ":")
	for _, sub := range []string{repo, filepath.Join(repo, "sub")} {
		person, theirs := paths(filepath.Join(home, "state"), sub, repo)
		if person != safe {
			t.Errorf("a hook of the person gets %s, want %s", person, safe)
		}
		if !strings.HasPrefix(theirs, bin+":"+mine) {
			t.Errorf("a hook of the project gets %s", theirs)
		}
	}
	// A home that is a repository itself is the person's.
	if person, _ := paths(filepath.Join(repo, "state"), "", repo); !strings.HasPrefix(person, bin+":"+mine) {
		t.Errorf("in a home that is a repository: %s", person)
	}
}

// What lists folders of code, or names certificates or where to write, is for the
// hooks of others without what lies in the repository, and gone if nothing is left.
func TestFoldersOfTheRepositoryAreForItsOwnHooks(t *testing.T) {
	t.Parallel()
	repo, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	inside := filepath.Join(repo, "lib")
	r := Runner{State: filepath.Join(t.TempDir(), "state"), Env: []string{"PYTHONPATH=" + inside + ":/lib::rel", "LD_LIBRARY_PATH=.", "TMPDIR=" + inside, "SSL_CERT_FILE=/proc/self/cwd/ca", "FOO=" + inside}}
	s := r.newHookEnv(event(protocol.PreToolCall), repo, repo)
	for layer, want := range map[discovery.LayerName][]string{
		discovery.UserLayer:    {"/lib", "", "", "", inside},
		discovery.ProjectLayer: {inside + ":/lib", "", inside, "/proc/self/cwd/ca", inside},
	} {
		t.Run(string(layer), func(t *testing.T) {
			env, _ := s.of(&discovery.Hook{Name: "x", Layer: layer})
			for i, name := range []string{"PYTHONPATH", "LD_LIBRARY_PATH", "TMPDIR", "SSL_CERT_FILE", "FOO"} {
				if got := variable(env, name); got != want[i] {
					t.Errorf("%s: %s is %q, want %q", layer, name, got, want[i])
				}
			}
		})
	}
}
