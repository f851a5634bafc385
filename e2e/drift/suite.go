package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// suite runs the suite of real agents on the newer versions, including those of a program
// that cannot be inspected because the suite builds it, and adds the failed checks to the
// reports. Its output goes to stderr.
func suite(ctx context.Context, root string, reports []*report) error {
	var agents, versions []string
	for _, r := range reports {
		if r.Newest != "" && r.Newest != r.Pinned && r.Failed == "" {
			agents = append(agents, r.Agent)
			versions = append(versions, r.Agent+"="+r.Newest)
		}
	}
	if len(agents) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "agents-drift-suite-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	table := filepath.Join(dir, "results.json")
	cmd := exec.CommandContext(ctx, "go", "test", "-tags", "e2e", "./e2e", "-run", "TestAgents", "-count=1", "-timeout", "60m", "-v")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "AGENTS_HOOKS_E2E_AGENTS="+strings.Join(agents, ","),
		"AGENTS_HOOKS_E2E_VERSIONS="+strings.Join(versions, ","), "AGENTS_HOOKS_E2E_REPORT="+table)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	ran := cmd.Run()
	rows, err := readRows(table)
	if err != nil {
		return fmt.Errorf("the suite left no table (%v): %w", ran, err)
	}
	for _, r := range reports {
		if slices.Contains(agents, r.Agent) {
			r.judge(rows)
		}
	}
	return nil
}

// judge adds what the suite found out about an agent.
func (r *report) judge(rows []row) {
	asked := 0
	for _, row := range rows {
		if id, _, _ := strings.Cut(row.Agent, " "); id != r.Agent {
			continue
		}
		switch row.Result {
		case "skipped":
			r.Failed = "the suite could not have it: " + row.Note
			return
		case "no":
			r.Suite = append(r.Suite, strings.TrimPrefix(row.Agent, r.Agent+" ")+": "+row.Capability)
		}
		asked++
	}
	if asked == 0 {
		r.Failed = "the suite asked nothing of it"
	}
}

// A row is one row of the suite's table.
type row struct{ Agent, Version, Capability, Result, Note string }

func readRows(file string) ([]row, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var o struct{ Rows []row }
	if err := json.Unmarshal(b, &o); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	return o.Rows, nil
}
