package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Goals of memory, in milliseconds from the start of a process to its end.
const (
	searchGoal = 30 // 95 of 100 searches among 20,000 memories
	saveGoal   = 15 // saving a fact, with 5,000 there
	loadGoal   = 60 // starting a session, with 5,000 there

	recallGoal = 4.5  // G17, times an empty Go program: a prompt with recall, with 1,000 there
	hotGoal    = 1.10 // G18, times the same without memory: a tool event
)

// A timing is one line of the table of memory.
type timing struct {
	what     string
	goal     float64 // for the 95th percentile; 0: none
	times    *timing // the goal is a multiple of this one's median
	wall, on []float64
}

// worth is the value compared with a goal: the 95th percentile or, if the goal is a
// ratio, the ratio of the medians of CPU time, which other processes change least.
func (t timing) worth() float64 {
	if t.times != nil {
		return at(t.on, 50) / at(t.times.on, 50)
	}
	return at(t.wall, 95)
}

// memoryTable measures memory as a command and as a hook: each time in a separate
// process, whose index only the file system may have cached.
func memoryTable(l *lab, rounds int, sizes []int) ([]timing, error) {
	facts, queries, err := retrieval()
	if err != nil {
		return nil, err
	}
	var out []timing
	floor := timing{what: "agents-hooks version"}
	for range rounds {
		if err := floor.take(&command{name: floor.what, argv: []string{l.bin, "version"}, stdin: os.DevNull, dir: l.dir}); err != nil {
			return nil, err
		}
	}
	out = append(out, floor)
	without, with, err := l.hot(2 * rounds)
	if err != nil {
		return nil, err
	}
	with.goal, with.times = hotGoal, &without
	out = append(out, without, with)
	for _, n := range sizes {
		list, err := l.remembering(n, rounds, facts, queries)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// remembering measures a project with n facts.
func (l *lab) remembering(n, rounds int, facts []fact, queries []string) ([]timing, error) {
	s, err := l.newSite(fmt.Sprintf("memory-%d", n), 0, false, "")
	if err != nil {
		return nil, err
	}
	if err := remember(s, facts, n); err != nil {
		return nil, err
	}
	if err := l.tool(s, "enable", "memory"); err != nil {
		return nil, err
	}
	if err := l.tool(s, "memory", "accept", "--yes"); err != nil {
		return nil, err
	}
	build := timing{what: fmt.Sprintf("%d facts: making the index", n)}
	search := timing{what: fmt.Sprintf("%d facts: memory search", n)}
	save := timing{what: fmt.Sprintf("%d facts: memory save", n)}
	after := timing{what: fmt.Sprintf("%d facts: search after a save", n)}
	load := timing{what: fmt.Sprintf("%d facts: a session begins", n)}
	if n == 20_000 {
		search.goal = searchGoal
	}
	if n == 5_000 {
		save.goal, load.goal = saveGoal, loadGoal
	}
	if err := build.take(l.memory(s, "rebuild-index")); err != nil {
		return nil, err
	}
	for i := range rounds {
		q := queries[i*7%len(queries)]
		if err := search.take(l.memory(s, "search", "--", q)); err != nil {
			return nil, err
		}
	}
	empty, recall, err := l.recalling(s, n, rounds, queries)
	if err != nil {
		return nil, err
	}
	if n == 1_000 {
		recall.goal, recall.times = recallGoal, &empty
	}
	for i := range max(rounds/3, 5) {
		text := fmt.Sprintf("Ticket %d moved the %s of service%d to region %d", i*31+7, queries[i%len(queries)], i, i%5)
		if err := save.take(l.memory(s, "save", "--content", text, "--entities", fmt.Sprintf("service%d", i))); err != nil {
			return nil, err
		}
		if err := after.take(l.memory(s, "search", "--", queries[i%len(queries)])); err != nil {
			return nil, err
		}
	}
	for i := range max(rounds/3, 5) {
		if err := s.beginEvent(i); err != nil {
			return nil, err
		}
		if err := load.take(&command{name: "a session begins", argv: s.entry, stdin: s.event, env: l.env(s), dir: s.project}); err != nil {
			return nil, err
		}
	}
	return []timing{build, search, save, after, load, empty, recall}, nil
}

// recalling measures prompts to which memories are added, alternating with an empty
// program.
func (l *lab) recalling(s *site, n, rounds int, queries []string) (empty, recall timing, err error) {
	empty.what, recall.what = "an empty Go program (E)", fmt.Sprintf("%d facts: a prompt, with recall", n)
	if err := s.set("enabled = true\nrecall = 3\n"); err != nil {
		return empty, recall, err
	}
	for i := range rounds {
		event := fmt.Appendf(nil, `{"session_id":"recall","cwd":%q,"hook_event_name":"UserPromptSubmit","prompt":%q}`, s.project, fmt.Sprintf("%s (%d)", queries[i*7%len(queries)], i))
		if err := os.WriteFile(s.event, event, 0o644); err != nil {
			return empty, recall, err
		}
		if err := empty.take(&command{name: empty.what, argv: []string{l.empty}, stdin: os.DevNull, dir: l.dir}); err != nil {
			return empty, recall, err
		}
		if err := recall.take(&command{name: "recall", argv: s.entry, stdin: s.event, env: l.env(s), dir: s.project}); err != nil {
			return empty, recall, err
		}
	}
	return empty, recall, nil
}

// hot measures tool events with ten hooks of which none matches, alternating without
// memory and with it; memory records that the command failed.
func (l *lab) hot(rounds int) (without, with timing, err error) {
	without.what, with.what = "a tool event, memory off", "a tool event, memory on"
	s, err := l.newSite("memory-hot", 10, false, "")
	if err != nil {
		return without, with, err
	}
	if err := s.set("enabled = true\n"); err != nil {
		return without, with, err
	}
	for i := range rounds {
		for k, turn := range []struct {
			t   *timing
			env string
		}{{&without, "AGENTS_HOOKS_MEMORY=0"}, {&with, "X=0"}} {
			event := fmt.Appendf(nil, `{"session_id":"hot","cwd":%q,"hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"t%d-%d","tool_input":{"command":"go test ./p%d"},"tool_response":{"exit_code":1}}`, s.project, i, k, i)
			if err := os.WriteFile(s.event, event, 0o644); err != nil {
				return without, with, err
			}
			if err = turn.t.take(&command{name: "tool event", argv: s.entry, stdin: s.event, env: append(l.env(s), turn.env), dir: s.project}); err != nil {
				return without, with, err
			}
		}
	}
	return without, with, nil
}

// set writes the settings of memory with an older time stamp: a recent change is read
// with more care.
func (s *site) set(text string) error {
	file := filepath.Join(s.home, ".config", "agents", "hooks.toml")
	if err := os.WriteFile(file, []byte("[builtin.memory]\n"+text), 0o600); err != nil {
		return err
	}
	old := time.Now().Add(-time.Hour)
	return os.Chtimes(file, old, old)
}

func (l *lab) memory(s *site, args ...string) *command {
	return &command{name: "memory " + args[0], argv: append([]string{l.bin, "memory"}, args...), stdin: os.DevNull, env: l.env(s), dir: s.project}
}

// take runs a command once and records its duration and its CPU time, which differ on a
// busy machine.
func (t *timing) take(c *command) error {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	took, state, err := c.run(null)
	if err != nil {
		return err
	}
	t.wall = append(t.wall, float64(took)/float64(time.Millisecond))
	t.on = append(t.on, float64(state.UserTime()+state.SystemTime())/float64(time.Millisecond))
	return nil
}

// beginEvent writes the event of another session's start.
func (s *site) beginEvent(i int) error {
	return os.WriteFile(s.event, fmt.Appendf(nil, `{"session_id":"bench-%d","cwd":%q,"hook_event_name":"SessionStart","source":"startup","model":"m"}`, i, s.project), 0o644)
}

// A fact is from the retrieval benchmark.
type fact struct{ kind, entity, text string }

// retrieval reads the facts and questions of the retrieval benchmark.
func retrieval() (facts []fact, queries []string, err error) {
	root, err := ourRoot()
	if err != nil {
		return nil, nil, err
	}
	dir := filepath.Join(root, "builtin-hooks", "memory", "search", "testdata", "retrieval")
	for _, name := range []string{"facts-en.txt", "facts-zh.txt", "queries.txt"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, nil, err
		}
		for line := range strings.Lines(string(b)) {
			f := strings.Split(strings.TrimSpace(line), " | ")
			if len(f) < 3 {
				return nil, nil, fmt.Errorf("%s: %q has %d fields", name, line, len(f))
			}
			if name == "queries.txt" {
				queries = append(queries, f[1])
			} else {
				facts = append(facts, fact{f[0], f[1], f[2]})
			}
		}
	}
	return facts, queries, nil
}

// remember writes the daily files of a project: n facts, two hundred per day, the last
// of them today. After the first round they differ in names and numbers.
func remember(s *site, facts []fact, n int) error {
	// Where it is kept out of commits: what lies beside is moved there first, and is too new then to be trusted by its times.
	dir := filepath.Join(s.project, ".agents", "memory-data", "own", "daily")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	const perDay = 200
	for day := range (n + perDay - 1) / perDay {
		at := time.Now().UTC().AddDate(0, 0, -day)
		var b bytes.Buffer
		for i := day * perDay; i < min((day+1)*perDay, n); i++ {
			f := facts[i%len(facts)]
			if round := i / len(facts); round > 0 {
				f.text = fmt.Sprintf("%s (module%d, 第%d期, build %x)", f.text, round*7919%1000, round, round*104729)
			}
			line, err := json.Marshal(map[string]any{
				"id": fmt.Sprintf("log-%s-%06d", at.Format("20060102150405000"), i), "type": "fact", "memory_type": f.kind, "content": f.text,
				"entities": []string{f.entity}, "confidence": 0.9, "timestamp": at.Format(time.RFC3339), "source": map[string]string{"session": fmt.Sprintf("s%d", i/10)},
			})
			if err != nil {
				return err
			}
			b.Write(append(line, '\n'))
		}
		file := filepath.Join(dir, at.Format(time.DateOnly)+".jsonl")
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			return err
		}
		// With the time that they claim: a recent change is read again, which would
		// measure something else.
		if err := os.Chtimes(file, at.Add(-time.Minute), at.Add(-time.Minute)); err != nil {
			return err
		}
	}
	return nil
}

// printTimings prints the table, and returns how many goals were missed by more than
// the headroom.
func printTimings(w io.Writer, list []timing, headroom float64) (missed int) {
	fmt.Fprintf(w, "%-38s %8s %8s %8s %8s %6s   (ms)\n", "", "p50", "p95", "cpu p50", "cpu p95", "goal")
	for _, t := range list {
		goal, mark := "", ""
		if t.goal > 0 {
			goal = fmt.Sprintf("%.0f", t.goal)
			if t.times != nil {
				goal, mark = fmt.Sprintf("%.2f×", t.goal), fmt.Sprintf("  is %.2f× “%s”", t.worth(), t.times.what)
			}
			if t.worth() > t.goal {
				mark += "  missed"
			}
			if t.worth() > t.goal*headroom {
				missed++
			}
		}
		fmt.Fprintf(w, "%-38s %8.1f %8.1f %8.1f %8.1f %6s%s\n", t.what, at(t.wall, 50), at(t.wall, 95), at(t.on, 50), at(t.on, 95), goal, mark)
	}
	return missed
}

// at is the value of a percentile.
func at(list []float64, percent int) float64 {
	s := slices.Sorted(slices.Values(list))
	return s[(len(s)*percent+99)/100-1]
}
