package dispatch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hooksh"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/internal/builttest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The tests here run the dispatcher as a process: the test binary under another
// role, with real directories and real hooks. All scripts of a test are written
// before its first process starts, because a script that is still open for
// writing in a forked child cannot be executed (go.dev/issue/22315).
func TestMain(m *testing.M) {
	if exit, ok := hooksh.FromProcess(); ok {
		os.Exit(exit)
	}
	if name, _, _ := strings.Cut(filepath.Base(os.Args[0]), "."); runtime.GOOS == "windows" && name == "sleep" {
		os.Exit(sleep(os.Args[1:]))
	}
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") && os.Getenv("DISPATCH_TEST_ROLE") == "" {
		os.Exit(keepCommand())
	}
	if os.Getenv("DISPATCH_TEST_ROLE") == "" {
		os.Exit(runTests(m))
	}
	h := host.FromProcess()
	switch os.Getenv("DISPATCH_TEST_ROLE") {
	case "panic":
		h.Now = panicOnSecondCall(h.Now)
	case "panic elsewhere":
		h.Now = func() time.Time { go func() { panic("planted") }(); select {} }
	case "stack":
		debug.SetMaxStack(1 << 20)
		h.Now = endless
	case "memory":
		h.Now = func() time.Time {
			for size := 1 << 40; ; size *= 2 { // more than there is
				h.Self = string(make([]byte, size))
			}
		}
	case "leak":
		h.Now = func() time.Time {
			var kept [][]byte
			for { // reserved and not touched: the system gives none of it
				kept = append(kept, make([]byte, 256<<20))
				time.Sleep(5 * time.Millisecond)
				if len(kept) > 64 {
					return time.Time{}
				}
			}
		}
	case "deadlock":
		h.Now = func() time.Time { var mu sync.Mutex; mu.Unlock(); return time.Time{} }
	}
	exit, ok := Verb(h, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if !ok {
		exit = 99
	}
	os.Exit(exit)
}

// testBinary is this program under the name and in the folder of the real one, where
// that matters: on Windows the dispatcher looks beside itself for the sh of its hooks.
var testBinary string

// dispatcher is what a world runs where nothing is planted in it: the program as it is
// released, which starts in half the time of a test binary, or that one where no Go is
// to build it with.
var dispatcher string

// runTests lays out what the hooks of the tests need of the machine. On a Unix that is
// there; on Windows it is our own sh, and a sleep.
func runTests(m *testing.M) int {
	var err error
	if testBinary, err = os.Executable(); err != nil {
		panic(err)
	}
	if runtime.GOOS == "windows" {
		dir, err := os.MkdirTemp("", "dispatch")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		b, err := os.ReadFile(testBinary)
		for _, name := range []string{"sleep.exe", "agents-hooks.exe"} {
			testBinary = filepath.Join(dir, name)
			if err == nil {
				err = os.WriteFile(testBinary, b, 0o700)
			}
		}
		if err != nil {
			panic(err)
		}
		os.Setenv("PATH", dir)
	}
	dispatcher = testBinary
	if runtime.GOOS != "windows" && builttest.Here() {
		dir, err := os.MkdirTemp("", "dispatch")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		if err := builttest.Programs(dir, "cmd/agents-hooks-run"); err != nil {
			panic(err)
		}
		dispatcher = filepath.Join(dir, "agents-hooks-run")
	}
	return m.Run()
}

// sleep is what a script of the tests waits with on Windows.
func sleep(args []string) int {
	seconds, err := strconv.ParseFloat(strings.Join(args, ""), 64)
	if err != nil {
		return 1
	}
	time.Sleep(time.Duration(seconds * float64(time.Second)))
	return 0
}

