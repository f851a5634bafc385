package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// judge checks each clone for each fact, and counts the faults.
func (w *week) judge() (bad int, err error) {
	for _, row := range rows {
		w.count(row, 0)
	}
	for i, p := range w.team {
		out, err := p.run(p.clone, nil, w.bin, "memory", "list", "--last", "100000", "--json")
		if err != nil {
			return 0, err
		}
		var list struct {
			Entries []struct{ ID, Content string }
		}
		if err := json.Unmarshal([]byte(out), &list); err != nil {
			return 0, fmt.Errorf("memory list: %w", err)
		}
		has := map[string]string{}
		for _, e := range list.Entries {
			has[e.ID] = e.Content
		}
		for k, f := range w.facts {
			switch text, there := has[f.id]; {
			case !f.gone && (!there || text != f.text):
				w.count(lost, 1)
				fmt.Fprintf(os.Stderr, "lost in the clone of %s: %s %q of %s, on %s\n", p.name, f.id, f.text, f.by.name, f.branch)
			case f.gone && there:
				w.count(told, 1)
				fmt.Fprintf(os.Stderr, "told in the clone of %s: %s %q of %s, on %s\n", p.name, f.id, f.text, f.by.name, f.branch)
			}
			if !f.gone && k%len(w.team) == i {
				at, err := p.search(f)
				if err != nil {
					return 0, err
				}
				w.count(afterAll, 1)
				if at >= 0 {
					w.count(inFive, 1)
				}
			}
		}
		n, err := unreadable(filepath.Join(p.clone, ".agents", "memory-data"))
		if err != nil {
			return 0, err
		}
		w.count(damaged, n)
		if i == 0 {
			for _, text := range has {
				if strings.Contains(text, ", killed ") {
					w.count(killedKept, 1)
				}
			}
		}
	}
	return w.counts[lost] + w.counts[told] + w.counts[damaged] + w.counts[blocked] + w.counts[conflicts], nil
}

// unreadable counts the lines in a folder that are not JSON.
func unreadable(dir string) (n int, err error) {
	for _, pattern := range []string{"*/*.jsonl", "*/*/*.jsonl", "sessions.jsonl"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return 0, err
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				return 0, err
			}
			for line := range bytes.Lines(b) {
				if line = bytes.TrimSpace(line); len(line) > 0 && !json.Valid(line) {
					n++
					fmt.Fprintf(os.Stderr, "%s: %.200s\n", file, line)
				}
			}
		}
	}
	return n, nil
}
