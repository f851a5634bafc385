package truth_test

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A step is a fact that is saved into a memory: one that stands there already (host), one
// that holds beside all others (fact, distinct), or one that updates another, which is gone
// after it. What is said of a pair is taken out again, so that the next finds the memory as it was.
type step struct{ kind, older, text string }

// A moment is a step as it is weighed: the rivals of what is saved, and which of them it updates.
type moment struct {
	step
	rivals []truth.Rival
	of     int // -1: none
	many   int
}

// saves plays steps, and gives those of them that are no hosts.
func saves(t *testing.T, sense truth.Sense, steps []step) (out []moment) {
	t.Helper()
	dir := t.TempDir()
	cache := t.TempDir()
	if err := lexicon.Lay(cache, words.Unpack); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 4, 5, 6, 0, time.UTC)
	place, shelf := memory.Place{Dir: filepath.Join(dir, "data")}, search.Folder{Scope: "project", Dir: filepath.Join(dir, "data"), Cache: cache}
	serial := uint64(0)
	put := func(text string) string {
		serial++
		f := memory.Fact{ID: memory.NewID("log", now, serial), Kind: "W", Content: text, Time: now, Confidence: 0.9}
		if err := place.KeepFact(f, ""); err != nil {
			t.Fatal(err)
		}
		return f.ID
	}
	drop := func(id string) {
		for _, file := range place.FactFiles() {
			err := place.Rewrite(file, func(o *protocol.Object) (bool, bool, error) { return false, o.Text("id") != id, nil })
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	ids := map[string]string{}
	for _, s := range steps {
		older := ""
		if s.older != "" && ids[s.older] == "" {
			older = put(s.older)
		}
		if s.kind != "host" {
			near, many, err := shelf.Near(s.text, "", now)
			if err != nil {
				t.Fatal(err)
			}
			m := moment{step: s, of: -1, many: many}
			for _, n := range near {
				if n.Score == 0 && !n.Weak && truth.Compare(n.Content, s.text) == truth.Distinct {
					continue
				}
				if s.kind == "update" && n.Content == s.older {
					m.of = len(m.rivals)
				}
				m.rivals = append(m.rivals, truth.Rival{Text: n.Content, Score: n.Score, Shares: n.Shares, Only: n.Only, Other: n.Other, Weak: n.Weak})
			}
			out = append(out, m)
		}
		if older != "" {
			drop(older)
			continue
		}
		ids[s.text] = put(s.text)
		if s.kind == "update" {
			drop(ids[s.older])
		}
	}
	return out
}

// pairsAmong are the pairs of a file, each saved between the facts of a memory.
func pairsAmong(t *testing.T, file string, hosts []string) (out []step) {
	pairs := rowsOf(t, file)
	for i, p := range pairs {
		for _, h := range hosts[len(hosts)*i/len(pairs) : len(hosts)*(i+1)/len(pairs)] {
			out = append(out, step{kind: "host", text: h})
		}
		kind := "distinct"
		if p.update {
			kind = "update"
		}
		out = append(out, step{kind, p.older, p.newer})
	}
	return out
}

// memoryOf are the facts of a file of package search, without those that say which other they update.
func memoryOf(t *testing.T, file string, column int) (out []string) {
	for _, f := range fields(t, file) {
		if column < 2 || len(f) < 4 {
			out = append(out, f[column])
		}
	}
	return out
}

// inOrder are the facts of a file and what is said of them, as they stand.
func inOrder(t *testing.T, file string) (out []step) {
	of := map[string]string{}
	for _, f := range fields(t, "testdata/"+file) {
		if f[0] == "fact" {
			of[f[1]] = f[2]
			out = append(out, step{kind: "fact", text: f[2]})
		} else {
			out = append(out, step{f[0], of[f[1]], f[2]})
		}
	}
	return out
}

// heldFour is the memory of held-4, and what is said of it: in order, or with what is said
// of a fact somewhere behind it.
func heldFour(t *testing.T, between bool) (out []step) {
	of := map[string]string{}
	var said []step
	for _, f := range fields(t, "testdata/held-4.txt") {
		if f[0] == "fact" {
			of[f[1]] = f[2]
			out = append(out, step{kind: "fact", text: f[2]})
		} else {
			said = append(said, step{f[0], of[f[1]], f[2]})
		}
	}
	if !between {
		return append(out, said...)
	}
	for i, s := range said {
		at := slices.IndexFunc(out, func(o step) bool { return o.text == s.older }) + 1
		out = slices.Insert(out, at+(i*37)%(len(out)-at+1), s)
	}
	for i := range out {
		if out[i].kind == "fact" {
			out[i].kind = "host"
		}
	}
	return out
}

// A tally is what became of what was saved.
type tally struct{ replaced, asked, silent, kept, wrong, askedBeside, beside int }

func (a tally) String() string {
	return fmt.Sprintf("%d updates replaced, %d asked about, %d silent; %d others kept; %d wrongly replaced; %d of %d facts asked about", a.replaced, a.asked, a.silent, a.kept, a.wrong, a.askedBeside, a.beside)
}

func count(sense truth.Sense, list []moment, weights []float64) (n tally) {
	for _, m := range list {
		var replaced, asked []int
		j := truth.AmongBy(weights, m.text, m.rivals, m.many, sense)
		for i := range j {
			if j[i].Verdict == truth.Update {
				replaced = append(replaced, i)
			} else if j[i].Ask {
				asked = append(asked, i)
			}
		}
		slices.SortFunc(asked, func(a, b int) int { return cmp.Compare(j[b].Sure, j[a].Sure) })
		asked = asked[:min(2, len(asked))]
		if slices.ContainsFunc(replaced, func(i int) bool { return i != m.of }) {
			n.wrong++
		}
		switch {
		case m.kind == "fact":
			n.beside++
			if len(asked) > 0 {
				n.askedBeside++
			}
		case m.kind == "distinct" && len(replaced) == 0:
			n.kept++
		case m.kind == "distinct":
		case slices.Contains(replaced, m.of):
			n.replaced++
		case slices.Contains(asked, m.of):
			n.asked++
		default:
			n.silent++
		}
	}
	return n
}

// The weights of a rival's standing are those that memories give; and sets by people who
// had not seen the program are told as well as this by weights that were made without them.
// BM-TRU-02, BM-TRU-03, BM-TRU-20.
func TestStandings(t *testing.T) {
	t.Parallel()
	if !slowtest.On() && !*fit {
		t.Skip("with -slow")
	}
	sense := newSense(t)
	frozen, about := memoryOf(t, "../search/testdata/frozen/facts.txt", 1), memoryOf(t, "../search/testdata/meaning/facts.txt", 1)
	en, zh := memoryOf(t, "../search/testdata/retrieval/facts-en.txt", 2), memoryOf(t, "../search/testdata/retrieval/facts-zh.txt", 2)
	team := memoryOf(t, "testdata/beside.txt", 0)
	made := map[string][]moment{}
	for _, s := range []struct {
		file  string
		hosts []string
	}{
		{"held-1.txt", frozen}, {"held-2.txt", slices.Concat(team, zh)}, {"held-3.txt", frozen}, {"reworded.txt", slices.Concat(en, zh)}, {"meant.txt", slices.Concat(team, about)},
		{"fresh-1.txt", about}, {"fresh-2.txt", en}, {"fresh-3.txt", frozen}, {"changed.txt", slices.Concat(zh, frozen)}, {"tuned.txt", about}, {"scopes.txt", slices.Concat(team, frozen)},
	} {
		made[s.file] = saves(t, sense, pairsAmong(t, s.file, s.hosts))
		made[s.file+" small"] = saves(t, sense, pairsAmong(t, s.file, s.hosts[:6]))
	}
	made["held-4.txt"] = saves(t, sense, heldFour(t, true))
	for _, file := range []string{"held-5.txt", "held-7.txt", "held-8.txt", "held-9.txt", "team-5.txt"} {
		made[file] = saves(t, sense, inOrder(t, file))
	}
	for i, list := range [][]string{frozen, about, en, zh, team} {
		for k := 0; k+12 <= len(list) && i != 3; k += 12 {
			made[fmt.Sprint("memory ", i, " small ", k)] = saves(t, sense, asFacts(list[k:k+12]))
		}
		back := slices.Clone(list)
		slices.Reverse(back)
		for k, l := range [][]string{list, back} {
			made[fmt.Sprint("memory ", i, k)] = saves(t, sense, asFacts(l))
		}
	}
	var facts []step
	for _, s := range heldFour(t, false) {
		if s.kind == "fact" {
			facts = append(facts, s)
		}
	}
	made["held-4.txt alone"] = saves(t, sense, facts)
	given := standingsOf(sense, made, "")
	t.Logf("weights: %.2f", given)
	for i, w := range truth.Standings() {
		if math.Abs(w-given[i]) > 0.05 {
			t.Errorf("weight %d is %.2f, and the memories give %.2f", i, w, given[i])
		}
	}
	for _, set := range []struct {
		file  string
		steps []step
		want  tally
	}{
		{"held-1.txt", besideAll(t, "held-1.txt", frozen), tally{replaced: 18, silent: 15, kept: 40}},
		{"held-2.txt", besideAll(t, "held-2.txt", frozen), tally{replaced: 11, silent: 13, kept: 40}},
		{"held-3.txt", besideAll(t, "held-3.txt", frozen), tally{replaced: 31, silent: 6, kept: 40}},
		{"held-4.txt", heldFour(t, false), tally{replaced: 30, silent: 5, kept: 40, askedBeside: 5}},
	} {
		t.Run(set.file, func(t *testing.T) {
			have := count(sense, saves(t, sense, set.steps), standingsOf(sense, made, set.file))
			t.Logf("%s, by weights made without it: %v", set.file, have)
			if w := set.want; have.replaced < w.replaced || have.silent > w.silent || have.kept < w.kept || have.wrong > w.wrong || have.askedBeside > w.askedBeside {
				t.Errorf("%s: want %v, or better", set.file, w)
			}
		})
	}
}

// besideAll are the pairs of a file behind a memory.
func besideAll(t *testing.T, file string, hosts []string) []step {
	return append(asFacts(hosts), pairsAmong(t, file, nil)...)
}

// asFacts are facts of a memory, one after another.
func asFacts(list []string) (out []step) {
	for _, f := range list {
		out = append(out, step{kind: "fact", text: f})
	}
	return out
}

// standingsOf are the weights that moments give, but for those of one set.
func standingsOf(sense truth.Sense, sets map[string][]moment, without string) []float64 {
	var rows []weighed
	for name, list := range sets {
		if without != "" && strings.HasPrefix(name, without) || strings.HasPrefix(name, "memory 0") && without != "held-4.txt" && without != "" {
			continue // the others were played beside that memory
		}
		for _, m := range list {
			for i, x := range truth.Standing(m.text, m.rivals, m.many, sense) {
				if m.rivals[i].Weak && truth.Compare(m.rivals[i].Text, m.text) == truth.Distinct {
					continue // it is named at most
				}
				y := 0.0
				if i == m.of {
					y = 1
				}
				rows = append(rows, weighed{x, y, counts(name, m.kind)})
			}
		}
	}
	return newton(rows)
}

// counts is how much a moment counts: what is saved into a small memory less, since most
// are not, and what only stands beside all else more, since most of what is saved does.
func counts(name, kind string) float64 {
	n := 1.0
	if strings.Contains(name, "small") {
		n = 0.2
	}
	if kind == "fact" {
		n *= 3
	}
	return n
}
