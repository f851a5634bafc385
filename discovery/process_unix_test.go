//go:build unix

package discovery

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func mkfifo(t testing.TB, path string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, syscall.Mkfifo(path, 0o644))
}

// The test program runs itself as somebody without rights.
func TestMain(m *testing.M) {
	if dir := os.Getenv("DISCOVERY_TEST_NOBODY"); dir != "" {
		nobody(dir)
		os.Exit(0)
	}
	if os.Getenv("DISCOVERY_TEST_SEARCHES") != "" {
		searches()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// nobody loads a user layer as a person who may not read all of it.
func nobody(dir string) {
	if os.Getuid() == 0 {
		if err := syscall.Setuid(65534); err != nil {
			panic(err)
		}
	}
	set := LoadEvent(Sources{User: dir, Home: dir, State: filepath.Join(dir, "state"), GOOS: "linux"}, preTool, dir)
	for _, h := range set.Hooks {
		println(h.Name, string(h.Status), strings.Join(sayAll(h.Problems), " "))
	}
	for _, p := range set.Problems {
		println(p.Message)
	}
}

// Folders and files that may not be read are told of; their neighbours run.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for dir := w.root; strings.HasPrefix(dir, os.TempDir()) && dir != os.TempDir(); dir = filepath.Dir(dir) {
		os.Chmod(dir, 0o755)
	}
	w.hook(UserLayer, "good", preTool)
	folder := w.hook(UserLayer, "folder", preTool)
	file := w.hook(UserLayer, "file", preTool)
	settings := w.settings(UserLayer, "")
	for _, path := range []string{folder, filepath.Join(file, "HOOK.md"), settings} {
		must.Do(t, os.Chmod(path, 0))
		defer os.Chmod(path, 0o755)
	}
	self, err := os.Executable()
	must.Do(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "DISCOVERY_TEST_NOBODY="+w.user)
	cmd.Dir = "/"
	out, err := cmd.CombinedOutput()
	want := "good ready \nfile broken fatal cannot be read: permission denied\nfolder broken fatal cannot be read: permission denied\ncannot be read: permission denied\n"
	if got := strings.ReplaceAll(string(out), "fatal : ", "fatal "); err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// searches matches over and over, until its stdin ends, and says how often it ran out of time.
func searches() {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	e, err := newExpression(`^(a+)+$`)
	if err != nil {
		panic(err)
	}
	// Some milliseconds of work, which is far below the limit; each letter doubles it, and the race detector makes it
	// ten times as long.
	text := "aaaaaaaa!"
	for began := time.Now(); ; began = time.Now() {
		if _, err := e.match(text, time.Minute); err != nil {
			panic(err)
		}
		if time.Since(began) >= maxHookMatch/50 {
			break
		}
		text = "a" + text
	}
	for {
		var b Budget
		if _, _, err := b.match(e, text, maxHookMatch); err != nil {
			fmt.Println("late")
		} else {
			fmt.Println("done")
		}
	}
}

// A search that others keep from running has not had its time. HM-MAT-16.
func TestASearchThatDidNotRunIsNotOver(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must.Do(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "DISCOVERY_TEST_SEARCHES=1")
	in, err := cmd.StdinPipe()
	must.Do(t, err)
	out, err := cmd.StdoutPipe()
	must.Do(t, err)
	must.Do(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for range attempts - 2 { // all of them may meet the same search
		for range 3 {
			if !lines.Scan() || lines.Text() != "done" {
				t.Errorf("a search is %q: %v", lines.Text(), lines.Err())
			}
		}
		// It gets no processor for longer than a search may take.
		must.Do(t, cmd.Process.Signal(syscall.SIGSTOP))
		time.Sleep(2 * maxHookMatch)
		must.Do(t, cmd.Process.Signal(syscall.SIGCONT))
	}
	in.Close()
	for lines.Scan() {
		if lines.Text() != "done" {
			t.Errorf("a search is %q", lines.Text())
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
