// Package main plays a study of evolution: small projects in Go, Node and Python are
// broken in 40 ways, and a scripted agent mends them, once doing what it is told, once
// not listening. It prints how many steps it took until the command that failed
// succeeded.
//
//	go run ./bench/study [-runs 200] [-seed 1] [-v]
//
// Everything is real except the agent: the projects, the commands and their output, the
// hooks and what they tell. The agent knows every repair in its language by a plain
// sentence, but not which one is right. It tries them one by one, in a random order,
// and runs the command after each. After a suggestion, the one that listens continues
// with the repair whose words are most similar to the steps that it was told; if none
// is similar, it keeps its order. Both have the same random orders. No word of a repair
// was taken from a gene.
//
// It needs go, node and python3, and no network; whatever is missing is left out, with
// a message.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/bench/person"
)

func main() {
	runs := flag.Int("runs", 200, "how many runs, half of them listening")
	seed := flag.Uint64("seed", 1, "what is drawn by lot")
	bin := flag.String("bin", "", "folder with agents-hooks and agents-hooks-run; else they are built")
	loud := flag.Bool("v", false, "print each pair of runs, and what was told")
	flag.Parse()
	out := io.Discard
	if *loud {
		out = os.Stdout
	}
	r, err := study(context.Background(), projects(), *runs, *seed, *bin, out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "study:", err)
		os.Exit(1)
	}
	r.print(os.Stdout)
}

// A result is the result of all runs: the steps until success, for each pair of agents.
type result struct {
	listening, alone []int
	told, runs       int      // in how many listening runs something was told, and their total
	leftOut          []string // languages
	broken           int      // breakages that were played
	took             time.Duration
}

func (r *result) print(w io.Writer) {
	faster, slower := 0, 0
	for i := range r.alone {
		switch {
		case r.listening[i] < r.alone[i]:
			faster++
		case r.listening[i] > r.alone[i]:
			slower++
		}
	}
	fmt.Fprintf(w, "%d breakages, %d runs, something was told in %d of %d\n", r.broken, 2*r.runs, r.told, r.runs)
	fmt.Fprintf(w, "steps to green  listening  median %g, mean %.2f\n", median(r.listening), mean(r.listening))
	fmt.Fprintf(w, "                alone      median %g, mean %.2f\n", median(r.alone), mean(r.alone))
	fmt.Fprintf(w, "of the pairs    %d shorter, %d longer, %d the same\n", faster, slower, len(r.alone)-faster-slower)
	for _, l := range r.leftOut {
		fmt.Fprintln(w, "left out       ", l)
	}
	fmt.Fprintf(w, "took            %.0f s\n", r.took.Seconds())
}

func median(list []int) float64 {
	if len(list) == 0 {
		return 0
	}
	l := slices.Sorted(slices.Values(list))
	return float64(l[(len(l)-1)/2]+l[len(l)/2]) / 2
}

func mean(list []int) float64 {
	sum := 0
	for _, n := range list {
		sum += n
	}
	return float64(sum) / float64(max(len(list), 1))
}

// A scene is a breakage that was really tried, with the output of the command.
type scene struct {
	project
	breakage
	fails, works outcome
}

func study(ctx context.Context, all []project, runs int, seed uint64, bin string, out io.Writer) (*result, error) {
	began := time.Now()
	dir, err := os.MkdirTemp("", "study-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if bin == "" {
		bin = dir
		if err := person.Build(ctx, dir); err != nil {
			return nil, err
		}
	}
	r := &result{runs: runs / 2}
	var scenes []scene
	for _, p := range all {
		program, _, _ := strings.Cut(p.command, " ")
		if _, err := exec.LookPath(program); err != nil {
			r.leftOut = append(r.leftOut, program+": it is not here")
			continue
		}
		more, err := p.scenes(ctx, filepath.Join(dir, "projects", program))
		if err != nil {
			return nil, err
		}
		scenes = append(scenes, more...)
	}
	if r.broken = len(scenes); r.broken == 0 {
		return nil, errors.New("nothing can be played here")
	}
	listening, err := person.New(bin, filepath.Join(dir, "listening"))
	if err != nil {
		return nil, err
	}
	for i := range r.runs {
		s := &scenes[i%len(scenes)]
		order := rand.New(rand.NewPCG(seed, uint64(i))).Perm(len(s.breaks))
		steps, told, err := mend(ctx, listening, s, fmt.Sprint("run", i), slices.Clone(order))
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", s.command, s.breakage.name, err)
		}
		// An agent that does not listen takes its repairs in order: there is nothing to
		// play.
		alone := s.alone(order)
		if r.listening, r.alone = append(r.listening, steps), append(r.alone, alone); told != "" {
			r.told++
		}
		fmt.Fprintf(out, "%-20s %-20s %d alone %d  %s\n", s.command, s.breakage.name, steps, alone, cmp.Or(headline(told), "-"))
	}
	r.took = time.Since(began)
	return r, nil
}

func headline(told string) string {
	for l := range strings.Lines(told) {
		if strings.HasPrefix(l, "What ") {
			return strings.TrimSpace(l)
		}
	}
	return ""
}

// alone is how often the command runs until the right repair is drawn, including the
// run that shows the failure.
func (s *scene) alone(order []int) int {
	return 2 + slices.IndexFunc(order, func(i int) bool { return s.breaks[i].name == s.breakage.name })
}
