package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/builttest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// suiteRole is the variable that makes this test binary a runner: one event on stdin,
// asked about by this package, and answered as a process answers.
const suiteRole = "HOOKS_TEST_RUN"

// agentRole is the variable that makes this test binary an agent which asks one event of
// the program that it names, and would go on.
const agentRole = "HOOKS_TEST_AGENT"

func askForEver() int {
	h, err := New(Options{Program: []string{os.Getenv(agentRole), "run", "--stream"}})
	if err != nil {
		return 99
	}
	_, _ = h.Session("").Dispatch(context.Background(), PreToolCall("1", "Shell", map[string]string{}))
	select {}
}

// built is where the program that agents start was built.
var built string

func TestMain(m *testing.M) {
	if os.Getenv(suiteRole) != "" {
		os.Exit(runOnce())
	}
	if runtime.GOOS == "windows" {
		os.Exit(0) // the hooks of these tests are scripts of sh
	}
	if os.Getenv(agentRole) != "" {
		os.Exit(askForEver())
	}
	var err error
	if built, err = os.MkdirTemp("", "hooks-built"); err == nil {
		err = builttest.Programs(built, "cmd/agents-hooks-run")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(built)
	os.Exit(code)
}

// runOnce asks about the event on stdin in this process.
func runOnce() int {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 99
	}
	h, err := New(Options{Dispatcher: os.Getenv(suiteRole)})
	if err != nil {
		return 99
	}
	payload, err := protocol.ParseObject(text)
	if err != nil {
		return 99
	}
	o, err := h.engine.ask(context.Background(), payload)
	for _, w := range o.Warnings {
		line := "agents-hooks: "
		if w.Hook != "" {
			line += "hook " + w.Hook + ": "
		}
		fmt.Fprintln(os.Stderr, line+strings.ReplaceAll(w.Text, "\n", " "))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "agents-hooks:", err)
		if e, ok := errors.AsType[*Error](err); ok && e.Kind == "event" {
			return 0
		}
		return 1
	}
	if o.Blocked() {
		fmt.Fprintln(os.Stderr, strings.TrimRight(o.Reason, "\n"))
		return 2
	}
	out, _ := json.Marshal(o)
	if said, _ := protocol.ParseObject(out); len(said) > 0 {
		fmt.Println(string(said.Append(nil)))
	}
	return 0
}

// A person is somebody with hooks of their own.
type person struct {
	t    *testing.T
	home string
}

func newPerson(t *testing.T) *person {
	home, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	return &person{t, home}
}

func (p *person) hook(name, front, script string) {
	p.t.Helper()
	dir := filepath.Join(p.home, ".config", "agents", "hooks", name)
	must.Do(p.t, os.MkdirAll(filepath.Join(dir, "scripts"), 0o755))
	for file, text := range map[string]string{
		"HOOK.md":     "---\nname: " + name + "\ndescription: d.\n" + front + "\n---\n",
		"scripts/run": "#!/bin/sh\n" + script + "\n",
	} {
		must.Script(p.t, filepath.Join(dir, file), text)
	}
}

func (p *person) env() []string {
	return []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "XDG_CONFIG_DIRS=" + p.home}
}

// ways are the two ways to ask: in this process, and by a program.
func ways(t *testing.T, test func(t *testing.T, p *person, with func(Options) *Session)) {
	for name, program := range map[string][]string{
		"inside":  nil,
		"program": {filepath.Join(built, "agents-hooks-run"), "run", "--stream"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPerson(t)
			test(t, p, func(o Options) *Session {
				o.Env, o.Program, o.WorkDir = p.env(), program, p.home
				o.Dispatcher = filepath.Join(built, "agents-hooks-run")
				h, err := New(o)
				must.Do(t, err)
				t.Cleanup(func() { _ = h.Close() })
				return h.Session("s")
			})
		})
	}
}
