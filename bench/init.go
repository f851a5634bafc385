package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// A start is the cost of one package before main runs, in one process or as the median
// of several.
type start struct {
	pkg    string
	micros float64
	bytes  float64
	allocs float64
}

// runInit shows the cost per event, before main runs, of the packages that the
// dispatcher links, and that of an empty program's.
func runInit(w io.Writer, rounds int) error {
	l, err := newLab()
	if err != nil {
		return err
	}
	defer l.remove()
	s, err := l.newSite("init", 0, false, script)
	if err != nil {
		return err
	}
	ours, nothing := l.through("an event", s), &command{name: "empty Go program", argv: []string{l.empty}, stdin: os.DevNull}
	var runs, empty [][]start
	for range rounds {
		for c, list := range map[*command]*[][]start{ours: &runs, nothing: &empty} {
			one, err := traced(c)
			if err != nil {
				return err
			}
			*list = append(*list, one)
		}
	}
	list, total := medians(runs)
	beside, least := medians(empty)
	printInit(w, list, total, beside, least)
	return nil
}

// printInit writes the table: packages of the dispatcher, each with its cost in an
// empty program if that has it too.
func printInit(w io.Writer, list []start, total start, beside []start, least start) {
	fmt.Fprintf(w, "%-48s %8s %8s %7s %14s\n", "before main", "µs", "bytes", "allocs", "empty program")
	for _, s := range append(list, total) {
		other := "-"
		if i := slices.IndexFunc(beside, func(e start) bool { return e.pkg == s.pkg }); i >= 0 {
			other = fmt.Sprintf("%.0f", beside[i].micros)
		} else if s == total {
			other = fmt.Sprintf("%.0f", least.micros)
		}
		fmt.Fprintf(w, "%-48s %8.0f %8.0f %7.0f %14s\n", s.pkg, s.micros, s.bytes, s.allocs, other)
	}
}

// traced runs a command once and reads the runtime's report on its packages.
func traced(c *command) ([]start, error) {
	if c.fresh != nil {
		if err := c.fresh(); err != nil {
			return nil, err
		}
	}
	in, err := os.Open(c.stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var trace bytes.Buffer
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = c.dir, append(slices.Clone(c.env), "GODEBUG=inittrace=1"), in, &trace
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", c.name, err, &trace)
	}
	list, err := readTrace(trace.String())
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: no package is traced:\n%s", c.name, &trace)
	}
	return list, err
}

// readTrace reads lines of the form
//
//	init gopkg.in/yaml%2ev3 @0.63 ms, 0.068 ms clock, 25736 bytes, 276 allocs
//
// and skips all others.
func readTrace(trace string) ([]start, error) {
	var list []start
	for line := range strings.Lines(trace) {
		f := strings.Fields(line)
		if len(f) != 11 || f[0] != "init" || f[6] != "clock," {
			continue
		}
		s := start{pkg: f[1]}
		if name, err := url.PathUnescape(f[1]); err == nil {
			s.pkg = name
		}
		for _, v := range []struct {
			to   *float64
			text string
		}{{&s.micros, f[4]}, {&s.bytes, f[7]}, {&s.allocs, f[9]}} {
			n, err := strconv.ParseFloat(v.text, 64)
			if err != nil {
				return nil, fmt.Errorf("reading %q: %w", line, err)
			}
			*v.to = n
		}
		s.micros *= 1000
		list = append(list, s)
	}
	return list, nil
}

// medians has one line per package, the most expensive first. The total is the median
// of the totals, not the total of the medians.
func medians(runs [][]start) (list []start, total start) {
	byPackage, totals := map[string][]start{}, []start{}
	for _, run := range runs {
		var sum start
		for _, s := range run {
			byPackage[s.pkg] = append(byPackage[s.pkg], s)
			sum = start{"", sum.micros + s.micros, sum.bytes + s.bytes, sum.allocs + s.allocs}
		}
		totals = append(totals, sum)
	}
	middle := func(pkg string, all []start) start {
		of := func(get func(start) float64) float64 {
			var values []float64
			for _, s := range all {
				values = append(values, get(s))
			}
			return median(values)
		}
		return start{pkg, of(func(s start) float64 { return s.micros }), of(func(s start) float64 { return s.bytes }), of(func(s start) float64 { return s.allocs })}
	}
	for pkg, all := range byPackage {
		list = append(list, middle(pkg, all))
	}
	slices.SortFunc(list, func(a, b start) int {
		return cmp.Or(cmp.Compare(b.micros, a.micros), cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.pkg, b.pkg))
	})
	return list, middle("total", totals)
}
