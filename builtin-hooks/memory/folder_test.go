package memory

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What is derived does not end in a commit by accident, and memory itself can.
// BM-GIT-02.
func TestMakeKeepsDerivedFilesOutOfCommits(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	p := Place{Root: root, Dir: filepath.Join(root, ".agents", "memory-data")}
	must.Do(t, p.Begin("log-1", "s1", time.Now(), locale.Chinese))
	must.Do(t, p.UpdateState("s1", time.Now(), func(o *protocol.Object) {}))
	for _, name := range []string{"agents-index.recall", "agents-index.vectors", "sessions.jsonl", "logs/2026-01-01.log", "backups/1/MEMORY.md"} {
		path := filepath.Join(p.Dir, filepath.FromSlash(name))
		must.Write(t, path, "x")
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not here")
	}
	run := func(args ...string) string {
		cmd := exec.Command(git, args...)
		cmd.Dir, cmd.Env = root, []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("init", "-q")
	run("add", ".agents")
	day := time.Now().UTC().Format(time.DateOnly)
	want := ".agents/memory-data/.gitattributes\n.agents/memory-data/.gitignore\n.agents/memory-data/MEMORY.md\n.agents/memory-data/daily/" + day + ".jsonl\n.agents/memory-data/sessions.jsonl\n"
	if got := run("ls-files"); got != want {
		t.Errorf("would be committed:\n%swant:\n%s", got, want)
	}
}

// A folder that was there is left as it is, and so is its .gitignore.
// BM-GIT-03.
func TestMakeLeavesWhatIsThere(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "theirs")
	must.Do(t, os.Mkdir(dir, 0o755))
	must.Do(t, (Place{Dir: dir}).Make())
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("%v was put into a folder that was there", entries)
	}
	ours := filepath.Join(dir, "deep", "ours")
	must.Do(t, (Place{Dir: ours}).Make())
	file := filepath.Join(ours, ".gitignore")
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), "\nagents-index.*\n") {
		t.Errorf("%q, %v", b, err)
	}
	must.Write(t, file, "*\n")
	must.Do(t, (Place{Dir: ours}).Make())
	if b, _ := os.ReadFile(file); string(b) != "*\n" {
		t.Errorf("overwritten with %q", b)
	}
}

// A .gitignore that an earlier version made learns the names of what is derived now;
// one that a person wrote does not.
// BM-GIT-02, BM-GIT-03.
func TestAnOlderGitignoreIsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# Made by agents-hooks with this folder.\nagents-index.sqlite*\n*.lock\n": "agents-index.*\nlocal/\nversions/\n",
		"agents-index.sqlite*\n": "",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			root := t.TempDir()
			p := Place{Root: root, Dir: filepath.Join(root, "memory")}
			put(t, p.Dir, ".gitignore", text)
			for range 2 {
				must.Do(t, p.Make())
			}
			if b, err := os.ReadFile(filepath.Join(p.Dir, ".gitignore")); err != nil || string(b) != text+want {
				t.Errorf("%q became %q, %v", text, b, err)
			}
		})
	}
}

// git takes the files of the folder away for a branch that has none, and leaves the
// folder with what it does not track: what is of this machine stays out of commits.
// BM-GIT-02.
func TestAFolderThatGitEmptiedIsOursStill(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	p := Place{Root: root, Dir: filepath.Join(root, "memory"), Git: "commit"}
	for range 2 {
		must.Do(t, p.Make())
		for _, name := range []string{".gitignore", ".gitattributes"} {
			must.Do(t, os.Remove(filepath.Join(p.Dir, name)))
		}
	}
	p.Git = ""
	must.Do(t, p.Make())
	if entries, _ := os.ReadDir(p.Dir); len(entries) > 0 {
		t.Errorf("%v was put into a folder that may be somebody else's", entries)
	}
}
