package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A goal is one line of the table: a measured value that must not exceed must. Values
// are ratios unless the unit says otherwise.
type goal struct {
	id, what, unit string
	must, stretch  float64
	value          float64
	skipped        string // why it could not be measured
	shown          bool   // against other people's programs, whose speed is not ours to guarantee
	exact          bool   // without noise: a busy machine is no excuse
}

func (g goal) missed(headroom float64) bool {
	if g.exact {
		headroom = 1
	}
	return g.skipped == "" && !g.shown && g.value > g.must*headroom
}

// dispatchGoals measures G1 to G9: homes of several sizes, with and without a match.
func dispatchGoals(l *lab, rounds int) ([]goal, []*command, error) {
	empty := &command{name: "empty Go program", argv: []string{l.empty}, stdin: os.DevNull}
	var all []*command
	add := func(c *command) *command { all = append(all, c); return c }
	add(empty)
	matching := map[int]*command{}
	silent := map[int]*command{}
	var direct, naive, least, inC *command
	for _, n := range []int{0, 1, 10, 100, 1000} {
		if n > 0 {
			s, err := l.newSite(fmt.Sprintf("match-%d", n), n, true, script)
			if err != nil {
				return nil, nil, err
			}
			if n == 1 {
				direct = add(l.direct("the sh hook itself", s))
			}
			matching[n] = add(l.through(fmt.Sprintf("1 of %d hooks matches", n), s))
			if n == 100 {
				naive = add(&command{name: "naive dispatcher, 1 of 100", argv: []string{l.naive}, stdin: s.event, env: l.env(s), dir: s.project})
			}
		}
		s, err := l.newSite(fmt.Sprintf("silent-%d", n), n, false, script)
		if err != nil {
			return nil, nil, err
		}
		silent[n] = add(l.through(fmt.Sprintf("none of %d hooks matches", n), s))
		if n == 1 {
			least = add(l.least("a Go program that reads the event and looks at a folder", l.floor, s))
			if l.inC != "" {
				inC = add(l.least("a C program that does", l.inC, s))
			}
		}
	}
	if err := measure(all, 5, rounds); err != nil {
		return nil, nil, err
	}
	floors := []goal{{id: "G30", what: "a Go program that reads the event and looks at a folder", unit: "× E", value: ratio(least, empty), shown: true}}
	if inC != nil {
		floors = append(floors, goal{id: "G31", what: "a C program that reads the event and looks at a folder", unit: "× E", value: ratio(inC, empty), shown: true})
	}
	return append(floors, []goal{
		{id: "G1", what: "1 hook installed, it matches", unit: "× D", must: 4.4, stretch: 3.5, value: ratio(matching[1], direct)},
		{id: "G2", what: "10 installed, 1 matches", unit: "× D", must: 4.4, stretch: 3.8, value: ratio(matching[10], direct)},
		{id: "G3", what: "100 installed, 1 matches", unit: "× D", must: 4.9, stretch: 4.2, value: ratio(matching[100], direct)},
		{id: "G4", what: "1,000 installed, 1 matches", unit: "× D", must: 6.7, stretch: 5, value: ratio(matching[1000], direct)},
		{id: "G5", what: "no hook at all", unit: "× E", must: 1.8, stretch: 1.5, value: ratio(silent[0], empty)},
		{id: "G5", what: "none of 10 matches", unit: "× E", must: 2.1, stretch: 1.5, value: ratio(silent[10], empty)},
		{id: "G6", what: "none of 100 matches", unit: "× E", must: 2.3, stretch: 1.7, value: ratio(silent[100], empty)},
		{id: "G7", what: "none of 1,000 matches", unit: "× E", must: 3.6, stretch: 2.5, value: ratio(silent[1000], empty)},
		{id: "G8", what: "each further hook that does not match", unit: "% of D", must: 0.19, stretch: 0.1, value: 100 * gap(silent[1000], silent[10], direct) / 990},
		{id: "G9", what: "the same through a naive dispatcher, 100 installed", unit: "× naive", must: 0.55, stretch: 0.4, value: ratio(matching[100], naive)},
	}...), all, nil
}

