package search

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// folder is a memory folder with n facts, and its snapshot: those of the
// retrieval benchmark, again and again with other numbers in them.
func folder(b testing.TB, n int) Folder {
	b.Helper()
	var facts []string
	for _, name := range []string{"facts-en.txt", "facts-zh.txt"} {
		for line := range strings.Lines(must.Read(b, filepath.Join("testdata", "retrieval", name))) {
			facts = append(facts, strings.Split(strings.TrimSpace(line), " | ")[2])
		}
	}
	s := Folder{Scope: "project", Dir: b.TempDir(), Cache: b.TempDir()}
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"id": "log-%d", "type": "fact", "memory_type": "W", "content": %q, "timestamp": "2026-11-20T00:00:00Z"}`+"\n", i, fmt.Sprintf("%s (%d)", facts[i%len(facts)], i/len(facts)))
	}
	must.Do(b, os.MkdirAll(filepath.Join(s.Dir, "daily"), 0o700))
	file := filepath.Join(s.Dir, "daily", "2026-11-20.jsonl")
	must.Write(b, file, lines.String())
	old := time.Now().Add(-time.Hour)
	must.Do(b, os.Chtimes(file, old, old))
	lexiconOf(b, s.Cache)
	if _, err := s.Keep(time.Now(), 0); err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkQuick opens the snapshot for each search, as an event does (G17).
func BenchmarkQuick(b *testing.B) {
	for _, n := range []int{1_000, 20_000, 50_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			folders := []Folder{folder(b, n)}
			b.ReportAllocs()
			for b.Loop() {
				found, ok, err := Quick(folders, Query{Text: "how do we set the connection pool size", Max: 3, Method: Hybrid}, time.Now())
				if err != nil || !ok || len(found) == 0 {
					b.Fatal(found, ok, err)
				}
			}
		})
	}
}

// Whether a prompt has a name is asked at each of its words.
func BenchmarkNamesOfAPrompt(b *testing.B) {
	s := snapshotOf(b, corpus(b), nil)
	text := strings.Repeat("he can man a long song while an open panel hangs and Li Ming lends Zhang Wei a pen, he wanted ", 4)
	for b.Loop() {
		s.latinNames(text)
		s.hanNames([]rune("白色的高度方便成本小于老板时间关于周五安全项目"))
	}
}
