//go:build linux

// Package main load-tests the dispatcher like many agents at once, for a long time, and
// with failures, with the built programs and real hooks:
//
//	go run ./bench/load                      200 events of 20 sessions at once, against a lone one
//	go run ./bench/load -soak 100000         that many events, and what they leave behind
//	go run ./bench/load -chaos 300           rounds of kills, a full disk, times that jump
//
// Each of them exits with 1 if anything is not as it should be. -bin is a folder with
// the programs; otherwise they are built.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	soaked := flag.Int("soak", 0, "so many events, one after another and in streams")
	chaotic := flag.Int("chaos", 0, "so many rounds in which something goes wrong")
	bin := flag.String("bin", "", "folder with agents-hooks and agents-hooks-run; else they are built")
	flag.Parse()
	if err := play(context.Background(), *bin, *soaked, *chaotic); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func play(ctx context.Context, bin string, soaked, chaotic int) error {
	dir, err := os.MkdirTemp("", "load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if bin == "" {
		bin = dir
		out, err := exec.CommandContext(ctx, "go", "build", "-o", dir, "github.com/agents-hooks/agents-hooks/cmd/agents-hooks", "github.com/agents-hooks/agents-hooks/cmd/agents-hooks-run").CombinedOutput()
		if err != nil {
			return fmt.Errorf("building: %w\n%s", err, out)
		}
	}
	p, err := newPlace(bin, filepath.Join(dir, "place"))
	switch {
	case err != nil:
		return err
	case soaked > 0:
		return p.soak(ctx, os.Stdout, soaked)
	case chaotic > 0:
		return p.chaos(ctx, os.Stdout, chaotic)
	}
	return p.crowd(ctx, os.Stdout, 200, 20)
}
