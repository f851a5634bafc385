package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A terminal is told from what only looks like one: /dev/null and /dev/zero are
// character devices too, whatever name they were opened by.
func TestTerminalIsToldFromOtherDevices(t *testing.T) {
	t.Parallel()
	_, name := openTerminal(t)
	open := func(name string) *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY, 0)
		must.Do(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	screen := open(name)
	must.Do(t, unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 10, Col: 43}))
	if !shell.IsTerminal(screen) || shell.TerminalWidth(screen) != 43 {
		t.Errorf("a terminal of 43 places: %v, %d places", shell.IsTerminal(screen), shell.TerminalWidth(screen))
	}
	fd, err := unix.Dup(int(open(os.DevNull).Fd()))
	must.Do(t, err)
	null := os.NewFile(uintptr(fd), "/dev/stdin") // as a process is given it
	defer null.Close()
	file, err := os.Create(t.TempDir() + "/file")
	must.Do(t, err)
	defer file.Close()
	for name, stream := range map[string]any{"/dev/null": open(os.DevNull), "/dev/null as stdin": null, "/dev/zero": open("/dev/zero"), "a file": file, "text": strings.NewReader("x"), "nothing": nil} {
		t.Run(name, func(t *testing.T) {
			if shell.IsTerminal(stream) || shell.TerminalWidth(stream) != 0 {
				t.Errorf("%s is taken for a terminal", name)
			}
		})
	}
}

// openTerminal is a new terminal: the side of the person's screen and keys, and the name of
// the other one.
func openTerminal(t *testing.T) (person *os.File, name string) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	must.Do(t, err)
	t.Cleanup(func() { person.Close() })
	must.Do(t, unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	must.Do(t, err)
	return person, fmt.Sprintf("/dev/pts/%d", n)
}

// Ctrl-C at a question ends the command at once, also one that listens for it to end
// its work in order, and what was asked for is not done.
func TestCtrlCAtAQuestionEndsIt(t *testing.T) {
	t.Parallel()
	for name, words := range map[string][]string{
		"a pack":    {"add", "../pack"},
		"a team":    {"setup"},
		"an import": {"import", "--user"},
		"approvals": {"trust"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			hook := "---\nname: %s\ndescription: A hook of a test.\ntrigger: post-session\nmetadata:\n  command: 'true'\n---\n"
			for file, text := range map[string]string{
				"home/.claude/settings.json":         "{}\n",
				"project/.claude/settings.json":      `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}`,
				"project/.agents/agents-hooks.toml":  "[[pack]]\nsource = \"../pack\"\n",
				"project/.agents/hooks/mine/HOOK.md": fmt.Sprintf(hook, "mine"),
				"project/.git/HEAD":                  "ref: refs/heads/main\n",
				"pack/theirs/HOOK.md":                fmt.Sprintf(hook, "theirs"),
			} {
				path := filepath.Join(dir, filepath.FromSlash(file))
				must.Write(t, path, text)
			}
			person, tty := openTerminal(t)
			screen, err := os.OpenFile(tty, os.O_RDWR|syscall.O_NOCTTY, 0)
			must.Do(t, err)
			cmd := exec.Command("agents-hooks", words...)
			cmd.Dir = filepath.Join(dir, "project")
			cmd.Env = []string{"HOME=" + filepath.Join(dir, "home"), "PATH=" + os.Getenv("PATH"), "TERM=dumb"}
			cmd.Stdin, cmd.Stdout, cmd.Stderr = screen, screen, screen
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			must.Do(t, cmd.Start())
			screen.Close()
			var seen []byte
			for b := make([]byte, 4096); !bytes.Contains(seen, []byte("[y/N]")); {
				n, err := person.Read(b)
				if seen = append(seen, b[:n]...); err != nil {
					t.Fatalf("%v before a question: %s", err, seen)
				}
			}
			must.Do(t, must.Err(person.Write([]byte{3})))
			rest, _ := io.ReadAll(person) // ends with an error when nobody has the terminal any more
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != shell.ExitInterrupted || bytes.Contains(rest, []byte("[y/N]")) {
				t.Errorf("exit %d\n%s%s", code, seen, rest)
			}
			for _, gone := range []string{"project/.agents/hooks/theirs", "project/.agents/hooks.lock", "home/.config/agents/hooks"} {
				if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(gone))); err == nil {
					t.Errorf("%s was written", gone)
				}
			}
		})
	}
}
