package setup

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/codex"
)

// A purge removes what is ours, and what is the user's only if it is named; what is kept is said.
func TestPurge(t *testing.T) {
	t.Parallel()
	hooks, data := []string{"config/hooks/h/HOOK.md", "config/hooks.toml"}, []string{"data/memory/facts", "data/skills/s"}
	ours, others := []string{"state/approved.json", "cache/index", "data/bin/copy.json"}, []string{"config/other", "bin/x"}
	for _, c := range []struct {
		also, stays []string
		kept        int // folders and files
	}{
		{nil, slices.Concat(hooks, data), 4},
		{[]string{"hooks"}, data, 2},
		{[]string{"data"}, hooks, 2},
		{Also(), nil, 0},
	} {
		t.Run("also "+strings.Join(c.also, " "), func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			h := shelltest.Host(home, home)
			h.Config, h.State, h.Cache, h.Data = filepath.Join(home, "config"), filepath.Join(home, "state"), filepath.Join(home, "cache"), filepath.Join(home, "data")
			all := slices.Concat(hooks, data, ours, others)
			for _, path := range all {
				must.Write(t, filepath.Join(home, path), "x")
			}
			kept, err := Purge(h, c.also)
			must.Do(t, err)
			if len(kept) != c.kept {
				t.Errorf("says that it kept %q", kept)
			}
			for _, path := range all {
				_, err := os.Lstat(filepath.Join(home, path))
				if stays := slices.Contains(c.stays, path) || slices.Contains(others, path); (err == nil) != stays {
					t.Errorf("%s: %v", path, err)
				}
			}
		})
	}
}

// Behaviours are switched on in the settings, all or none; a word for none gets the nearest one.
func TestSwitchOn(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	h := shelltest.Host(home, home)
	set := &discovery.Set{Hooks: []*discovery.Hook{{Name: "memory-recall", Behaviour: "memory"}, {Name: "skills-list", Behaviour: "skills"}}}
	file := filepath.Join(h.Config, "hooks.toml")
	if _, err := SwitchOn(h, set, []string{"memory", "skils"}, false, false); err == nil || !strings.Contains(err.Error(), `"skils"`) {
		t.Errorf("one that is none: %v", err)
	}
	if _, err := SwitchOn(h, set, []string{"memory"}, false, true); err != nil {
		t.Errorf("dry: %v", err)
	}
	if _, err := os.Lstat(file); err == nil {
		t.Errorf("was written: %s", must.Read(t, file))
	}
	if got, err := SwitchOn(h, set, []string{"memory", "skills"}, false, false); err != nil || filepath.Base(got) != "hooks.toml" {
		t.Errorf("%s, %v", got, err)
	}
	if text := must.Read(t, file); strings.Count(text, "enabled = true") != 2 || !strings.Contains(text, "memory") || !strings.Contains(text, "skills") {
		t.Errorf("became %s", text)
	}
}

// A configuration that a variable puts into the project is refused, also by a path that
// counts from there.
func TestAConfigurationInTheProjectIsRefused(t *testing.T) {
	t.Parallel()
	home, project := t.TempDir(), t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(project, ".git"), 0o755))
	for place, refused := range map[string]bool{"conf": true, filepath.Join(project, "conf"): true, filepath.Join(home, "conf"): false} {
		t.Run(place, func(t *testing.T) {
			err := OwnConfig(shelltest.Host(home, project, "CODEX_HOME="+place), codex.Dialect)
			if (err != nil) != refused || err != nil && !strings.Contains(err.Error(), "lies in the project") {
				t.Error(err)
			}
		})
	}
}

// A program has the name by which the PATH finds it, if it finds that one.
func TestTheNameOfAProgramOnThePath(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	ext := ""
	if runtime.GOOS == "windows" {
		ext = ".exe"
	}
	real, another := filepath.Join(home, "real", "agents-hooks"+ext), filepath.Join(home, "another", "agents-hooks"+ext)
	linked := filepath.Join(home, "linked", "agents-hooks"+ext)
	must.Script(t, real, "x")
	must.Script(t, another, "x")
	must.Do(t, os.Mkdir(filepath.Dir(linked), 0o755))
	must.Do(t, os.Link(real, linked))
	for path, want := range map[string]string{
		filepath.Dir(linked):  linked,
		filepath.Dir(another): "",
		filepath.Dir(another) + string(filepath.ListSeparator) + filepath.Dir(linked): "",
		filepath.Join(home, "none"): "",
	} {
		t.Run(path, func(t *testing.T) {
			h := shelltest.Host(home, home, "PATH="+path)
			if got := sameOnPath(h, real); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if got := sameOnPath(h, filepath.Join(home, "real", "none")); got != "" {
				t.Errorf("of one that is not there: %q", got)
			}
		})
	}
}

// The copy of the programs goes with the last that names it: a receipt, or an entry without one.
func TestTheCopyGoesWithTheLastEntry(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	h := shelltest.Host(home, home)
	must.Script(t, keep.Program(h, keep.Lean), "x")
	forsakes := func(gone bool) {
		t.Helper()
		Forsake(h, "")
		if _, err := os.Lstat(keep.Program(h, keep.Lean)); (err != nil) != gone {
			t.Errorf("gone: %v", err)
		}
	}
	settings := codex.Dialect.Config.File(Site(h, protocol.UserScope, ""))
	must.Do(t, WithReceipts(h.State, "", func(r *Receipts) error {
		f, err := OpenConfig(filepath.Join(home, "settings"), "")
		must.Do(t, err)
		return r.change(&f, []byte("x"), "one user", true)
	}))
	forsakes(false)
	must.Do(t, os.Remove(filepath.Join(h.State, receiptsFile)))
	must.Write(t, settings, `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/usr/local/bin/agents-hooks run --agent=codex"}]}]}}`)
	forsakes(false)
	must.Do(t, os.Remove(settings))
	forsakes(true)
}
