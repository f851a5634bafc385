package setup

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// edit opens a file and replaces its content.
func edit(t *testing.T, path, content string) {
	t.Helper()
	f, err := OpenConfig(path, "")
	must.Do(t, err)
	must.Do(t, must.Err(f.Write([]byte(content))))
}

func holds(t *testing.T, path, content string) {
	t.Helper()
	b, err := os.ReadFile(path)
	must.Do(t, err)
	if string(b) != content {
		t.Errorf("%s holds %q, want %q", path, b, content)
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must.Do(t, err)
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func TestConfigFileKeepsWhatIsItsOwners(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes and links of Unix")
	}
	t.Run("mode", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "settings.json")
		must.Put(t, path, "old", 0o640)
		edit(t, path, "new")
		holds(t, path, "new")
		if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
			t.Errorf("mode %o", info.Mode().Perm())
		}
		if got := names(t, filepath.Dir(path)); got != "settings.json" {
			t.Errorf("beside it lie %s", got)
		}
	})
	t.Run("owner", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "settings.json")
		must.Write(t, path, "old")
		if err := os.Chown(path, 65534, 65534); err != nil {
			t.Skip("only root can give a file away")
		}
		edit(t, path, "new")
		holds(t, path, "new")
		if uid, gid := ownerOf(t, path); uid != 65534 || gid != 65534 {
			t.Errorf("owner %d:%d", uid, gid)
		}
	})
	t.Run("link", func(t *testing.T) {
		dir := t.TempDir()
		real, link := filepath.Join(dir, "dotfiles", "settings.json"), filepath.Join(dir, "home", "settings.json")
		must.Write(t, real, "old")
		must.Write(t, filepath.Join(dir, "home", "other"), "")
		linktest.Make(t, filepath.Join("..", "dotfiles", "settings.json"), link)
		edit(t, link, "new")
		holds(t, real, "new")
		if dest, err := os.Readlink(link); err != nil || dest != filepath.Join("..", "dotfiles", "settings.json") {
			t.Errorf("the link is %q, %v", dest, err)
		}
	})
	t.Run("link to nothing yet", func(t *testing.T) {
		dir := t.TempDir()
		real, link := filepath.Join(dir, "dotfiles", "settings.json"), filepath.Join(dir, "settings.json")
		linktest.Make(t, real, link)
		edit(t, link, "new")
		holds(t, real, "new")
		holds(t, link, "new")
	})
	t.Run("second name", func(t *testing.T) {
		dir := t.TempDir()
		one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
		must.Write(t, one, "old")
		must.Do(t, os.Link(one, two))
		edit(t, one, "new")
		holds(t, two, "new")
	})
	t.Run("round of links", func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "settings.json")
		linktest.Make(t, link, link)
		if _, err := OpenConfig(link, ""); err == nil || !strings.Contains(err.Error(), "too many links") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("write-protected", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "settings.json")
		must.Put(t, path, "old", 0o400)
		f, err := OpenConfig(path, "")
		must.Do(t, err)
		if _, err := f.Write([]byte("new")); err == nil || !strings.Contains(err.Error(), "write-protected") {
			t.Errorf("error %v", err)
		}
		holds(t, path, "old")
	})
}

func TestConfigFileRefusesWhatChangedMeanwhile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.json")
	must.Write(t, path, "old")
	f, err := OpenConfig(path, "")
	must.Do(t, err)
	must.Write(t, path, "theirs")
	if _, err := f.Write([]byte("ours")); err == nil || !strings.Contains(err.Error(), "changed while") {
		t.Errorf("error %v", err)
	}
	holds(t, path, "theirs")
}

