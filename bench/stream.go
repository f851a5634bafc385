package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// streamed is how many events the measured stream has.
const streamed = 500

// streamGoal measures G28: the CPU time of an event without a due hook in a stream,
// compared with a process for it. Both use the format's own form.
func streamGoal(l *lab, rounds int) ([]goal, []*command, error) {
	var goals []goal
	for _, n := range []int{0, 10, 100} { // each hook is checked again, so that changes are noticed
		s, err := l.newSite(fmt.Sprintf("stream-%d", n), n, false, script)
		if err != nil {
			return nil, nil, err
		}
		event := fmt.Appendf(nil, `{"event_type": "pre-tool-call", "session_id": "s", "work_dir": %q, "tool_name": "Shell", "tool_input": {"command": "ls -la"}}`+"\n", s.project)
		var both [2]*command
		for i, c := range []struct {
			name  string
			times int
			args  []string
		}{{"one", 1, nil}, {"many", streamed, []string{"--stream"}}} {
			file := filepath.Join(l.dir, fmt.Sprintf("stream-%d-%s.json", n, c.name))
			if err := os.WriteFile(file, bytes.Repeat(event, c.times), 0o644); err != nil {
				return nil, nil, err
			}
			both[i] = &command{name: c.name, argv: append([]string{l.lean, "run"}, c.args...), stdin: file, env: l.env(s), dir: s.project}
		}
		share, err := shareOf(both[1], both[0], rounds/2)
		if err != nil {
			return nil, nil, err
		}
		goals = append(goals, goal{id: "G28", what: fmt.Sprintf("an event in a stream, none of %d matches", n), unit: "× CPU of a process", must: 0.15, stretch: 0.12, value: share})
	}
	return goals, nil, nil
}

// shareOf is the CPU time of one event in a stream as a share of that of a process for
// it: the median of the rounds.
func shareOf(stream, process *command, rounds int) (float64, error) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer null.Close()
	var shares []float64
	for range max(rounds, 5) {
		var took [2]time.Duration
		for i, c := range []*command{stream, process} {
			times := 1 + 9*i // a single process is too short for the clock
			for range times {
				_, state, err := c.run(null)
				if err != nil {
					return 0, err
				}
				took[i] += (state.UserTime() + state.SystemTime()) / time.Duration(times)
			}
		}
		shares = append(shares, float64(took[0])/streamed/float64(took[1]))
	}
	return median(shares), nil
}
