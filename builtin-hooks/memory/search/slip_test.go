package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// written are words as memories have them, most of them with endings that the index does not keep.
var written = strings.Fields(`addresses batteries buses cities classes deliveries dependencies diaries enemies factories
	galleries harbours indexes journeys libraries masses mirrors notices offices parcels queries recipes
	salaries services sketches stories surfaces territories tickets typefaces vacancies voyages wages
	cancelled rendered scheduled compiling deploying shipping caching mapped provisioned settings listings keys
	frontend archive postgres kubernetes`)

// offByOne are the ways to write a word with one letter wrong behind the first.
func offByOne(word string) (out []string) {
	for i := 1; i < len(word); i++ {
		if i+1 < len(word) && word[i] != word[i+1] {
			out = append(out, word[:i]+string(word[i+1])+string(word[i])+word[i+2:])
		}
		out = append(out, word[:i]+word[i+1:], word[:i]+word[i:i+1]+word[i:], word[:i]+"q"+word[i+1:])
	}
	return out
}

// A word with one letter wrong is found as it was written, also where the index knows the two by
// different stems: nothing of it was left as it was but what the index does not keep.
// BM-FND-03.
func TestOneLetterOffAWordAsItWasWritten(t *testing.T) {
	t.Parallel()
	var docs []Doc
	for i, word := range written {
		docs = append(docs, Doc{ID: fmt.Sprint(i), Kind: "fact", Type: "W", Content: "Ask Zoe about the " + word + " in room " + fmt.Sprint(i) + ".", Time: day})
	}
	for name, s := range map[string]*Snapshot{"words": snapshotOf(t, docs, nil), "words and meaning": snapshotOf(t, docs, lexiconOf(t, t.TempDir()))} {
		all, others, found, missed := 0, 0, 0, []string{}
		for i, word := range written {
			for _, typo := range offByOne(word) {
				stem := stem(typo)
				if len(typo) < leastSlipped || s.spread(stem) > 0 {
					continue // another word that is there
				}
				is := slices.ContainsFunc(Search(s, Query{Text: typo, Max: 5, Method: Hybrid, Now: day}), func(h Hit) bool { return h.ID == fmt.Sprint(i) })
				if _, known := s.lexicon.Find(stem); known { // stores, but rendred too: what it means counts as well
					if others++; is {
						found++
					}
					continue
				}
				if all++; !is {
					missed = append(missed, typo)
				}
			}
		}
		t.Logf("%s: %d of %d are found, and %d of %d that may be another word", name, all-len(missed), all, found, others)
		if len(missed) > 0 || all < 1000 || found*10 < others*8 {
			t.Errorf("%s: of %d are not found: %q", name, all, missed)
		}
	}
}

// What a ruler kept of a word before is not taken for a part of another, in whatever order they
// come: each is as far away as all ways to compare the two say.
func TestARulerForgetsWhatIsOver(t *testing.T) {
	t.Parallel()
	var far func(a, b string) int
	far = func(a, b string) int {
		if a == "" || b == "" {
			return len(a) + len(b)
		}
		d := min(far(a[1:], b), far(a, b[1:])) + 1
		if a[0] == b[0] {
			return min(d, far(a[1:], b[1:]))
		}
		if d = min(d, far(a[1:], b[1:])+1); len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
			d = min(d, far(a[2:], b[2:])+1)
		}
		return d
	}
	random := rand.New(rand.NewPCG(3, 5))
	draw := func() string {
		b := make([]byte, 1+random.IntN(7))
		for i := range b {
			b[i] = "abc"[random.IntN(3)]
		}
		return string(b)
	}
	near := 0
	for range 200 {
		as := draw()
		r := ruler{as: as}
		for range 40 {
			have := draw()
			if most := 1 + random.IntN(2); r.distance(have, most) != min(far(as, have), most+1) {
				t.Fatalf("%s is %d from %s, not %d", as, r.distance(have, most), have, far(as, have))
			} else if far(as, have) <= most {
				near++
			}
			r.ended(have, 1)
		}
	}
	if near < 500 {
		t.Errorf("%d pairs were near: this looked at nothing", near)
	}
}
