// Package fill stores a model's vectors of the memories, for searches to compare with: when a
// session ends, when the index is built, when a model is chosen. No search waits for it.
//
//	made, err := fill.Fill(file, model, entries, ask)
//
// The cosine of unrelated texts depends on the model: 0.1 with some, 0.7 with others.
// So a sample of pairs is compared by the model and by the lexicon, and the resulting
// scale is stored with the vectors: "weak" and "certain" mean the same for any model.
// [Background] is part of each sample, so that a small memory has one.
package fill

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
)

// Background are texts that have little to do with each other. The first one is asked for each
// time: if the answer differs, the model has changed.
func Background() []string {
	return []string{
		"The deploy window is Tuesday morning, after the backup has run",
		"Ann prefers short commit messages in the imperative",
		"Images of products are resized to 800 pixels in a worker",
		"单元测试用表格驱动，放在同一个包里",
		"The mobile app talks to the gateway over gRPC",
		"Invoices are rounded half up, at the line",
		"客户的时区存为 UTC，界面按浏览器显示",
		"Feature flags live in a YAML file of the config repository",
		"The search index is rebuilt at night",
		"密码用 argon2 加盐存储",
		"Logs are kept for thirty days",
		"The office closes at six on Fridays",
		"Kafka topics have twelve partitions each",
		"前端用 Vue，状态放在 Pinia",
		"A race in the cache made tests flaky in March",
		"接口返回错误码和可读的中文说明",
	}
}

// An Ask makes the vectors of some texts, all of the same length.
type Ask func(texts []string) ([][]float32, error)

// same is the least cosine of two answers of one model to one text: other machines round
// differently.
const same = 0.98

// Fill makes the vectors that are not stored yet, a batch at a time, and removes those of texts
// that no longer exist. What was made before a failure is stored. If the model behind the name
// has changed, all vectors are made again.
func Fill(file, model string, entries []search.Entry, batch int, ask Ask) (made int, err error) {
	f := filling{now: map[uint64][]byte{}, ask: ask}
	known := search.OpenKept(file, model)
	missing := f.missing(known, entries)
	before := known.Count()
	if len(missing) > 0 && before > 0 {
		if was := known.Of(search.Key(Background()[0])); was != nil {
			var v [][]float32
			if v, err = ask(Background()[:1]); err == nil && search.Alike(search.Pack(v[0]), was) < same { // mutant: no model's answers are alike by just that
				f.now, before = map[uint64][]byte{}, 0
				missing = f.missing(nil, entries)
			}
		}
	}
	known.Close() // what is reused was copied
	for len(missing) > 0 && err == nil {
		part := missing[:min(batch, len(missing))]
		missing = missing[len(part):]
		err = f.part(part)
	}
	if f.made == 0 && len(f.now) == before {
		return 0, err
	}
	scale, shift := f.scale(entries)
	return f.made, errors.Join(err, write(file, search.KeptFile(model, f.now, scale, shift)))
}

type filling struct {
	now  map[uint64][]byte
	ask  Ask
	size int
	made int
}

// missing takes over the stored vectors, and finds what has none.
func (f *filling) missing(known *search.Kept, entries []search.Entry) (out []search.Entry) {
	asked := map[uint64]bool{}
	f.size = 0
	for _, e := range entries {
		if v := known.Of(e.Key); v != nil {
			f.now[e.Key] = append([]byte(nil), v...)
			f.size = len(v)
		} else if !asked[e.Key] {
			asked[e.Key] = true
			out = append(out, e)
		}
	}
	return out
}

func (f *filling) part(part []search.Entry) error {
	texts := make([]string, len(part))
	for i, e := range part {
		texts[i] = e.Text
	}
	list, err := f.ask(texts)
	if err != nil {
		return err
	}
	if len(list) != len(part) {
		return fmt.Errorf("%d texts have %d vectors", len(part), len(list))
	}
	for i, v := range list {
		packed := search.Pack(v)
		if packed == nil {
			continue // it says nothing about this text
		}
		if f.size == 0 {
			f.size = len(packed)
		}
		if len(packed) != f.size {
			return fmt.Errorf("a vector of %d numbers, and those before have %d", len(packed)-4, f.size-4)
		}
		f.now[part[i].Key] = packed
		f.made++
	}
	return nil
}

// pairs is how many pairs are compared at most.
const pairs = 2000

// scale turns a cosine of the model into one of the lexicon: with the same mean and deviation.
func (f *filling) scale(entries []search.Entry) (scale, shift float32) {
	var both []search.Entry
	for _, e := range entries {
		if len(e.Vector) > 0 && f.now[e.Key] != nil {
			both = append(both, e)
		}
	}
	var ours, theirs moments
	for step := 1; step < len(both) && ours.n < pairs; step += 1 + step/3 {
		for i := 0; i+step < len(both) && ours.n < pairs; i++ {
			a, b := both[i], both[i+step]
			if a.Key != b.Key {
				ours.add(float64(search.Alike(a.Vector, b.Vector)))
				theirs.add(float64(search.Alike(f.now[a.Key], f.now[b.Key])))
			}
		}
	}
	const fewest, narrowest = 30, 1e-3
	if ours.n < fewest || theirs.wide() < narrowest {
		return 1, 0
	}
	by := ours.wide() / theirs.wide()
	return float32(by), float32(ours.middle() - by*theirs.middle())
}

// moments are of some numbers: their count, their sum, and the sum of their squares.
type moments struct {
	n           int
	sum, square float64
}

func (m *moments) add(x float64)   { m.n, m.sum, m.square = m.n+1, m.sum+x, m.square+x*x }
func (m *moments) middle() float64 { return m.sum / float64(m.n) }
func (m *moments) wide() float64 {
	return math.Sqrt(max(0, m.square/float64(m.n)-m.middle()*m.middle()))
}

func write(file string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone after the rename
	_, err = temp.Write(b)
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), file)
}
