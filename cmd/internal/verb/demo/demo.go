// Package demo is the demo command: a captured session, three hooks, and what each
// agent is told, in a folder that is thrown away.
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

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// demoFiles are three hook folders, the payloads of a captured session, and
// session.json, which says in which order they are played and what has to come
// of each.
//
//go:embed demo
var demoFiles embed.FS

// demoWait bounds the waiting for what should come in milliseconds.
const demoWait = 20 * time.Second

func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "play a captured session of an agent, with three hooks",
		Description: "Everything happens in a temporary folder. The events are those that a real\n" +
			"agent sent; each is given to a process of this very program, as the agent\n" +
			"would, and what that process answers is shown. The demo checks itself: it\n" +
			"exits with 1 if something did not go as it should.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "keep", Usage: "leave the temporary folder behind"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return demo(sh, c) },
	}
}

// A demoScript is session.json.
type demoScript struct {
	Home    string     `json:"home"`    // in the payloads, to be replaced
	Project string     `json:"project"` // in the payloads, to be replaced
	Wrote   string     `json:"wrote"`   // by the async hook
	Steps   []demoStep `json:"steps"`
	Others  []demoStep `json:"others"` // the blocked call, as other agents send it
}

// A demoStep is one event: the payload, what is put into it, and what has to
// come of it.
type demoStep struct {
	Agent   string `json:"agent"`
	Payload string `json:"payload"`
	Command string `json:"command"` // in place of the captured one
	ID      string `json:"id"`      // of the tool call, in place of the captured one
	Says    string `json:"says"`

	Decision string   `json:"decision"`
	Hook     string   `json:"hook"`
	Result   string   `json:"result"`
	Async    string   `json:"async"`
	Told     []string `json:"told"` // parts of the answer; none: no opinion
}

// A demoResult is what came of a step. Its JSON form is stable.
type demoResult struct {
	Agent      string            `json:"agent"`
	Native     string            `json:"native"`
	DurationMS float64           `json:"duration_ms"`
	Exit       int               `json:"exit"`
	Stdout     string            `json:"stdout"`
	Stderr     string            `json:"stderr"`
	Log        []json.RawMessage `json:"log"` // the lines of the run log
	Problems   []string          `json:"problems"`

	step  demoStep
	lines []runner.LogLine
	took  time.Duration
}

// A demoRun is one demo on its temporary machine.
type demoRun struct {
	*shell.Shell
	script demoScript
	root   string
	home   string
	dir    string // the project
	state  string
	seen   map[string]bool  // ids of log lines
	async  []runner.LogLine // of async hooks, which come when they come
}

func demo(sh *shell.Shell, c *cli.Context) error {
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	d, err := newDemo(sh)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	if !c.Bool("keep") {
		defer os.RemoveAll(d.root)
	}
	show := demoScreen{demoRun: d, silent: c.Bool("json")}
	show.opening()
	var steps, others []demoResult
	for _, s := range d.script.Steps {
		steps = append(steps, d.play(s))
		show.step(steps[len(steps)-1])
	}
	wrote, problem := d.wrote(steps)
	show.wrote(wrote)
	show.others()
	for _, s := range d.script.Others {
		others = append(others, d.play(s))
		show.other(others[len(others)-1])
	}
	problems := []string{}
	if problem != "" {
		problems = append(problems, problem)
	}
	for _, r := range append(append([]demoResult{}, steps...), others...) {
		for _, p := range r.Problems {
			problems = append(problems, r.Agent+" "+r.Native+": "+p)
		}
	}
	if show.silent {
		err = sh.JSON(map[string]any{"schema": 1, "ok": len(problems) == 0, "problems": problems, "dir": d.root, "steps": steps, "others": others, "async_wrote": wrote})
	} else {
		show.closing(problems, c.Bool("keep"))
	}
	if err == nil && len(problems) > 0 {
		for _, p := range problems {
			sh.Say("demo: %s", p)
		}
		err = shell.ErrReported
	}
	return err
}

// newDemo lays out the temporary machine: all files before the first process.
func newDemo(sh *shell.Shell) (*demoRun, error) {
	root, err := os.MkdirTemp("", "agents-hooks-demo-")
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	d := &demoRun{
		Shell: sh, root: root, home: filepath.Join(root, "home"), dir: filepath.Join(root, "project"),
		state: filepath.Join(root, "home", ".local", "state", "agents-hooks"), seen: map[string]bool{},
	}
	b, err := demoFiles.ReadFile("demo/session.json")
	if err == nil {
		err = json.Unmarshal(b, &d.script)
	}
	if err == nil {
		err = os.MkdirAll(d.dir, 0o700)
	}
	if err == nil {
		err = d.writeHooks()
	}
	if err != nil {
		os.RemoveAll(root)
		return nil, err
	}
	return d, nil
}

func (d *demoRun) config() string { return filepath.Join(d.home, ".config", "agents") }

