package main

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
)

// A matter is one thing that a team has to know, in several texts that share few words:
// what a note says about it, and how people ask who do not know the words of the note.
type matter []string

// ownTexts are the matters in a folder, and groups of phrases that call for the same
// note: they were written for this, since packages have no texts in which people ask.
func ownTexts(dir string) (matters []matter, groups []matter, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		return nil, nil, errors.Join(err, fmt.Errorf("reading what was written: no files in %q", dir))
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		at := 0
		for line := range strings.Lines(string(b)) {
			at++
			line = strings.TrimSpace(line)
			kind, text, _ := strings.Cut(line, " ")
			switch {
			case line == "":
			case kind == "F":
				matters = append(matters, matter{text})
			case kind == "Q" && len(matters) > 0:
				last := &matters[len(matters)-1]
				*last = append(*last, text)
			case strings.Contains(line, " | "):
				groups = append(groups, strings.Split(line, " | "))
			default:
				return nil, nil, fmt.Errorf("%s:%d: %q is neither a note (F), a question (Q) nor a group of phrases", name, at, line)
			}
		}
	}
	return matters, groups, nil
}

// leastMatters is how many matters must contain a word so that it gets a vector however
// rare it is elsewhere.
const leastMatters = 2

// wordsOf are the wanted words that occur in enough of some matters.
func wordsOf(matters []matter, wanted func(string) bool) (out []string) {
	in := map[string]int{}
	for _, m := range matters {
		here := map[string]bool{}
		for _, text := range m {
			for _, w := range search.Terms(text) {
				here[w] = here[w] || wanted(w)
			}
		}
		for w, ok := range here {
			if ok {
				in[w]++
			}
		}
	}
	for w, n := range in {
		if n >= leastMatters {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// english joins a matter's English texts.
func (m matter) english() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(m), func(text string) bool { return strings.ContainsFunc(text, isHan) }), " ")
}

// besides adds Chinese that is in the matters but in no package's texts: pairs of
// characters and single ones. Their initial vectors come from the texts beside them.
func besides(matters []matter, en, zh []entry) []entry {
	vectors := map[string][]float32{}
	for _, e := range slices.Concat(en, zh) {
		vectors[e.text] = e.vector
	}
	lacking := func(w string) bool {
		r := []rune(w)
		return vectors[w] == nil && !search.IsCommon(w) && (han(w) || len(r) == 1 && isHan(r[0]))
	}
	near := map[string][]float32{}
	for _, w := range wordsOf(matters, lacking) {
		near[w] = make([]float32, dims)
	}
	for _, m := range matters {
		for _, text := range m {
			sum, terms := make([]float32, dims), search.Terms(text)
			for _, w := range terms {
				if v := vectors[w]; v != nil {
					addTo(sum, v, 1)
				}
			}
			for _, w := range terms {
				if v := near[w]; v != nil {
					addTo(v, sum, 1)
				}
			}
		}
	}
	for _, w := range slices.Sorted(maps.Keys(near)) {
		zh = append(zh, entry{text: w, vector: scaled(near[w], besideTells)})
	}
	return zh
}

// besideTells is how much such a word tells initially.
const besideTells = 0.3

// numbered are texts as the numbers of their words, each with whether it is English.
func numbered(matters []matter, en, zh []entry) (out [][]said) {
	number := map[string]int32{}
	for i, e := range slices.Concat(en, zh) {
		number[e.text] = int32(i)
	}
	for _, m := range matters {
		var texts []said
		for _, text := range m {
			var s said
			for _, w := range search.Terms(text) {
				if n, ok := number[w]; ok && !search.IsCommon(w) {
					s.words = append(s.words, n)
				}
			}
			s.english = !strings.ContainsFunc(text, isHan)
			if s.words != nil {
				texts = append(texts, s)
			}
		}
		if len(texts) > 1 {
			out = append(out, texts)
		}
	}
	return out
}

// said is a text of a matter.
type said struct {
	words   []int32
	english bool
}

// asked draws two texts of one matter: both English, or at least one that is not.
func asked(r *rand.Rand, from [][]said, english bool) (a, b []int32) {
	for range 100 {
		m := from[r.IntN(len(from))]
		i, j := r.IntN(len(m)), r.IntN(len(m))
		if i != j && (m[i].english && m[j].english) == english {
			return m[i].words, m[j].words
		}
	}
	return nil, nil
}
