package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == peakRole {
		os.Exit(tellPeak(os.Args[2:]))
	}
	rounds := flag.Int("rounds", 60, "how often each command runs")
	hold := flag.Bool("goals", false, "exit 1 if a goal is missed by more than the headroom")
	headroom := flag.Float64("headroom", 1.25, "what -goals allows above a goal: a noisy machine is no regression")
	memory := flag.Bool("memory", false, "measure memory: search, save and load with up to 100,000 facts")
	bound := flag.Bool("workspace", false, "measure a prompt of a session that is bound to a large workspace")
	initTimes := flag.Bool("init", false, "show what each linked package costs before main runs")
	beside := flag.Bool("peers", false, "measure us beside lefthook, pre-commit (both are installed if they are not) and dispatchers in Python and for Node")
	write := flag.Bool("write", false, "keep what is measured in bench/measured.json, and write the pages that show it anew")
	facts := flag.String("facts", "1000,5000,20000,100000", "with -memory: how many facts there are")
	flag.Parse()
	measured := func() (int, error) { return run(*rounds, *write, *headroom) }
	if *memory {
		measured = func() (int, error) { return runMemory(*rounds, *facts, *headroom) }
	}
	if *bound {
		measured = func() (int, error) { return runWorkspace(*rounds, *headroom) }
	}
	if *beside {
		measured = func() (int, error) { return runPeers(*rounds, *write) }
	}
	if *initTimes {
		measured = func() (int, error) { return 0, runInit(os.Stdout, *rounds) }
	}
	missed, err := measured()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if *hold && missed > 0 {
		fmt.Fprintf(os.Stderr, "bench: %d goals missed by more than %.0f %%\n", missed, (*headroom-1)*100)
		os.Exit(1)
	}
}

func run(rounds int, write bool, headroom float64) (missed int, err error) {
	l, err := newLab()
	if err != nil {
		return 0, err
	}
	defer l.remove()
	var goals []goal
	var commands []*command
	for _, part := range []func(*lab, int) ([]goal, []*command, error){dispatchGoals, interpreterGoals, asyncGoal, sandboxGoal, streamGoal, peerGoals, budgetGoal} {
		g, c, err := part(l, rounds)
		if err != nil {
			return 0, err
		}
		goals, commands = append(goals, g...), append(commands, c...)
	}
	sizes, err := sizeGoals(l)
	if err != nil {
		return 0, err
	}
	goals = append(goals, sizes...)
	printTable(goals, commands)
	for _, g := range goals {
		if g.missed(headroom) {
			missed++
		}
	}
	if !write {
		return missed, nil
	}
	m, err := lastMeasured()
	if err != nil {
		return missed, err
	}
	m.keep(goals, commands)
	return missed, m.write()
}

func runMemory(rounds int, facts string, headroom float64) (missed int, err error) {
	var sizes []int
	for _, word := range strings.Split(facts, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return 0, fmt.Errorf("-facts %q: want numbers, with commas between", facts)
		}
		sizes = append(sizes, n)
	}
	l, err := newLab()
	if err != nil {
		return 0, err
	}
	defer l.remove()
	list, err := memoryTable(l, rounds, sizes)
	if err != nil {
		return 0, err
	}
	return printTimings(os.Stdout, list, headroom), nil
}

func runWorkspace(rounds int, headroom float64) (missed int, err error) {
	l, err := newLab()
	if err != nil {
		return 0, err
	}
	defer l.remove()
	list, over, err := workspaceTable(l, rounds)
	if err != nil {
		return 0, err
	}
	printTimings(os.Stdout, list, headroom)
	return printOver(os.Stdout, over, headroom), nil
}

func printTable(goals []goal, commands []*command) {
	fmt.Printf("%s, %s/%s, %d cores\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Printf("%-4s %-58s %8s %8s %8s\n", "", "", "measured", "must", "stretch")
	for _, g := range goals {
		value := fmt.Sprintf("%.3g", g.value)
		mark := ""
		if g.skipped != "" {
			value = "-"
			mark = "  " + g.skipped
		} else if g.must > 0 && g.value > g.must {
			mark = "  missed"
		}
		fmt.Printf("%-4s %-58s %8s %8g %8g%s\n", g.id, g.what+", "+g.unit, value, g.must, g.stretch, mark)
	}
	fmt.Printf("\n%-58s %8s\n", "command, median", "ms")
	for _, c := range commands {
		if len(c.times) > 0 {
			fmt.Printf("%-58s %8.2f\n", c.name, milliseconds(c))
		}
	}
}

// replaceIn replaces a text that a file must contain.
func replaceIn(path, old, new string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !strings.Contains(string(b), old) {
		return fmt.Errorf("%s: no %q", path, old)
	}
	return os.WriteFile(path, []byte(strings.Replace(string(b), old, new, 1)), 0o644)
}
