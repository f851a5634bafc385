package discovery

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// benchHook is a HOOK.md as people write them, about 1.3 KB.
func benchHook(name string, trigger protocol.EventType) string {
	return fmt.Sprintf(`---
name: %s
description: Keeps commands that nobody can take back from being run.
trigger: %s
matcher:
  tool: Shell|Bash
  pattern: rm -rf|mkfs
timeout: 5000
priority: 500
metadata:
  author: somebody
  version: "1.0"
---

%s`, name, trigger, strings.Repeat("Some prose that explains what the hook does.\n", 22))
}

// benchSources makes n hooks that wait for another event, and one more for
// pre-tool-call if match is set.
func benchSources(b *testing.B, n int, match bool) (Sources, string) {
	b.Helper()
	root := b.TempDir()
	user := filepath.Join(root, "agents")
	project := filepath.Join(root, "project")
	write := func(dir, name string, trigger protocol.EventType) {
		dir = filepath.Join(dir, name)
		must.Do(b, os.MkdirAll(filepath.Join(dir, "scripts"), 0o755))
		must.Write(b, filepath.Join(dir, "HOOK.md"), benchHook(name, trigger))
		must.Script(b, filepath.Join(dir, "scripts", "run"), "#!/bin/sh\n")
	}
	must.Do(b, os.MkdirAll(filepath.Join(project, ".git"), 0o755))
	for i := range n {
		dir := filepath.Join(user, "hooks")
		if i%2 == 1 {
			dir = filepath.Join(project, ".agents", "hooks")
		}
		write(dir, fmt.Sprintf("hook-%d", i), postTool)
	}
	if match {
		write(filepath.Join(user, "hooks"), "match", preTool)
	}
	return Sources{System: []string{filepath.Join(root, "xdg")}, User: user, Home: root, State: filepath.Join(root, "state"), GOOS: "linux", TrustAlways: true}, project
}

// G8: a further hook that does not match is to cost about 6 us.
func BenchmarkLoadEvent(b *testing.B) {
	for _, n := range []int{0, 1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("none-of-%d", n), func(b *testing.B) {
			src, dir := benchSources(b, n, false)
			b.ReportAllocs()
			for b.Loop() {
				set := LoadEvent(src, preTool, dir)
				set.Open()
				if len(set.Hooks) != 0 {
					b.Fatal(len(set.Hooks))
				}
			}
		})
		b.Run(fmt.Sprintf("one-of-%d", n+1), func(b *testing.B) {
			src, dir := benchSources(b, n, true)
			ev := toolEvent(b, "Shell", "Bash", `{"command": "rm -rf /tmp/x"}`)
			b.ReportAllocs()
			for b.Loop() {
				var budget Budget
				set := LoadEvent(src, preTool, dir)
				if ready := set.Ready(preTool); len(ready) != 1 || !ready[0].Match(ev, &budget, false).OK {
					b.Fatal(len(ready))
				}
			}
		})
	}
}

// What an event costs that finds all in the index.
func BenchmarkLoadIndexed(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprintf("none-of-%d", n), func(b *testing.B) {
			src, dir := benchSources(b, n, false)
			src.Index = &Index{Dir: b.TempDir(), Program: os.Args[0]}
			for files := 0; files < 2; {
				set := LoadEvent(src, preTool, dir)
				set.Open()
				set.KeepIndex()
				list, _ := os.ReadDir(src.Index.Dir)
				files = len(list)
			}
			b.ReportAllocs()
			for b.Loop() {
				set := LoadEvent(src, preTool, dir)
				set.Open()
				if len(set.Hooks) != 0 {
					b.Fatal(len(set.Hooks))
				}
			}
		})
	}
}

func BenchmarkPrescan(b *testing.B) {
	file := []byte(benchHook("hook", preTool))
	b.ReportAllocs()
	for b.Loop() {
		readFront(file)
	}
}

func BenchmarkParseYAML(b *testing.B) {
	block, _ := CutFront([]byte(benchHook("hook", preTool)))
	for b.Loop() {
		parseYAML(string(block), frontLine)
	}
}
