package hooksh_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/runner"
)

var update = flag.Bool("update", false, "write what the sh of this machine says into testdata")

const sameEvent = `{
 "event_type": "pre-tool-call",
 "tool_name": "Shell",
 "tool_input": {"command": "git push --force"}
}
`

// The scripts of testdata have the same output and exit status here as in a real sh,
// if the machine has one: its results are stored beside them for machines without.
func TestScriptsAreAsInAnySh(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must.Do(t, err)
	scripts, err := filepath.Glob("testdata/same/*.sh")
	if err != nil || len(scripts) < 15 {
		t.Fatal(scripts, err)
	}
	sh, missing := exec.LookPath("sh")
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".sh"), func(t *testing.T) {
			t.Parallel()
			kept := strings.TrimSuffix(script, ".sh") + ".want"
			if missing == nil {
				said := saidBy(t, []string{sh}, script)
				if *update {
					must.Write(t, kept, said)
				}
				if want := string(read1(t, kept)); said != want {
					t.Errorf("the sh of this machine says\n%s\nand what is kept is\n%s", said, want)
				}
			}
			if said, want := saidBy(t, []string{self, "__sh"}, script), string(read1(t, kept)); said != want {
				t.Errorf("ours says\n%s\nwant\n%s", said, want)
			}
		})
	}
}

func read1(t *testing.T, file string) []byte {
	t.Helper()
	return bytes.ReplaceAll([]byte(must.Read(t, file)), []byte("\r\n"), []byte("\n"))
}

// saidBy is a script's stdout in a folder of its own, and its exit status.
func saidBy(t *testing.T, sh []string, script string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "run.sh")
	must.Write(t, file, read1(t, script))
	must.Do(t, os.Mkdir(filepath.Join(dir, "w"), 0o700))
	cmd := exec.Command(sh[0], append(sh[1:], file, "arg1")...)
	cmd.Dir, cmd.Stdin = filepath.Join(dir, "w"), strings.NewReader(sameEvent)
	if len(sh) > 1 { // ours, with its own programs
		cmd.Env = append(os.Environ(), "PATH="+dir)
	}
	out, err := cmd.Output()
	if ended, is := errors.AsType[*exec.ExitError](err); err != nil && !is {
		t.Fatal(err, ended)
	}
	code := cmd.ProcessState.ExitCode()
	if runtime.GOOS == "windows" {
		code = runner.OfOwnShell(code)
	}
	return fmt.Sprintf("%sleft with %d\n", out, code)
}

// Whatever this sh does not support never makes it exit with 2, by which a hook
// blocks.
func TestWhatIsNotThereIsNoVerdict(t *testing.T) {
	self, err := os.Executable()
	must.Do(t, err)
	for line, want := range map[string]int{
		"umask 077": 0, "ulimit -c 0": 0, "trap '' INT": 0, "trap 'x' HUP TERM": 0, "trap 'echo bye' EXIT INT": 0, "jobs": 0, "wait -n": 0, "hash -r": 0, "disown": 0,
		"kill -TERM $$": 1, "fg": 1, "suspend": 1, "fc": 1, "printf %z": 1, "printf '%'": 1, "printf": 1, "echo x >&7": 1,
	} {
		t.Run(line, func(t *testing.T) {
			if _, errs, exit := play(t, self, "", []string{"-c", line}); exit != want {
				t.Errorf("%s: left with %d, want %d: %s", line, exit, want, errs)
			}
		})
	}
}

// A crash of the interpreter itself is not a verdict either: a Go program exits with
// 2 then. This one calls itself until the stack is exhausted.
func TestACrashIsNoVerdict(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "windows" {
		t.Skip("this sh is for Windows, where how it leaves has more than eight bits")
	}
	self, err := os.Executable()
	must.Do(t, err)
	for script, want := range map[string]int{"exit 2": 2, "f() { f; }; f; exit 2": 1, "f() { f; }; f | cat; exit 2": 1} {
		t.Run(script, func(t *testing.T) {
			cmd := exec.Command(self, "__sh", "-c", script)
			if err := cmd.Run(); err == nil {
				t.Errorf("%s: ends well", script)
			}
			if code := runner.OfOwnShell(cmd.ProcessState.ExitCode()); code != want {
				t.Errorf("%s: leaves with %d, want %d", script, code, want)
			}
		})
	}
}
