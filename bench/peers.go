package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// peerGoals measures G11 and G12 against other people's runners, where they are
// installed, each with its one trivial job.
func peerGoals(l *lab, rounds int) ([]goal, []*command, error) {
	s, err := l.newSite("peers", 100, true, script)
	if err != nil {
		return nil, nil, err
	}
	ours := l.through("sh hook through us, 100 installed", s)
	var goals []goal
	var all []*command
	for _, peer := range []struct {
		id, name, file, config string
		args                   []string
		must, stretch          float64
	}{
		{"G11", "lefthook", "lefthook.yml", "trivial:\n  jobs:\n    - run: \"true\"\n", []string{"run", "trivial"}, 0.40, 0.25},
		{"G12", "pre-commit", ".pre-commit-config.yaml", "repos:\n- repo: local\n  hooks:\n  - {id: x, name: x, entry: \"true\", language: system, always_run: true, pass_filenames: false}\n", []string{"run", "--all-files"}, 0.06, 0.035},
	} {
		g := goal{id: peer.id, what: "against " + peer.name + " with one trivial job", unit: "× peer", must: peer.must, stretch: peer.stretch, shown: true}
		path, err := exec.LookPath(peer.name)
		if err != nil {
			g.skipped = peer.name + " is not installed"
			goals = append(goals, g)
			continue
		}
		dir := filepath.Join(l.dir, "peer-"+peer.name)
		if err := repository(dir, peer.file, peer.config); err != nil {
			return nil, nil, err
		}
		c := &command{name: peer.name, argv: append([]string{path}, peer.args...), stdin: os.DevNull, dir: dir, env: os.Environ()}
		ours.times = nil
		if err := measure([]*command{ours, c}, 2, rounds/3); err != nil {
			return nil, nil, err
		}
		g.value = ratio(ours, c)
		goals, all = append(goals, g), append(all, c)
	}
	return goals, all, nil
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

// budgetGoal measures G21: an expression that never ends on this input, against
// the time that a hook's matcher may take.
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

// sizeGoals measures G22: memory of one event at 100 hooks, sizes of the programs
// that install writes.
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
	memory := goal{id: "G22", what: "peak memory, 100 installed", unit: "MiB", must: 10, stretch: 7}
	if len(peak) == 0 {
		memory.skipped = "not known on this system"
	} else {
		memory.value = median(peak)
	}
	dispatcher := goal{id: "G22", what: "size of agents-hooks-run", unit: "MB", must: 9.1, stretch: 6.3, exact: true}
	whole := goal{id: "G22", what: "size of agents-hooks", unit: "MB", must: 31, stretch: 20, exact: true}
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
