//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// within is how long a guard's event may take: the hook's own time limit.
const within = 20 * time.Second

// chaos plays rounds in which something goes wrong, and checks four things in each: a
// guard judges, what was acknowledged is there, no event takes longer than its hook
// may, and the next event is as if nothing had happened.
func (p *place) chaos(ctx context.Context, w io.Writer, rounds int) error {
	full, release := p.smallDisk(w)
	defer release()
	slow, away := p.slowDisk(w)
	defer away()
	r := rand.New(rand.NewPCG(1, 2))
	var known []string
	played := map[string]int{}
	var longest time.Duration
	for round := range rounds {
		trials := []struct {
			name string
			do   func() error
		}{
			{"killed while they run", func() error { return p.killed(ctx, r) }},
			{"killed while they save", func() (err error) { known, err = p.saves(ctx, r, known); return err }},
			{"times that jump", func() error { return p.jump(r) }},
			{"a full disk", full},
			{"a slow disk", nil},
		}
		if slow != nil {
			trials[len(trials)-1].do = func() error { return slow.round(ctx, r) }
		}
		trial := trials[round%len(trials)]
		if trial.do == nil {
			continue
		}
		if err := trial.do(); err != nil {
			return fmt.Errorf("round %d, %s: %w", round, trial.name, err)
		}
		played[trial.name]++
		exit, said, took, err := p.ask(ctx, p.event(fmt.Sprint("after", round), forced))
		if longest = max(longest, took); err != nil || exit != 2 || !strings.Contains(said, "not with force") || took > within {
			return fmt.Errorf("round %d, after %s: exit %d after %v, %s, %v", round, trial.name, exit, took, said, err)
		}
	}
	for name, n := range played {
		fmt.Fprintf(w, "%-24s %d rounds, and each time the guard judged the next event\n", name, n)
	}
	if slow != nil && slow.longest > 0 {
		fmt.Fprintf(w, "the slowest event on the slow disk, %d turns of reading a second and nothing of it in memory, took %.0f ms\n", turns, ms(slow.longest))
		if slow.longest < leastSlow {
			return fmt.Errorf("the disk was not slow: %v", slow.longest)
		}
	}
	kept, err := p.remembered()
	if err != nil {
		return err
	}
	for _, fact := range known {
		if !strings.Contains(kept, fact) {
			return fmt.Errorf("acknowledged and lost: %s", fact)
		}
	}
	last, err := p.holds()
	fmt.Fprintf(w, "%d facts were acknowledged, none is lost; the slowest event took %.0f ms; left: %s\n", len(known), ms(longest), last)
	if err == nil && last.processes > 0 {
		err = fmt.Errorf("%d processes are left behind", last.processes)
	}
	return err
}

// killed kills some dispatchers at random moments.
func (p *place) killed(ctx context.Context, r *rand.Rand) error {
	var wait sync.WaitGroup
	for i := range 4 {
		cmd, after := p.command(ctx, p.run, p.event(fmt.Sprint("k", i), forced), "run"), time.Duration(r.IntN(8000))*time.Microsecond
		if err := cmd.Start(); err != nil {
			return err
		}
		wait.Go(func() {
			time.Sleep(after)
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
	}
	wait.Wait()
	return nil
}

// saves lets several processes save facts, kills some of them, and returns the
// acknowledged facts.
func (p *place) saves(ctx context.Context, r *rand.Rand, known []string) ([]string, error) {
	var wait sync.WaitGroup
	var mu sync.Mutex
	for i := range 4 {
		fact := noWords(r) // unlike any other, which it would replace
		cmd, after := p.command(ctx, p.tool, nil, "memory", "save", fact), time.Duration(r.IntN(60))*time.Millisecond
		var said strings.Builder
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			return known, err
		}
		kill := i%2 == 0
		wait.Go(func() {
			if kill {
				time.Sleep(after)
				_ = cmd.Process.Kill()
			}
			if cmd.Wait() == nil {
				mu.Lock()
				known = append(known, fact)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return known, nil
}

// noWords is a new sentence of random letters.
func noWords(r *rand.Rand) string {
	var words []string
	for range 6 {
		b := make([]byte, 5+r.IntN(6))
		for i := range b {
			b[i] = byte('a' + r.IntN(26))
		}
		words = append(words, string(b))
	}
	return strings.Join(words, " ")
}

// remembered is the content of memory's files: a search would only show the most
// similar.
func (p *place) remembered() (string, error) {
	var all strings.Builder
	err := filepath.WalkDir(p.project, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all.Write(b)
		return err
	})
	return all.String(), err
}

// jump moves the times of all kept files by years in either direction, as a wrong clock
// would.
func (p *place) jump(r *rand.Rand) error {
	to := time.Now().AddDate(r.IntN(40)-20, 0, 0)
	return filepath.WalkDir(p.state, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = os.Chtimes(path, to, to)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// smallDisk puts the state on a disk of 4 MiB, if that is allowed. It returns a
// function that fills the disk, lets a guard judge, and empties it.
func (p *place) smallDisk(w io.Writer) (full func() error, release func()) {
	err := os.MkdirAll(p.state, 0o700)
	if err == nil {
		err = syscall.Mount("tmpfs", p.state, "tmpfs", 0, "size=4m,mode=0700")
	}
	if err != nil {
		fmt.Fprintf(w, "left out: a full disk: a small one cannot be had here: %v\n", err)
		return nil, func() {}
	}
	return func() error {
		filler := filepath.Join(p.state, "filler")
		out, err := exec.Command("dd", "if=/dev/zero", "of="+filler, "bs=64k").CombinedOutput()
		if err == nil {
			return fmt.Errorf("the disk is not full: %s", out)
		}
		defer os.Remove(filler)
		exit, said, took, err := p.ask(context.Background(), p.event("full", forced))
		if err != nil || exit != 2 || !strings.Contains(said, "not with force") || took > within {
			return fmt.Errorf("exit %d after %v, %s, %v", exit, took, said, err)
		}
		return nil
	}, func() { _ = syscall.Unmount(p.state, syscall.MNT_DETACH) }
}
