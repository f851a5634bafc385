package main

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

//go:embed peers/dispatch.py peers/dispatch.mjs
var dispatchers embed.FS

// A peer is another way to run something at an event: somebody else's program, with one
// trivial job, or a dispatcher written as a script, with the same hooks.
type peer struct {
	id, name, what string
	must, stretch  float64
	make           func(l *lab, s *site) (*command, error) // missing as an error: not installed
}

// missing says why a peer cannot be measured.
type missing string

func (m missing) Error() string { return string(m) }

var peers = []peer{
	{"G11", "lefthook", "lefthook with one trivial job", 0.40, 0.25, func(l *lab, _ *site) (*command, error) {
		return l.gitHooks("lefthook", "lefthook.yml", "trivial:\n  jobs:\n    - run: \"true\"\n", "run", "trivial")
	}},
	{"G12", "pre-commit", "pre-commit with one trivial job", 0.06, 0.035, func(l *lab, _ *site) (*command, error) {
		return l.gitHooks("pre-commit", ".pre-commit-config.yaml", "repos:\n- repo: local\n  hooks:\n  - {id: x, name: x, entry: \"true\", language: system, always_run: true, pass_filenames: false}\n", "run", "--all-files")
	}},
	{"G29", "python3", "a dispatcher in Python, the same 100 hooks", 0.30, 0.15, func(l *lab, s *site) (*command, error) { return l.scripted("python3", "dispatch.py", s) }},
	{"G29", "node", "a dispatcher for Node, the same 100 hooks", 0.20, 0.10, func(l *lab, s *site) (*command, error) { return l.scripted("node", "dispatch.mjs", s) }},
}

// peerGoals measures G11, G12 and G29, each peer in turn with us.
func peerGoals(l *lab, rounds int) ([]goal, []*command, error) {
	s, err := l.newSite("peers", 100, true, script)
	if err != nil {
		return nil, nil, err
	}
	ours := l.through("sh hook through us, 100 installed", s)
	var goals []goal
	var all []*command
	for _, p := range peers {
		g := goal{id: p.id, what: "against " + p.what, unit: "× peer", must: p.must, stretch: p.stretch, shown: true}
		c, err := p.make(l, s)
		if not, ok := errors.AsType[missing](err); ok {
			g.skipped = not.Error()
			goals = append(goals, g)
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p.name, err)
		}
		ours.times = nil
		if err := measure([]*command{ours, c}, 2, max(rounds/3, 5)); err != nil {
			return nil, nil, err
		}
		g.value = ratio(ours, c)
		goals, all = append(goals, g), append(all, c)
	}
	return goals, all, nil
}

// scripted is a dispatcher written as a script, for the hooks of a site.
func (l *lab) scripted(name, file string, s *site) (*command, error) {
	path, err := interpreter(name)
	if err != nil {
		return nil, missing(name + " is not here")
	}
	text, err := dispatchers.ReadFile("peers/" + file)
	if err != nil {
		return nil, err
	}
	to := filepath.Join(l.dir, file)
	if err := os.WriteFile(to, text, 0o644); err != nil {
		return nil, err
	}
	return &command{name: "dispatcher of " + name + ", 1 of 100", argv: []string{path, to}, stdin: s.event, env: l.env(s), dir: s.project}, nil
}

// gitHooks is a program for git hooks, in a repository of its own.
func (l *lab) gitHooks(name, file, config string, args ...string) (*command, error) {
	path, err := exec.LookPath(name)
	if err != nil && l.get {
		path, err = l.fetch(name)
	}
	if err != nil {
		return nil, missing(name + " is not installed")
	}
	dir := filepath.Join(l.dir, "peer-"+name)
	if err := repository(dir, file, config); err != nil {
		return nil, err
	}
	return &command{name: name, argv: append([]string{path}, args...), stdin: os.DevNull, dir: dir, env: os.Environ()}, nil
}

