package keeper

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
)

// What is passed over when a fact is saved is nothing that it repeats or stands for: the
// answers are those of comparing with everything.
// BM-TRU-06.
func TestNearMissesNothing(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	texts := retrievalFacts(t)
	var day strings.Builder
	for i, text := range texts {
		id := "log-" + strings.Repeat("x", i%3) + string(rune('a'+i%26)) + filepath.Base(f.Dir)
		line := `{"id": "` + id + `", "type": "fact", "memory_type": "W", "content": "` + text + `", "entities": ["e"], "timestamp": "2026-11-20T00:00:00Z"}`
		if i%5 == 0 {
			line = escaped(line)
		}
		day.WriteString(strings.Replace(line, id, memory.NewID("log", now, uint64(i)), 1) + "\n")
	}
	day.WriteString(`{"id": "log-t", "type": "fact", "memory_type": "W", "content": "nothing alike", "topic_key": "k", "timestamp": "2026-11-20T00:00:00Z"}` + "\n")
	f.write("daily/2026-11-20.jsonl", day.String())
	all, err := f.Facts()
	if err != nil {
		t.Fatal(err)
	}
	living := Living(all, now)
	same, stood := 0, 0
	random := rand.New(rand.NewPCG(1, 2))
	for i, text := range texts {
		if i%3 > 0 {
			continue
		}
		topic := ""
		if i%30 == 0 {
			topic = "k"
		}
		fact := memory.Fact{Kind: "W", Content: changed(random, text), Entities: []string{"e"}}
		near, err := f.relations(fact, topic)
		if err != nil {
			t.Fatal(err)
		}
		want, got := map[string]truth.Verdict{}, map[string]truth.Verdict{}
		for _, e := range living {
			if v := relate(e, fact, topic); v != truth.Distinct {
				want[e.ID] = v
				stood++
				if v == truth.Same {
					same++
				}
			}
		}
		for _, r := range near {
			got[r.ID] = r.verdict
		}
		if !maps.Equal(want, got) {
			t.Errorf("%q: %v, want %v", fact.Content, got, want)
		}
	}
	if same < 30 || stood < 60 {
		t.Errorf("only %d repeat of %d that have to do with it: this test compares nothing", same, stood)
	}
}

// changed is a text as somebody might say it again.
func changed(r *rand.Rand, text string) string {
	switch r.IntN(6) {
	case 0:
		return strings.ToUpper(text)
	case 1:
		return strings.NewReplacer(" ", "  ", ",", "，", "-", " ", "_", "-").Replace(text)
	case 2: // another word at the end
		return text + " again"
	case 3: // wide letters
		return strings.Map(func(c rune) rune {
			if c > ' ' && c < 0x7f {
				return c + 0xfee0
			}
			return c
		}, text)
	case 4: // a word less
		words := strings.Fields(text)
		at := r.IntN(len(words))
		return strings.Join(slices.Delete(words, at, at+1), " ") + "。"
	}
	return text
}

// escaped spells what is not ASCII as Python does.
func escaped(line string) string {
	var b strings.Builder
	for _, r := range line {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			const hex = "0123456789abcdef"
			b.WriteString(`\u` + string([]byte{hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15]}))
		}
	}
	return b.String()
}

// retrievalFacts are the texts of the retrieval benchmark.
func retrievalFacts(t *testing.T) (out []string) {
	t.Helper()
	for _, name := range []string{"facts-en.txt", "facts-zh.txt"} {
		b, err := os.ReadFile(filepath.Join("..", "find", "testdata", "retrieval", name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			text := strings.Split(strings.TrimSpace(line), " | ")[2]
			out = append(out, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text))
		}
	}
	return out
}