// keepCommand is a command of ours that a built-in hook started: those are not in
// this program. It keeps what it was given, for the test.
func keepCommand() (exit int) {
	home, err := os.UserHomeDir()
	if err != nil {
		return 99
	}
	f, err := os.OpenFile(filepath.Join(home, "commands"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 99
	}
	defer f.Close()
	fmt.Fprintf(f, "%q %q\n", os.Args[1:], os.Environ())
	return 99
}

// endless uses up its stack, which nothing can recover from.
//
//lint:ignore SA5007 that is what it is for
func endless() time.Time { return endless().Add(1) }

// panicOnSecondCall is a bug of ours, planted: the clock is a value that is
// passed in, and this one fails in the middle of an event.
func panicOnSecondCall(now func() time.Time) func() time.Time {
	calls := 0
	return func() time.Time {
		if calls++; calls == 2 {
			panic("planted")
		}
		return now()
	}
}

// A world is a home and a project.
type world struct {
	t             testing.TB
	home, project string
	role          string
	env           []string
}

func newWorld(t testing.TB) *world {
	t.Helper()
	// Every test runs below a folder whose name breaks careless quoting.
	dir := filepath.Join(t.TempDir(), "a b'c $d&é日本")
	w := &world{t: t, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project"), role: "run"}
	for _, d := range []string{w.home, filepath.Join(w.project, ".git")} {
		must.Do(t, os.MkdirAll(d, 0o755))
	}
	must.Leave(t, dir)
	return w
}

func (w *world) config() string {
	if runtime.GOOS == "windows" {
		return filepath.Join(w.home, "AppData", "Roaming", "agents")
	}
	return filepath.Join(w.home, ".config", "agents")
}

func (w *world) state() string {
	if runtime.GOOS == "windows" {
		return filepath.Join(w.home, "AppData", "Local", "agents-hooks")
	}
	return filepath.Join(w.home, ".local", "state", "agents-hooks")
}

func (w *world) data() string {
	if runtime.GOOS == "windows" {
		return filepath.Join(w.state(), "data")
	}
	return filepath.Join(w.home, ".local", "share", "agents-hooks")
}

func (w *world) settings() string     { return filepath.Join(w.config(), "hooks.toml") }
func (w *world) userHooks() string    { return filepath.Join(w.config(), "hooks") }
func (w *world) projectHooks() string { return filepath.Join(w.project, ".agents", "hooks") }

// hook writes a hook folder: front matter lines beside name and description,
// and a sh script.
func (w *world) hook(dir, name, front, script string) {
	w.t.Helper()
	w.file(filepath.Join(dir, name, "HOOK.md"), fmt.Sprintf("---\nname: %s\ndescription: test\n%s\n---\n", name, front), 0o644)
	w.file(filepath.Join(dir, name, "scripts", "run"), "#!/bin/sh\n"+script+"\n", 0o755)
}

func (w *world) file(path, text string, mode os.FileMode) {
	w.t.Helper()
	must.Do(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(w.t, os.WriteFile(path, []byte(text), mode))
}

type ended struct {
	exit           int
	stdout, stderr string
	took           time.Duration
}

// command is the dispatcher as a process, not yet started.
func (w *world) command(args []string, stdin io.Reader) *exec.Cmd {
	program := dispatcher
	if w.role != "run" {
		program = testBinary
	}
	cmd := exec.Command(program, append([]string{"run", "--home=" + w.home}, args...)...)
	cmd.Dir = w.project
	cmd.Stdin = stdin
	cmd.Env = append([]string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "DISPATCH_TEST_ROLE=" + w.role}, w.env...)
	if runtime.GOOS == "windows" {
		cmd.Env = append(cmd.Env, "USERPROFILE="+w.home, "SystemRoot="+os.Getenv("SystemRoot"))
	}
	return cmd
}

func (w *world) run(stdin string, args ...string) ended {
	w.t.Helper()
	return w.finish(w.command(args, strings.NewReader(stdin)))
}

func (w *world) finish(cmd *exec.Cmd) ended {
	w.t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	return ended{cmd.ProcessState.ExitCode(), out.String(), errs.String(), time.Since(start)}
}

// log is the text of the run log.
func (w *world) log() string {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.state(), "log", "*.jsonl"))
	must.Do(w.t, err)
	var all strings.Builder
	for _, f := range files {
		all.Write([]byte(must.Read(w.t, f)))
	}
	return all.String()
}

func (w *world) claude(event string, fields string) string {
	return fmt.Sprintf(`{"session_id":"s-1","transcript_path":"/t.jsonl","cwd":%q,"prompt_id":"p","permission_mode":"default","hook_event_name":%q%s}`, w.project, event, fields)
}

func (w *world) specEvent(event string, fields string) string {
	return fmt.Sprintf(`{"event_type":%q,"timestamp":"2026-11-21T00:00:00.000Z","session_id":"s-1","work_dir":%q,"context":{}%s}`, event, w.project, fields)
}

const bash = `,"tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_1"`
const shell = `,"tool_name":"Shell","tool_input":{"command":"ls"},"tool_use_id":"t1"`

func has(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s has no %q:\n%s", what, p, text)
		}
	}
}

func hasNot(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("%s has %q:\n%s", what, p, text)
		}
	}
}
