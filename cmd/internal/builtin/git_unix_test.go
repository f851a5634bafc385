//go:build unix

package builtin

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What an event asks git is answered without a program that the settings of the repository
// name; git by itself runs each of these.
func TestGitRunsNothingThatARepositoryNames(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	for _, c := range []struct {
		name, settings, signed string
		bare, lacking          bool
		ask                    []string
	}{
		{name: "a monitor", settings: "[core]\nfsmonitor = PROGRAM", ask: []string{"status", "--porcelain"}},
		{name: "a program for signatures", settings: "[log]\nshowSignature = true\n[gpg]\nprogram = PROGRAM", signed: "-S", ask: []string{"log", "-1", "--format=%h"}},
		{name: "a way to fetch what is lacking", settings: "[core]\nrepositoryformatversion = 1\nsshCommand = PROGRAM\n[extensions]\npartialClone = origin\n[remote \"origin\"]\nurl = ssh://x/x\npromisor = true",
			lacking: true, ask: []string{"status", "--porcelain"}},
		{name: "a transport", settings: "[core]\nrepositoryformatversion = 1\n[protocol \"ext\"]\nallow = always\n[extensions]\npartialClone = origin\n[remote \"origin\"]\nurl = ext::PROGRAM\npromisor = true",
			lacking: true, ask: []string{"status", "--porcelain"}},
		{name: "a folder that looks like a repository", settings: "[core]\nbare = false\nworktree = ..\n[filter \"e\"]\nclean = PROGRAM", bare: true, ask: []string{"status", "--porcelain"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			home, dir := t.TempDir(), t.TempDir()
			ran, program := filepath.Join(home, "ran"), filepath.Join(home, "program")
			must.Put(t, program, "#!/bin/sh\ntouch "+ran+"\ncase $1 in --status*) cat >/dev/null; esac\nprintf -- '-----BEGIN PGP SIGNATURE-----\\nx\\n-----END PGP SIGNATURE-----\\n'\nprintf '\\n[GNUPG:] SIG_CREATED x\\n' >&2\n", 0o755)
			env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"}
			git := func(args ...string) (string, error) {
				cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "gpg.program=" + program}, args...)...)
				cmd.Dir, cmd.Env = dir, env
				out, err := cmd.CombinedOutput()
				return strings.TrimSpace(string(out)), err
			}
			made := func(args ...string) string {
				out, err := git(args...)
				if err != nil {
					t.Fatalf("git %v: %v: %s", args, err, out)
				}
				return out
			}
			made("init", "-q")
			must.Put(t, filepath.Join(dir, "a"), "a\n", 0o644)
			must.Put(t, filepath.Join(dir, ".gitattributes"), "* filter=e\n", 0o644)
			made("add", "-A")
			commit := []string{"commit", "-q", "-m", "x"}
			if c.signed != "" {
				commit = append(commit, c.signed)
			}
			made(commit...)
			tree := made("rev-parse", "HEAD^{tree}")
			file, err := os.OpenFile(filepath.Join(dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
			must.Do(t, err)
			fmt.Fprintln(file, strings.ReplaceAll(c.settings, "PROGRAM", program))
			must.Do(t, file.Close())
			if c.lacking {
				for _, gone := range []string{"index", "objects/" + tree[:2] + "/" + tree[2:]} {
					must.Do(t, os.Remove(filepath.Join(dir, ".git", gone)))
				}
			}
			if c.bare {
				must.Do(t, os.Rename(filepath.Join(dir, ".git"), filepath.Join(dir, "sub")))
				must.Put(t, filepath.Join(dir, "a"), "b\n", 0o644) // as long as it was, so that git has to read it
				dir = filepath.Join(dir, "sub")
			}
			os.Remove(ran)
			// Its answer may be an error: what counts is what was run for it.
			_, _ = Runtime(shelltest.Host(home, dir), "", nil).Git(context.Background(), dir, append(env, "GIT_DIR="+dir), c.ask...)
			if _, err := os.Stat(ran); err == nil {
				t.Errorf("the repository's program was run by git %v", c.ask)
			}
			out, _ := git(c.ask[0], c.ask[1])
			if _, err := os.Stat(ran); err != nil {
				t.Errorf("git itself does not run it, so that this proves nothing: %s", out)
			}
		})
	}
}
