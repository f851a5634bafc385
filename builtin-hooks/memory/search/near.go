package search

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
)

// Limits of Near: so many bytes of lists of entries are read, from the rarest word on; the lists
// of so many words if no word is rare; so many entries are compared closely; and so many results
// of a search are returned.
const (
	listsMost = longList
	listsFew  = 3
	closely   = 48
	akinMost  = 8
	rarest    = 3 // of those that share the most significant words, so many are judged though no search finds them

	ofTopic = 1e6 // for the topic key
)

// A Neighbour is a fact that may be related to a new one, and how it stands out among all
// others.
type Neighbour struct {
	Doc
	Score  float64 // its score in a search for the text; 0: it only shares words
	Shares float64 // how much of the text it says in the same words: the fewer facts have a word, the more it counts
	Only   float64 // the significance of the most significant word that only these two have
	Other  bool    // they name different things, each of which several facts name
	Weak   bool    // the search does not find it, but few facts have more of the text's words
}

// Near are the facts that share the most significant words with a text, and those with a topic
// key, the nearest first: any fact that a new one may repeat or replace is among those of them
// that hold. They are followed by the best results of a search for the text, in whatever words.
// many is the number of memories. It reads the folder's snapshot, or makes one, and so takes
// nearly the same time however many facts there are.
func (s Folder) Near(text, topic string, now time.Time) (near []Neighbour, many int, err error) {
	l, _ := lexicon.Open(lexicon.Path(s.Cache)) // to store what is made
	defer l.Close()
	snap, err := s.open(l)
	if err == nil {
		err = snap.Refresh(s.Sources(), now, readMost)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrTooMuch) {
		if snap != nil {
			snap.Close()
		}
		snap, err = New("", l), nil
		if _, bad := s.Keep(now, 0); bad == nil {
			if kept, bad := s.open(l); bad == nil {
				snap = kept
			}
		}
		err = snap.Refresh(s.Sources(), now, 0)
	}
	if err != nil {
		return nil, 0, err
	}
	defer snap.Close()
	near = snap.neighbours(text, topic, now)
	if snap.path != "" {
		_ = snap.keep(snap.Write) // if that fails, it is read again the next time
	}
	return near, snap.count, nil
}

func (s *Snapshot) neighbours(text, topic string, now time.Time) (out []Neighbour) {
	hits := Search(s, Query{Text: text, Max: akinMost, Now: now, few: true})
	rare := s.rarities(text)
	for k, n := range s.near(Terms(text), topic) {
		d := n.Doc
		if i := slices.IndexFunc(hits, func(h Hit) bool { return h.ID == d.ID && d.ID != "" }); i >= 0 {
			n.Score = hits[i].Score
		}
		n.Weak = n.Score == 0 && k < rarest && rare.sharesName(d)
		out = append(out, n)
	}
	for _, h := range hits {
		if h.Kind == "fact" && h.ID != "" && h.Type != "S" && !slices.ContainsFunc(out, func(n Neighbour) bool { return n.ID == h.ID }) {
			out = append(out, Neighbour{Doc: h.Doc, Score: h.Score})
		}
	}
	for i := range out {
		if out[i].Score > 0 || out[i].Weak {
			rare.compare(&out[i])
			out[i].Other = s.otherThings(rare, out[i].Doc)
		}
	}
	return out
}

// In a small memory, the rarity of a word means little: the lexicon's weight counts like so
// many facts, and its most significant words count so much.
const (
	beforehand = 60
	mostRare   = 6
	rareName   = 0.5 // of that, for a word that is not in the lexicon
)

// rarities are the significance of each word of a text in a memory, and the number of facts
// that have it.
type rarities struct {
	of  map[string]rarity
	all float64
}

type rarity struct {
	tells, lexicon float64
	in             int
	name           bool // no lexicon has it
	thing          bool // and it names something that several facts are about
}

// severalFacts is from how many facts on a word that no lexicon has names a thing of the team's.
const severalFacts = 3

func (s *Snapshot) rarities(text string) rarities {
	out := rarities{of: map[string]rarity{}}
	many := float64(s.count)
	for _, word := range Terms(text) {
		if _, have := out.of[word]; have || isCommon(word) {
			continue
		}
		r := rarity{lexicon: rareName, in: s.spread(word)}
		if n, is := s.lexicon.Find(word); is {
			r.lexicon = float64(s.lexicon.Weight(n))
		} else {
			r.name = isName(word)
			r.thing = r.name && r.in >= severalFacts
		}
		r.tells = (many*math.Log((many+1)/float64(r.in+1)) + beforehand*mostRare*r.lexicon) / (many + beforehand)
		out.of[word] = r
		out.all += r.tells
	}
	return out
}

