package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// files are three hook folders, the payloads of a captured session, and session.json, which has
// the order in which they are played and the expected result of each.
//
//go:embed demo
var files embed.FS

// asyncWait is how long to wait for what should take milliseconds.
const asyncWait = 20 * time.Second

// A machine is a temporary home that has only the three hooks and an empty project.
type machine struct {
	host   host.Host // the real one
	script script
	root   string
	home   string
	dir    string // the project
	state  string
	seen   map[string]bool  // ids of log lines
	async  []runner.LogLine // of async hooks, which may come at any time
}

// newMachine sets up a machine: all files before the first process.
func newMachine(h host.Host) (*machine, error) {
	root, err := os.MkdirTemp("", "agents-hooks-demo-")
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	m := &machine{
		host: h, root: root, home: filepath.Join(root, "home"), dir: filepath.Join(root, "project"),
		state: filepath.Join(root, "home", ".local", "state", "agents-hooks"), seen: map[string]bool{},
	}
	b, err := files.ReadFile("demo/session.json")
	if err == nil {
		err = json.Unmarshal(b, &m.script)
	}
	if err == nil {
		err = os.MkdirAll(m.dir, 0o700)
	}
	if err == nil {
		err = m.writeHooks()
	}
	if err != nil {
		os.RemoveAll(root)
		return nil, err
	}
	return m, nil
}

func (m *machine) config() string { return filepath.Join(m.home, ".config", "agents") }

// writeHooks writes the hook folders. Their scripts need no program but cat, so that they run
// where there is no sh.
func (m *machine) writeHooks() error {
	return fs.WalkDir(files, "demo/hooks", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(m.config(), filepath.FromSlash(strings.TrimPrefix(path, "demo/")))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		mode := fs.FileMode(0o600)
		if strings.Contains(path, "/scripts/") {
			mode = 0o700
		}
		return os.WriteFile(to, b, mode)
	})
}

// play gives one event to a process of this program, as its agent would.
func (m *machine) play(s step) result {
	r := result{Agent: s.Agent, Native: s.Payload, Log: []json.RawMessage{}, Problems: []string{}, step: s}
	payload, err := m.payload(s)
	if err != nil {
		r.problem("the payload cannot be read: %v", err)
		return r
	}
	cmd := exec.Command(m.host.Self, append([]string{"run", "--agent=" + s.Agent}, m.entry()...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = m.dir, m.env(), bytes.NewReader(payload)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err = cmd.Run()
	r.took = time.Since(start)
	r.DurationMS = float64(r.took.Microseconds()) / 1000
	r.Stdout, r.Stderr = stdout.String(), stderr.String()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.problem("the program cannot be started: %v", err)
		return r
	}
	r.Exit = cmd.ProcessState.ExitCode()
	r.lines = m.newLines()
	for _, l := range r.lines {
		r.Log = append(r.Log, l.Append(nil))
	}
	r.check()
	return r
}

// entry are the arguments in an agent's entry on the temporary machine.
func (m *machine) entry() []string {
	return host.New(m.env(), m.host.GOOS, m.dir, m.host.Self, m.host.Now).At(host.Entry{Config: m.config(), State: m.state}).Entry().Args()
}

// payload is a captured payload, with the paths of the temporary machine.
func (m *machine) payload(s step) ([]byte, error) {
	b, err := files.ReadFile("demo/payloads/" + s.Agent + "/" + s.Payload + ".json")
	if err != nil {
		return nil, err
	}
	text := string(b)
	for _, moved := range [][2]string{{m.script.Project, m.dir}, {m.script.Home, m.home}} {
		inJSON := string(protocol.Quote(moved[1]))
		text = strings.ReplaceAll(text, moved[0], inJSON[1:len(inJSON)-1])
	}
	o, err := protocol.ParseObject([]byte(text))
	if err != nil {
		return nil, err
	}
	if s.Command != "" {
		input := o.Sub("tool_input")
		input.SetText("command", s.Command)
		o.Set("tool_input", input.Raw())
	}
	o.PutText("tool_use_id", s.ID)
	return o.Append(nil), nil
}

// env is the environment of the temporary machine, without anything from the real home.
func (m *machine) env() []string {
	moved := map[string]string{
		"HOME": m.home, "USERPROFILE": m.home,
		"APPDATA": filepath.Join(m.home, "AppData", "Roaming"), "LOCALAPPDATA": filepath.Join(m.home, "AppData", "Local"),
		"XDG_CONFIG_DIRS": filepath.Join(m.root, "etc"),
	}
	var env []string
	for _, kv := range m.host.Env {
		name, _, _ := strings.Cut(kv, "=")
		upper := strings.ToUpper(name)
		_, ours := moved[upper]
		if ours || strings.HasPrefix(upper, "XDG_") || strings.HasPrefix(upper, "AGENTS_HOOKS_") {
			continue
		}
		env = append(env, kv)
	}
	for name, value := range moved {
		env = append(env, name+"="+value)
	}
	return env
}

// newLines are the run log's new lines since the last call. Lines of async hooks are kept
// separately.
func (m *machine) newLines() []runner.LogLine {
	var lines []runner.LogLine
	for l, err := range runlog.Lines(m.state, runlog.Filter{}) {
		switch {
		case err != nil || m.seen[l.ID]:
			continue
		case l.Ref != "":
			m.async = append(m.async, l)
		default:
			lines = append(lines, l)
		}
		m.seen[l.ID] = true
	}
	return lines
}

// wrote waits for the async hook, if it was started, and returns what it wrote.
func (m *machine) wrote(steps []result) (text, problem string) {
	async := func(l runner.LogLine) bool { return len(l.Async) > 0 }
	if !slices.ContainsFunc(steps, func(r result) bool { return slices.ContainsFunc(r.lines, async) }) {
		return "", "no async hook was started"
	}
	path := filepath.Join(m.home, "calls.log")
	for end := time.Now().Add(asyncWait); ; time.Sleep(5 * time.Millisecond) {
		b, err := os.ReadFile(path)
		if text = strings.TrimSpace(string(b)); err == nil && strings.HasSuffix(string(b), "\n") && len(runner.LiveAsync(m.state)) == 0 {
			break
		}
		if time.Now().After(end) {
			return text, fmt.Sprintf("the async hook wrote nothing within %s", asyncWait)
		}
	}
	m.newLines()
	if text != m.script.Wrote {
		problem = fmt.Sprintf("the async hook wrote %q, want %q", text, m.script.Wrote)
	}
	return text, problem
}
