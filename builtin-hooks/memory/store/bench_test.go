package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// many is a folder with n facts, two hundred a day.
func many(tb testing.TB, n int) Keeper {
	k := Keeper{Dir: tb.TempDir(), Now: now, Random: rand.Uint64}
	must.Do(tb, os.MkdirAll(k.place().Path(memory.DailyDir), 0o700))
	for day := 0; day*200 < n; day++ {
		var b strings.Builder
		at := now.AddDate(0, 0, -day)
		for i := day * 200; i < min(n, day*200+200); i++ {
			fmt.Fprintf(&b, `{"id": "log-%d", "type": "fact", "memory_type": "W", "content": "第%d期：服务%d 的连接池上限是 %d，because module%x allows retries of queue%d", "entities": ["服务%d"], "confidence": 0.9, "timestamp": "%s", "source": {"session": "s"}}`+"\n",
				i, i%97, i, i%50, i*7919, i%31, i, memory.Stamp(at))
		}
		path := k.place().Path("daily/" + at.Format(time.DateOnly) + ".jsonl")
		must.Write(tb, path, b.String())
		must.Do(tb, os.Chtimes(path, at, at))
	}
	return k
}

// BenchmarkSave saves a fact that is like no other.
func BenchmarkSave(b *testing.B) {
	for _, n := range []int{100, 1_000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			k, i := many(b, n), 0
			k.Now = time.Now()
			if _, err := k.Save(memory.Fact{Content: "The first save makes the snapshot", Confidence: 0.9}, ""); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				i++
				f := memory.Fact{Content: fmt.Sprintf("Ticket %d moved the rounding of invoices to region %d", i*31, i%5), Entities: []string{fmt.Sprint("t", i)}, Confidence: 0.9}
				if s, err := k.Save(f, ""); err != nil || s.Status != "ok" {
					b.Fatal(s, err)
				}
			}
		})
	}
}

// BenchmarkReview reviews a folder in which nobody used anything for long, and facts
// differ by names and numbers.
func BenchmarkReview(b *testing.B) {
	for _, n := range []int{1_000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			k := many(b, n)
			for b.Loop() {
				list, left, err := k.Review(90, 20)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(list)+left), "findings")
			}
		})
	}
}