// isName reports whether a word begins with a Latin letter: two Chinese characters that no
// lexicon has may be cut anywhere.
func isName(word string) bool { return len(word) > 2 && word[0] >= 'a' && word[0] <= 'z' }

// otherThings reports whether a fact names a thing that the words do not, and vice versa: two
// services of a team.
func (s *Snapshot) otherThings(r rarities, d Doc) bool {
	words := Terms(d.Text())
	if !anyThing(r, words) {
		return false
	}
	for _, word := range words {
		if _, shared := r.of[word]; shared || isCommon(word) || !isName(word) {
			continue
		}
		if _, known := s.lexicon.Find(word); !known && s.spread(word) >= severalFacts {
			return true
		}
	}
	return false
}

// anyThing reports whether r names a thing that is not among the words.
func anyThing(r rarities, words []string) bool {
	for word, x := range r.of {
		if x.thing && !slices.Contains(words, word) {
			return true
		}
	}
	return false
}

// sharesName reports whether a fact has one of the words that is a name, and that few have, or
// beside it a word that no other fact has.
func (r rarities) sharesName(d Doc) bool {
	name, few := false, false
	for _, word := range Terms(d.Text()) {
		if x, has := r.of[word]; has {
			name = name || x.name
			few = few || x.in <= 1 || x.name && x.in < severalFacts
		}
	}
	return name && few
}

// compare determines which of the words a fact has.
func (r rarities) compare(n *Neighbour) {
	seen := map[string]bool{}
	for _, word := range Terms(n.Text()) {
		x, has := r.of[word]
		if !has || seen[word] {
			continue
		}
		seen[word] = true
		n.Shares += x.tells / max(r.all, 1)
		if x.in <= 1 {
			n.Only = max(n.Only, x.lexicon)
		}
	}
}

// topicWord is the pseudo-word for an entry's topic key, which no text contains.
func topicWord(key string) string { return "\x02" + key }

// overOn is the pseudo-word for the end of an entry's validity.
func overOn(at time.Time) string { return overStart + at.UTC().Format(time.RFC3339) }

const overStart = "\x04"

// beginsOn is the pseudo-word for its beginning.
func beginsOn(at time.Time) string { return beginStart + at.UTC().Format(time.RFC3339) }

const beginStart = "\x05"

// standsFor is the pseudo-word for an id that an entry replaces, or for its own if it is
// deleted.
func standsFor(id string) string { return "\x03" + id }

// near are the facts with the words, by significance.
func (s *Snapshot) near(terms []string, topic string) []Neighbour {
	slices.Sort(terms)
	terms = slices.Compact(terms)
	if topic != "" {
		terms = append(terms, topicWord(topic))
	}
	type list struct {
		word string
		size int
	}
	var lists []list
	for _, w := range terms {
		if n := s.base.listSize(w); n > 0 || s.isFresh(w) {
			lists = append(lists, list{w, n})
		}
	}
	slices.SortFunc(lists, func(a, b list) int { return cmp.Compare(a.size, b.size) })
	scores := newMarks(s.base.docs + len(s.fresh))
	var numbers []int32
	put := func(n int32, score float32) {
		at := scores.at(n)
		if at.all == 0 {
			numbers = append(numbers, n)
		}
		at.all += score
	}
	read := 0
	for i, l := range lists {
		if read += l.size; read > listsMost && (i >= listsFew || lists[0].size <= listsMost/2 && i > 0) {
			break
		}
		in := s.use(l.word)
		for _, o := range in {
			put(o.n, 1/float32(4+len(in)))
		}
		if topic != "" && l.word == topicWord(topic) {
			for _, o := range in {
				put(o.n, ofTopic)
			}
		}
	}
	var out []Neighbour
	best := func(a, b int32) int { return cmp.Or(cmp.Compare(scores.of(b), scores.of(a)), cmp.Compare(b, a)) }
	inOrder(numbers, best, func(n int32) bool {
		d := s.Entry(int(n))
		if d.Kind == "fact" && d.Content != "" && !s.replaced(d) {
			out = append(out, Neighbour{Doc: d})
		}
		return len(out) < closely
	})
	return out
}

// isFresh reports whether an entry has a word that the file lacks.
func (s *Snapshot) isFresh(word string) bool {
	_, known := s.numbers[word]
	return known
}
