package model2vec_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/model2vec"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/static"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// What a disk or another program did to the file that is searched with is an error,
// or other numbers, and never more than that.
// BM-MDL-07.
func TestADamagedFileIsNoModelOrAWorseOne(t *testing.T) {
	t.Parallel()
	const text = "the cache 数据库 don't <unk> multi word token zzz 12"
	for _, name := range []string{"wordpiece", "unigram", "gpt2", "llama"} {
		t.Run(name, func(t *testing.T) {
			s, err := model2vec.Open(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			f, err := os.Create(filepath.Join(dir, "whole"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Convert(f); err != nil {
				t.Fatal(err)
			}
			f.Close()
			s.Close()
			whole, err := os.ReadFile(f.Name())
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, 2))
			path := filepath.Join(dir, "damaged")
			found := 0
			many := slowtest.Count(40, 120)
			for i := range many {
				b := append([]byte(nil), whole...)
				if i%4 == 0 {
					b = b[:random.IntN(len(b))]
				} else {
					at := random.IntN(len(b))
					for j := range min(64, len(b)-at) {
						b[at+j] = byte(random.Uint32())
					}
				}
				must.Write(t, path, b)
				m, err := static.Open(path)
				if err != nil {
					found++
					continue
				}
				m.Raw(text)
				if m.Check() != nil {
					found++
				}
				m.Close()
			}
			if found < many*95/100 { // padding is nobody's
				t.Errorf("%s: of %d damaged files %d were found", name, many, found)
			}
		})
	}
}