// writeHooks writes the hook folders with the entries of this system only.
func (d *demoRun) writeHooks() error {
	return fs.WalkDir(demoFiles, "demo/hooks", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		windows := filepath.Ext(path) == ".ps1"
		if strings.Contains(path, "/scripts/") && windows != (d.Host.GOOS == "windows") {
			return nil
		}
		b, err := demoFiles.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(d.config(), filepath.FromSlash(strings.TrimPrefix(path, "demo/")))
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
func (d *demoRun) play(s demoStep) demoResult {
	r := demoResult{Agent: s.Agent, Native: s.Payload, Log: []json.RawMessage{}, Problems: []string{}, step: s}
	payload, err := d.payload(s)
	if err != nil {
		r.problem("the payload cannot be read: %v", err)
		return r
	}
	cmd := exec.Command(d.Host.Self, "run", "--agent="+s.Agent, "--config="+d.config(), "--state="+d.state)
	cmd.Dir, cmd.Env, cmd.Stdin = d.dir, d.env(), bytes.NewReader(payload)
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
	r.lines = d.newLines()
	for _, l := range r.lines {
		r.Log = append(r.Log, l.Append(nil))
	}
	r.check()
	return r
}

// payload is a captured payload, moved to the temporary machine.
func (d *demoRun) payload(s demoStep) ([]byte, error) {
	b, err := demoFiles.ReadFile("demo/payloads/" + s.Agent + "/" + s.Payload + ".json")
	if err != nil {
		return nil, err
	}
	text := string(b)
	for _, moved := range [][2]string{{d.script.Project, d.dir}, {d.script.Home, d.home}} {
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
	if s.ID != "" {
		o.SetText("tool_use_id", s.ID)
	}
	return o.Append(nil), nil
}

// env is the environment of the temporary machine: nothing of the real home.
func (d *demoRun) env() []string {
	moved := map[string]string{
		"HOME": d.home, "USERPROFILE": d.home,
		"APPDATA": filepath.Join(d.home, "AppData", "Roaming"), "LOCALAPPDATA": filepath.Join(d.home, "AppData", "Local"),
		"XDG_CONFIG_DIRS": filepath.Join(d.root, "etc"),
	}
	var env []string
	for _, kv := range d.Host.Env {
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

// newLines are the lines of events in the run log since the last time. Those of
// async hooks are put aside.
func (d *demoRun) newLines() []runner.LogLine {
	all, err := runner.ReadLog(d.state, runner.LogFilter{})
	if err != nil {
		return nil
	}
	var lines []runner.LogLine
	for _, l := range all {
		switch {
		case d.seen[l.ID]:
			continue
		case l.Ref != "":
			d.async = append(d.async, l)
		default:
			lines = append(lines, l)
		}
		d.seen[l.ID] = true
	}
	return lines
}

// check compares what came of a step with what should.
func (r *demoResult) check() {
	if r.Exit != 0 {
		r.problem("exit %d, want 0; stderr: %s", r.Exit, shell.FirstLine(r.Stderr))
	}
	for _, part := range r.step.Told {
		if !strings.Contains(r.Stdout, part) {
			r.problem("the agent was not told %q but %q", part, r.Stdout)
		}
	}
	if len(r.step.Told) == 0 && !r.noOpinion() {
		r.problem("want no opinion, the agent was told %q", r.Stdout)
	}
	if r.step.Decision == "" {
		return
	}
	if len(r.lines) == 0 {
		r.problem("no line in the run log")
		return
	}
	l := r.lines[0]
	if l.Decision != r.step.Decision {
		r.problem("decision %q, want %q", l.Decision, r.step.Decision)
	}
	if r.step.Async != "" && !slices.Contains(l.Async, r.step.Async) {
		r.problem("hook %s was not started", r.step.Async)
	}
	if r.step.Hook == "" {
		return
	}
	for _, h := range l.Hooks {
		if h.Name == r.step.Hook {
			if string(h.Result) != r.step.Result {
				r.problem("hook %s: %s, want %s: %s", h.Name, h.Result, r.step.Result, h.Warning)
			}
			return
		}
	}
	r.problem("hook %s did not run", r.step.Hook)
}

// noOpinion reports whether the answer is the agent's own form of saying
// nothing.
func (r *demoResult) noOpinion() bool {
	d, ok := agents.Lookup(r.Agent)
	return ok && strings.TrimSpace(r.Stdout) == strings.TrimSpace(string(d.NoOpinion(r.Native).Stdout))
}

func (r *demoResult) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// wrote waits for the async hook, which nobody else waits for, and returns what
// it wrote. One that was not started is not waited for.
func (d *demoRun) wrote(steps []demoResult) (text, problem string) {
	started := false
	for _, r := range steps {
		for _, l := range r.lines {
			started = started || len(l.Async) > 0
		}
	}
	if !started {
		return "", "no async hook was started"
	}
	path := filepath.Join(d.home, "calls.log")
	for end := time.Now().Add(demoWait); ; time.Sleep(5 * time.Millisecond) {
		b, err := os.ReadFile(path)
		if text = strings.TrimSpace(string(b)); err == nil && strings.HasSuffix(string(b), "\n") && len(runner.LiveAsync(d.state)) == 0 {
			break
		}
		if time.Now().After(end) {
			return text, fmt.Sprintf("the async hook wrote nothing within %s", demoWait)
		}
	}
	d.newLines()
	if text != d.script.Wrote {
		problem = fmt.Sprintf("the async hook wrote %q, want %q", text, d.script.Wrote)
	}
	return text, problem
}
