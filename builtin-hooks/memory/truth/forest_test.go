package truth_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

var fit = flag.Bool("fit", false, "make forest.bin, odds.txt and phrases.bin of the memories, and print how it tells those that it is made without (minutes)")

// A tally is what became of what was saved.
type tally struct{ replaced, asked, named, silent, kept, wrong, askedBeside, namedBeside, beside int }

func (a tally) String() string {
	return fmt.Sprintf("%d updates replaced, %d asked about, %d named, %d silent; %d others kept; %d wrongly replaced; of %d facts %d asked about, at %d others something named",
		a.replaced, a.asked, a.named, a.silent, a.kept, a.wrong, a.beside, a.askedBeside, a.namedBeside)
}

func (a *tally) add(m moment, list []truth.Judgement) {
	of := func(is func(truth.Judgement) bool) (out []int) {
		for i, j := range list {
			if is(j) {
				out = append(out, i)
			}
		}
		return out
	}
	replaced := of(func(j truth.Judgement) bool { return j.Verdict == truth.Update })
	asked := of(func(j truth.Judgement) bool { return j.Verdict != truth.Update && j.Ask })
	slices.SortFunc(asked, func(x, y int) int { return cmp.Compare(list[y].Sure, list[x].Sure) })
	asked = asked[:min(2, len(asked))]
	named := of(func(j truth.Judgement) bool { return j.Name })
	if slices.ContainsFunc(replaced, func(i int) bool { return i != m.of }) {
		a.wrong++
	}
	switch {
	case m.kind == "fact":
		a.beside++
		if len(asked) > 0 {
			a.askedBeside++
		} else if len(named) > 0 {
			a.namedBeside++
		}
	case m.kind == "distinct" && len(replaced) == 0:
		a.kept++
	case m.kind == "distinct":
	case slices.Contains(replaced, m.of):
		a.replaced++
	case slices.Contains(asked, m.of):
		a.asked++
	case slices.Contains(named, m.of):
		a.named++
	default:
		a.silent++
	}
}

// The memories and pairs that the forest is made of, each in the ways in which it is played.
func sets(t *testing.T) map[string][]step {
	of := func(name string, column int) []string { return factsOf(t, "../search/testdata/"+name, column) }
	frozen, about, en, zh := of("frozen/facts.txt", 1), of("meaning/facts.txt", 1), of("retrieval/facts-en.txt", 2), of("retrieval/facts-zh.txt", 2)
	team := factsOf(t, "testdata/beside.txt", 0)
	out := map[string][]step{}
	files, err := filepath.Glob("testdata/memories/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "testdata/held-4.txt", "testdata/held-5.txt", "testdata/held-7.txt", "testdata/held-8.txt", "testdata/held-9.txt") {
		name, list, pairs := filepath.Base(file), inOrder(t, file), pairsOf(t, file)
		out[name], out[name+" mixed"], out[name+" small"], out[name+" alone"] = list, mixed(list), among(pairs, frozen[:6]), pairs
		var facts []string
		for _, s := range list {
			if s.kind == "fact" {
				facts = append(facts, s.text)
			}
		}
		out[name+" few"] = inSmall(facts)
	}
	out["team-5.txt"] = inOrder(t, "testdata/team-5.txt")
	for file, hosts := range map[string][]string{
		"held-1.txt": frozen, "held-2.txt": slices.Concat(team, zh), "held-3.txt": frozen, "reworded.txt": slices.Concat(en, zh), "meant.txt": slices.Concat(team, about), "fresh-1.txt": about,
		"fresh-2.txt": en, "fresh-3.txt": frozen, "changed.txt": slices.Concat(zh, frozen), "tuned.txt": about, "scopes.txt": slices.Concat(team, frozen), "slots.txt": team,
	} {
		pairs := pairsOf(t, "testdata/"+file)
		out[file], out[file+" small"], out[file+" alone"] = among(pairs, hosts), among(pairs, hosts[:6]), pairs
	}
	hosts := [][]string{frozen, about, en, zh, team}
	for i, file := range pairFiles(t) {
		name, pairs, beside := filepath.Base(file), pairsOf(t, file), hosts[i%len(hosts)]
		out[name], out[name+" small"], out[name+" alone"] = among(pairs, beside), among(pairs, beside[:6]), pairs
	}
	for i, list := range hosts {
		name := fmt.Sprint("facts-", i)
		out[name], out[name+" few"] = asFacts(list), inSmall(list)
	}
	return out
}