// fetch installs a missing peer: lefthook from npm into the lab, the program itself
// without the script in front of it; pre-commit from Debian.
func (l *lab) fetch(name string) (string, error) {
	if name == "pre-commit" {
		cmd := exec.Command("apt-get", "install", "-qq", "-y", "--no-install-recommends", name)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if err := cmd.Run(); err != nil {
			return "", err
		}
		return exec.LookPath(name)
	}
	if err := exec.Command("npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", l.dir, "lefthook@2.0.4").Run(); err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(l.dir, "node_modules", "lefthook-*", "bin", "lefthook*"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("what npm installed of lefthook has %d programs (%v)", len(found), err)
	}
	return found[0], nil
}

// runPeers prints the table in docs/performance.md, and may write it there.
func runPeers(rounds int, write bool) (missed int, err error) {
	l, err := newLab()
	if err != nil {
		return 0, err
	}
	defer l.remove()
	l.get = true
	goals, commands, err := peerGoals(l, rounds)
	if err != nil {
		return 0, err
	}
	m, err := lastMeasured()
	if err != nil {
		return 0, err
	}
	m.Peers = nil
	for i, g := range goals {
		if g.skipped != "" {
			fmt.Fprintln(os.Stderr, "bench:", g.skipped)
			continue
		}
		m.Peers = append(m.Peers, beside{peers[i].what, short(milliseconds(commands[0])), short(g.value)})
		commands = commands[1:]
	}
	fmt.Print(m.peerTable())
	if !write {
		return 0, nil
	}
	return 0, m.write()
}

func repository(dir, file, text string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "commit", "-q", "-m", "one"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return nil
}

// budgetGoal measures G21: an expression that never ends on this input, compared with
// the time limit for a hook's matcher.
func budgetGoal(l *lab, rounds int) ([]goal, []*command, error) {
	const budget = 100 * time.Millisecond
	quiet, err := l.newSite("budget-none", 1, false, script)
	if err != nil {
		return nil, nil, err
	}
	s, err := l.newSite("budget", 1, true, script)
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(filepath.Dir(filepath.Dir(s.hook)), "HOOK.md")
	s.tool = strings.Repeat("a", 48) + "!"
	if err := replaceIn(file, "  tool: Shell|Bash\n", "  tool: Shell|Bash\n  pattern: '^(a+)+$'\n"); err != nil {
		return nil, nil, err
	}
	none, one := l.through("no match", quiet), l.through("a match that never ends", s)
	if err := measure([]*command{none, one}, 1, max(rounds/6, 5)); err != nil {
		return nil, nil, err
	}
	value := (milliseconds(one) - milliseconds(none)) / (float64(budget) / float64(time.Millisecond))
	return []goal{{id: "G21", what: "an expression that never ends, time to verdict", unit: "× its budget", must: 1.3, stretch: 1.05, value: value}},
		[]*command{one}, nil
}

// sizeGoals measures G22: the memory of one event with 100 hooks, and the sizes of the
// programs that install writes.
func sizeGoals(l *lab) ([]goal, error) {
	s, err := l.newSite("size", 100, true, script)
	if err != nil {
		return nil, err
	}
	c := l.through("one event", s)
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	var peak []float64
	for range 9 {
		mib, ok, err := c.peak(null)
		if err != nil {
			return nil, err
		}
		if ok {
			peak = append(peak, mib)
		}
	}
	memory := goal{id: "G22", what: "peak memory, 100 installed", unit: "MiB", must: 7.8, stretch: 6.5}
	if len(peak) == 0 {
		memory.skipped = "not known on this system"
	} else {
		memory.value = median(peak)
	}
	dispatcher := goal{id: "G22", what: "size of agents-hooks-run", unit: "MB", must: 10.9, stretch: 6.3, exact: true}
	whole := goal{id: "G22", what: "size of agents-hooks", unit: "MB", must: 36.5, stretch: 20, exact: true}
	for path, g := range map[string]*goal{s.entry[0]: &dispatcher, l.bin: &whole} {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		g.value = float64(info.Size()) / 1e6
		if runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
			g.skipped = "the goal is for linux/amd64"
		}
	}
	return []goal{memory, dispatcher, whole}, nil
}
