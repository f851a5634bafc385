package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

// A command is something to be measured.
type command struct {
	name  string
	argv  []string
	stdin string // file
	env   []string
	dir   string
	exit  int           // wanted
	pause time.Duration // after each run, for processes that it leaves running
	fresh func() error  // before each run, not timed

	times []time.Duration
}

// run starts the command once, with its streams connected to files, and waits for it.
func (c *command) run(null *os.File, more ...*os.File) (time.Duration, *os.ProcessState, error) {
	if c.fresh != nil {
		if err := c.fresh(); err != nil {
			return 0, nil, err
		}
	}
	in, err := os.Open(c.stdin)
	if err != nil {
		return 0, nil, err
	}
	defer in.Close()
	start := time.Now()
	p, err := os.StartProcess(c.argv[0], c.argv, &os.ProcAttr{Env: c.env, Dir: c.dir, Files: append([]*os.File{in, null, null}, more...)})
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", c.name, err)
	}
	state, err := p.Wait()
	took := time.Since(start)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", c.name, err)
	}
	if state.ExitCode() != c.exit {
		return 0, nil, fmt.Errorf("%s: exit %d, want %d", c.name, state.ExitCode(), c.exit)
	}
	return took, state, nil
}

// peakRole is the argument by which this program starts another one and reports its
// memory.
const peakRole = "peak-of"

// peak is the most memory that the command used at once, in MiB; ok is false if the
// system does not tell. Until a new process runs its program it has the memory of its
// parent, which the system counts too; so a small, fresh copy of this program starts
// the command.
func (c *command) peak(null *os.File) (mib float64, ok bool, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, false, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return 0, false, err
	}
	defer r.Close()
	small := *c
	small.argv = append([]string{self, peakRole}, c.argv...)
	_, _, err = small.run(null, w)
	w.Close()
	if err != nil {
		return 0, false, err
	}
	n, err := fmt.Fscan(r, &mib)
	if err == io.EOF {
		err = nil
	}
	return mib, n == 1, err
}

// tellPeak starts a program with its own streams, writes the memory that it used to the
// next file, and exits with its code.
func tellPeak(argv []string) (exit int) {
	p, err := os.StartProcess(argv[0], argv, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return 127
	}
	state, err := p.Wait()
	if err != nil {
		return 127
	}
	if mib, ok := peakMemory(state); ok {
		fmt.Fprintln(os.NewFile(3, "peak"), mib)
	}
	return state.ExitCode()
}

// measure runs all commands round robin.
func measure(commands []*command, warmup, rounds int) error {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	for round := range warmup + rounds {
		for _, c := range commands {
			took, _, err := c.run(null)
			if err != nil {
				return err
			}
			if round >= warmup {
				c.times = append(c.times, took)
			}
			time.Sleep(c.pause)
		}
	}
	return nil
}

// ratio is the median of the ratios of each round.
func ratio(a, b *command) float64 {
	ratios := make([]float64, len(a.times))
	for i := range ratios {
		ratios[i] = float64(a.times[i]) / float64(b.times[i])
	}
	return median(ratios)
}

// gap is the median of the differences of each round, as a share of unit.
func gap(a, b, unit *command) float64 {
	shares := make([]float64, len(a.times))
	for i := range shares {
		shares[i] = float64(a.times[i]-b.times[i]) / float64(unit.times[i])
	}
	return median(shares)
}

func median(list []float64) float64 {
	s := slices.Sorted(slices.Values(list))
	if len(s)%2 == 1 {
		return s[len(s)/2]
	}
	return (s[len(s)/2-1] + s[len(s)/2]) / 2
}

func milliseconds(c *command) float64 {
	list := make([]float64, len(c.times))
	for i, t := range c.times {
		list[i] = float64(t) / float64(time.Millisecond)
	}
	return median(list)
}
