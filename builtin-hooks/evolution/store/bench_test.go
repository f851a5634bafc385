package store

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What a hook waits for: opening a store and asking once.
func BenchmarkPassive(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		s, err := Open(b.Context(), dir)
		must.Do(b, err)
		must.Do(b, must.Err(s.Proven(b.Context(), "global", nil, 3, 5)))
		s.Close()
	}
}

func BenchmarkCandidates(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		s, err := Open(b.Context(), dir)
		must.Do(b, err)
		must.Do(b, must.Err(s.Candidates(b.Context(), gene.Signals("error:oom"), "global", "", day)))
		s.Close()
	}
}

func BenchmarkFirstOpen(b *testing.B) {
	for b.Loop() {
		s, err := Open(b.Context(), b.TempDir())
		must.Do(b, err)
		s.Close()
	}
}

func BenchmarkSeeds(b *testing.B) {
	for b.Loop() {
		must.Do(b, must.Err(gene.Seeds()))
	}
}