// pairFiles are pairs that were written for this, by several people.
func pairFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/pairs-*.txt")
	must.Do(t, err)
	return files
}

// everyday are pairs as most people put them: in the words of the older one, or nearly so.
var everyday = []string{"tuned.txt", "fresh-1.txt", "fresh-2.txt", "fresh-3.txt", "changed.txt", "scopes.txt", "slots.txt"}

// counts is how much a moment counts: what is played in a small memory less, since most are not.
func counts(name string) float64 {
	usual := strings.HasSuffix(name, "few") || strings.HasSuffix(name, "mixed") || name == setOf(name)
	if usual || slices.Contains(everyday, setOf(name)) || strings.HasPrefix(name, "pairs-") {
		return 1
	}
	return 0.3
}

// A played set is what is told of each rival at each moment of it.
type playedSet struct {
	moments []moment
	signs   [][][]float64
	words   [][][]string // by which the newer differs from each rival
	phrases [][][]uint32 // of the newer beside each rival
}

// playAll plays the sets, several at once.
func playAll(t *testing.T) map[string]playedSet {
	out := map[string]playedSet{}
	var mu sync.Mutex
	t.Run("sets", func(t *testing.T) {
		for name, steps := range sets(t) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				p := playedSet{moments: saves(t, steps)}
				sense := newSense(t) // which one goroutine may use
				for _, m := range p.moments {
					p.signs = append(p.signs, truth.Signs(m.text, m.rivals, m.many, sense))
					var words [][]string
					var phrases [][]uint32
					for _, r := range m.rivals {
						words, phrases = append(words, truth.NewWords(r.Text, m.text)), append(phrases, truth.Phrases(r.Text, m.text))
					}
					p.words, p.phrases = append(p.words, words), append(p.phrases, phrases)
				}
				mu.Lock()
				defer mu.Unlock()
				out[name] = p
			})
		}
	})
	return out
}

// setOf is the file that a set is made of.
func setOf(name string) string {
	file, _, _ := strings.Cut(name, " ")
	return file
}

// A word is known if so many sets have it: it is none of one team's.
const knownSets = 8

// odds are those of the words that are known, by the target of each moment or else its first
// rival, in all sets but some.
func odds(made map[string]playedSet, without func(set string) bool) map[string]float64 {
	type tally struct {
		yes, no float64
		in      int
	}
	words, all := map[string]*tally{}, tally{}
	for name, p := range made {
		if name != setOf(name) || without(name) {
			continue
		}
		here := map[string]bool{}
		for k, m := range p.moments {
			for i, list := range p.words[k] {
				if i > 0 && i != m.of {
					continue
				}
				yes := 0.0
				if i == m.of {
					yes = 1
				}
				all.yes, all.no = all.yes+yes, all.no+1-yes
				for _, w := range list {
					if words[w] == nil {
						words[w] = &tally{}
					}
					words[w].yes, words[w].no = words[w].yes+yes, words[w].no+1-yes
					here[w] = true
				}
			}
		}
		for w := range here {
			words[w].in++
		}
	}
	out := map[string]float64{}
	part := all.yes / (all.yes + all.no)
	for w, n := range words {
		const beforehand = 3
		if n.in >= knownSets {
			out[w] = math.Round(100*math.Log((n.yes+beforehand*part)/(n.no+beforehand*(1-part))*(1-part)/part)) / 100
		}
	}
	return out
}

// What is said is what words and turns of phrase say, as some sets show it.
type said struct {
	words   map[string]float64
	phrases map[uint32]float64
}