// The next write removes what a killed writer left beside a configuration; what a
// running process is just writing, or a file of another name, stays.
func TestLeftoversOfKilledWritersAreSwept(t *testing.T) {
	t.Parallel()
	if os.Getppid() == 0 {
		t.Skip("what started this test is no process here: Wine started it for a program of Linux")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.json")
	killed := exec.Command(os.Args[0], "-test.run=^$")
	must.Do(t, killed.Run())
	old, gone, runs := time.Now().Add(-2*time.Hour), killed.ProcessState.Pid(), os.Getppid()
	writing := fmt.Sprintf(".settings.json.tmp-%d-4", runs)
	for name, at := range map[string]time.Time{
		fmt.Sprintf(".settings.json.tmp-%d-1", runs): old, fmt.Sprintf(".settings.json.tmp-%d-2", gone): time.Now(), writing: time.Now(), ".settings.json.tmp-mine": old,
		".other.json.tmp-1-23": old, "settings.json.tmp-1-23": old,
	} {
		must.Write(t, filepath.Join(dir, name), "")
		must.Do(t, os.Chtimes(filepath.Join(dir, name), at, at))
	}
	must.Do(t, replaceFile(nil, path, []byte("{}"), false))
	entries, err := os.ReadDir(dir)
	must.Do(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{".other.json.tmp-1-23", writing, ".settings.json.tmp-mine", "settings.json", "settings.json.tmp-1-23"}; !slices.Equal(names, want) {
		t.Errorf("there are %q, want %q", names, want)
	}
}

// Below a project a link may lead to another place in it and nowhere else, for
// reading, for writing, and for the folders in between.
func TestConfigFileOfAProjectStaysInIt(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links of Unix")
	}
	base := t.TempDir()
	project, outside := filepath.Join(base, "project"), filepath.Join(base, "outside")
	must.Write(t, filepath.Join(outside, "settings.json"), "theirs")
	must.Put(t, filepath.Join(project, "kept", "settings.json"), "old", 0o640)
	must.Write(t, filepath.Join(project, ".git", "config"), "git")
	link := func(to, name string) {
		t.Helper()
		linktest.Make(t, to, filepath.Join(project, name))
	}
	link("kept", ".inside")
	link(filepath.Join(project, "kept", "settings.json"), "inside.json")
	link(outside, ".out")
	link("../outside/settings.json", "out.json")
	link("../outside/new.json", "new.json")
	link("../outside/new", ".new")
	link(".git/config", "git.json")
	link("loop.json", "loop.json")
	link("/dev/zero", "zero.json")
	for _, name := range []string{".inside/settings.json", "inside.json", ".inside/skills/deep/SKILL.md", "kept/new.json"} {
		f, err := OpenConfig(filepath.Join(project, filepath.FromSlash(name)), project)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := f.Write([]byte("new")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		holds(t, filepath.Join(project, filepath.FromSlash(name)), "new")
	}
	if dest, err := os.Readlink(filepath.Join(project, "inside.json")); err != nil || dest != filepath.Join(project, "kept", "settings.json") {
		t.Errorf("the link is %q, %v", dest, err)
	}
	for _, name := range []string{".out/settings.json", ".out/skills/deep/SKILL.md", "out.json", "new.json", ".new/settings.json", "git.json", "loop.json", "zero.json"} {
		t.Run(name, func(t *testing.T) {
			if f, err := OpenConfig(filepath.Join(project, filepath.FromSlash(name)), project); err == nil || !strings.Contains(err.Error(), "the link ") {
				t.Errorf("%s: %+v, %v", name, f, err)
			}
		})
	}
	// What was a file when it was read, and is a link when it is written.
	at := filepath.Join(project, "kept", "new.json")
	f, err := OpenConfig(at, project)
	must.Do(t, err)
	must.Do(t, os.Remove(at))
	link("../../outside/settings.json", "kept/new.json")
	if _, err := f.Write([]byte("new")); err == nil {
		t.Error("written through a link")
	}
	holds(t, filepath.Join(outside, "settings.json"), "theirs")
	if got := names(t, outside); got != "settings.json" {
		t.Errorf("outside lie %s", got)
	}
}