// interpreterGoals measures G10 and G15: against hooks in python and node.
func interpreterGoals(l *lab, rounds int) ([]goal, []*command, error) {
	sh, err := l.newSite("versus", 100, true, script)
	if err != nil {
		return nil, nil, err
	}
	ours := l.through("sh hook through us, 100 installed", sh)
	all := []*command{ours}
	var goals []goal
	for _, in := range []struct {
		name, body        string
		must10, stretch10 float64
		must15, stretch15 float64
	}{
		{"python3", "#!%s\nimport json, sys\njson.load(sys.stdin)\nprint('{\"decision\": \"allow\"}')\n", 0.35, 0.22, 1.20, 1.13},
		{"node", "#!%s\nJSON.parse(require('fs').readFileSync(0, 'utf8'))\nconsole.log('{\"decision\": \"allow\"}')\n", 0.10, 0.06, 1.06, 1.04},
	} {
		path, err := interpreter(in.name)
		if err != nil {
			goals = append(goals,
				goal{id: "G10", what: "sh through us against one " + in.name + " hook", unit: "× direct", must: in.must10, stretch: in.stretch10, skipped: in.name + " is not here"},
				goal{id: "G15", what: "a " + in.name + " hook through us", unit: "× direct", must: in.must15, stretch: in.stretch15, skipped: in.name + " is not here"})
			continue
		}
		s, err := l.newSite(in.name, 1, true, fmt.Sprintf(in.body, path))
		if err != nil {
			return nil, nil, err
		}
		direct, through := l.direct(in.name+" hook itself", s), l.through(in.name+" hook through us", s)
		if err := measure([]*command{ours, direct, through}, 3, rounds/2); err != nil {
			return nil, nil, err
		}
		goals = append(goals,
			goal{id: "G10", what: "sh through us (100 installed) against one " + in.name + " hook", unit: "× direct", must: in.must10, stretch: in.stretch10, value: ratio(ours, direct), shown: true},
			goal{id: "G15", what: "a " + in.name + " hook through us", unit: "× direct", must: in.must15, stretch: in.stretch15, value: ratio(through, direct), shown: true})
		all = append(all, direct, through)
		ours.times = nil
	}
	return goals, all[1:], nil
}

// interpreter is the program itself, not a version manager's shim, which would be
// measured instead (performance.md 1).
func interpreter(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	print := map[string][]string{
		"python3": {"-c", "import sys; print(sys.executable)"},
		"node":    {"-p", "process.execPath"},
	}[name]
	out, err := exec.Command(path, print...).Output()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(strings.TrimSpace(string(out)))
}

// asyncGoal measures G16: the cost of an async hook for the agent.
func asyncGoal(l *lab, rounds int) ([]goal, []*command, error) {
	quiet, err := l.newSite("async-none", 10, false, script)
	if err != nil {
		return nil, nil, err
	}
	s, err := l.newSite("async-one", 10, true, script)
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(filepath.Dir(filepath.Dir(s.hook)), "HOOK.md")
	if err := replaceIn(file, "async: false", "async: true"); err != nil {
		return nil, nil, err
	}
	none, one := l.through("10 hooks, none matches", quiet), l.through("10 hooks, an async one matches", s)
	one.pause = 20 * time.Millisecond
	if err := measure([]*command{none, one}, 5, rounds); err != nil {
		return nil, nil, err
	}
	return []goal{{id: "G16", what: "an async hook, time to return", unit: "× no match", must: 1.5, stretch: 1.25, value: ratio(one, none)}},
		[]*command{none, one}, nil
}

// sandboxGoal measures G27: what a sandbox adds to one hook.
func sandboxGoal(l *lab, rounds int) ([]goal, []*command, error) {
	g := goal{id: "G27", what: "an event with a sh hook in a sandbox", unit: "× without", must: 1.2, stretch: 1.1}
	if runtime.GOOS != "linux" {
		g.skipped = "there is no sandbox here"
		return []goal{g}, nil, nil
	}
	var both [2]*command
	for i, mode := range []string{"off", "all"} {
		s, err := l.newSite("sandbox-"+mode, 1, true, script)
		if err != nil {
			return nil, nil, err
		}
		settings := fmt.Sprintf("[trust]\nsandbox = %q\n", mode)
		if err := os.WriteFile(filepath.Join(s.home, ".config", "agents", "hooks.toml"), []byte(settings), 0o644); err != nil {
			return nil, nil, err
		}
		both[i] = l.through("a sh hook, sandbox "+mode, s)
	}
	if err := measure(both[:], 5, rounds); err != nil {
		return nil, nil, err
	}
	g.value = ratio(both[1], both[0])
	return []goal{g}, both[:], nil
}