func saidBy(made map[string]playedSet, without func(set string) bool) said {
	return said{odds(made, without), learn(made, without)}
}

// tell puts what is said of a moment's rival behind what else is known of it.
func (s said) tell(p playedSet, k, i int, signs []float64) []float64 {
	x := slices.Clone(signs)
	n := len(x)
	x[n-3] = 0
	for _, h := range p.phrases[k][i] {
		x[n-3] += s.phrases[h]
	}
	x[n-2], x[n-1] = truth.WordOdds(p.words[k][i], s.words)
	return x
}

// rowsOf are the rows of all sets but some. What is said of a set is what others show: the sets are
// dealt to so many groups.
func rowsOf(made map[string]playedSet, without func(set string) bool) (out []weighed) {
	const groups = 8
	group := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if _, dealt := group[setOf(name)]; !dealt && !without(setOf(name)) {
			group[setOf(name)] = len(group) % groups
		}
	}
	var byOthers [groups]said
	var wait sync.WaitGroup
	for g := range groups {
		wait.Go(func() {
			byOthers[g] = saidBy(made, func(other string) bool { return group[other] == g || without(other) })
		})
	}
	wait.Wait()
	for _, name := range slices.Sorted(maps.Keys(made)) {
		set := setOf(name)
		if without(set) {
			continue
		}
		p := made[name]
		for k, m := range p.moments {
			for i, x := range p.signs[k] {
				if x == nil {
					continue
				}
				x = byOthers[group[set]].tell(p, k, i, x)
				out = append(out, weighed{x, map[bool]float64{true: 1}[i == m.of], counts(name)})
			}
		}
	}
	return out
}

// TestForest makes forest.bin, odds.txt and phrases.bin. Before that it says how each fifth of the memories is
// told by what is made without it.
func TestForest(t *testing.T) {
	if !*fit {
		t.Skip("with -fit")
	}
	made := playAll(t)
	files, err := filepath.Glob("testdata/memories/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	memories := len(files)
	files = append(files, pairFiles(t)...)
	const parts = 5
	var sum, ofPairs tally
	for part := range parts {
		mine := func(set string) bool {
			i := slices.IndexFunc(files, func(f string) bool { return set == filepath.Base(f) })
			return i >= 0 && i%parts == part
		}
		forest, _ := grow(rowsOf(made, mine))
		others := saidBy(made, mine)
		for i, file := range files {
			name := filepath.Base(file)
			if !mine(name) {
				continue
			}
			var have tally
			p := made[name]
			if i >= memories {
				p = made[name+" alone"]
			}
			for k, m := range p.moments {
				list := truth.AmongBy(m.rivals, p.signs[k], func(i int, x []float64) float64 {
					return forest.Chance(others.tell(p, k, i, x))
				}, m.text)
				have.add(m, list)
			}
			t.Logf("%s, by what is made without it: %v", name, have)
			if i < memories {
				sum = plus(sum, have)
			} else {
				ofPairs = plus(ofPairs, have)
			}
		}
	}
	t.Logf("memories together: %v", sum)
	t.Logf("pairs together: %v", ofPairs)
	none := func(string) bool { return false }
	forest, gains := grow(rowsOf(made, none))
	for i, name := range truth.SignNames() {
		t.Logf("%-20s %.0f", name, gains[i])
	}
	var lines strings.Builder
	all := saidBy(made, none)
	for _, w := range slices.Sorted(maps.Keys(all.words)) {
		fmt.Fprintf(&lines, "%s %.2f\n", w, all.words[w])
	}
	for file, b := range map[string][]byte{"forest.bin": forest.Bytes(), "odds.txt": []byte(lines.String()), "phrases.bin": truth.PhraseBytes(all.phrases)} {
		if err := os.WriteFile(file, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func plus(a, b tally) tally {
	return tally{a.replaced + b.replaced, a.asked + b.asked, a.named + b.named, a.silent + b.silent, a.kept + b.kept, a.wrong + b.wrong, a.askedBeside + b.askedBeside, a.namedBeside + b.namedBeside, a.beside + b.beside}
}
