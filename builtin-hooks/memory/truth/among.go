package truth

import (
	"math"
)

// A Rival is an older statement that a newer one may take the place of, and how it stands
// out among all others of its memory: see search.Neighbour.
type Rival struct {
	Text                string
	Score, Shares, Only float64
	Other, Weak         bool // each names another thing; no search finds it
}

// A Judgement is what a newer statement does to a rival.
type Judgement struct {
	Verdict
	Sure float64 // that it takes its place
	Ask  bool    // it may, so whoever said it should be asked
	Name bool    // it hardly does, and is among the nearest: whoever knows better is told its name
}

// Among tells what a new statement does to each of some older ones of one memory, which
// has so many. It knows more than [Judge]: an update is nearer to one statement than to
// all others, and what just is about the same people and things is as near to several.
// Where several may be replaced by what their words mean, the likeliest is.
func Among(newer string, rivals []Rival, many int, sense Sense) []Judgement {
	return among(newer, rivals, many, sense, standings[:])
}

func among(newer string, rivals []Rival, many int, sense Sense, weights []float64) []Judgement {
	out := make([]Judgement, len(rivals))
	best, same := -1, false
	list := contenders(newer, rivals, many, sense, weights)
	for i, c := range list {
		if c.weak {
			continue
		}
		out[i] = c.judgement(many)
		same = same || out[i].Verdict == Same
		if out[i].Verdict == Update && (best < 0 || out[i].Sure > out[best].Sure) {
			best = i
		}
	}
	for i, j := range out {
		if j.Verdict == Update && i != best && Compare(rivals[i].Text, newer) != Update {
			out[i].Verdict, out[i].Ask = Distinct, true
		}
	}
	if i := likeliest(list); best < 0 && !same && i >= 0 && list[i].byClause() {
		out[i].Verdict, out[i].Ask = Update, false
	}
	nameNearest(out, list, rivals)
	return out
}

// likeliest is where the contender stands that is replaced most likely; -1 if there is none.
func likeliest(list []contender) int {
	best := -1
	for i, c := range list {
		if !c.weak && (best < 0 || c.sure > list[best].sure) {
			best = i
		}
	}
	return best
}

// nameNearest marks what comes nearest where nothing is replaced: whoever saves may know that
// it is untrue now. What is asked about stands for one of them.
func nameNearest(out []Judgement, list []contender, rivals []Rival) {
	most := nearestMost
	for _, j := range out {
		switch {
		case j.Verdict == Update, j.Verdict == Same:
			return
		case j.Verdict == Conflict, j.Ask:
			most--
		}
	}
	for range most {
		best, nearest := -1, float64(nearestLeast)
		for i, c := range list {
			if near := c.nearness(rivals[i]); near >= nearest && out[i] == (Judgement{Sure: out[i].Sure}) && !rivals[i].Other && !(c.apart() && c.alwaysApart()) {
				best, nearest = i, near
			}
		}
		if best < 0 {
			return
		}
		out[best].Name = true
	}
}

// nearness tells what comes nearest: the odds that it is replaced, and how well a search for
// the newer finds it. Alone, neither shows as much: rules say little of an update in quite
// other words, and a search finds whatever is of the same service.
func (c contender) nearness(r Rival) float64 {
	near := byNames
	if !c.weak {
		near = max(-mostNear, math.Log((c.sure+1e-4)/(1-c.sure+1e-4))) + ofScore*r.Score
	}
	if c.changes() {
		near++
	}
	return near
}

// From how likely on a rival is replaced: one that the rules call so, and one that is by
// what its words mean; and is asked about, where the newer says that something changed,
// and elsewhere.
const (
	toldLeast    = 0.35
	turnedLeast  = 0.60 // where it only says that something changed
	meantLeast   = 0.34
	surelyLeast  = 0.80 // whatever the rules call it, if all that the older names is named
	clauseLeast  = 0.15 // one that a part of the newer updates by the rules
	changedLeast = 0.045
	doubtLeast   = 0.20

	smallAsk  = 0.6 // by so much less likely where a memory is small: little is saved into it
	smallTold = 0.2
)

// From how near on what comes nearest is named, how many of them, and what tells that: by
// these, an ordinary save names something in one of five cases (TestUpdatesBesideAMemory holds it).
const (
	nearestLeast = -1.0
	nearestMost  = 2
	byNames      = -0.5 // what no search finds
	ofScore      = 10
	mostNear     = 6
)

// A contender is a rival whose words are compared with the newer's.
type contender struct {
	*match
	verdict     Verdict
	open, doubt bool
	weak        bool    // it is named at most
	alone       float64 // how likely it is replaced, as the two stand alone: a logarithm of odds
	sure        float64 // and in its memory
}

func (c contender) judgement(many int) Judgement {
	j := Judgement{Verdict: c.verdict, Sure: c.sure}
	if j.Verdict == Same {
		return j
	}
	if c.surely() || (c.renamed() || c.otherLimit()) && !c.apart() {
		j.Verdict = Update
		return j
	}
	least := doubtLeast
	if c.changes() {
		least = changedLeast
	}
	j.Ask = c.doubt && c.sure >= least*(1-smallAsk+smallAsk*settled(many))
	turned := c.new.cue && c.sure < turnedLeast*(1-smallTold+smallTold*settled(many))
	switch {
	case j.Verdict == Update && (c.sure < toldLeast || turned):
		j.Verdict = Distinct
	case c.open && c.sure >= meantLeast, c.rule == Update && c.new.cue && c.doubt && !turned:
		j.Verdict = Update
	}
	if j.Verdict == Conflict && !j.Ask {
		j.Verdict = Distinct // both name a thing, and are about different sides of it
	}
	return j
}

// changes reports whether the newer says that something is not what it was.
func (c contender) changes() bool { return c.new.cue || c.ends() || c.turns() }

// contenders weighs each rival beside the others.
func contenders(newer string, rivals []Rival, many int, sense Sense, weights []float64) []contender {
	out := make([]contender, len(rivals))
	for i, r := range rivals {
		c := contender{match: newMatch(r.Text, newer, Compare(r.Text, newer), sense)}
		sure := c.match.sure()
		c.verdict, c.open, c.doubt = c.judge(sure)
		c.weak = r.Weak && c.rule == Distinct
		c.alone = min(mostAlone, max(-mostAlone, math.Log((sure+1e-4)/(1-sure+1e-4))))
		out[i] = c
	}
	for i := range out {
		sum := 0.0
		for k, x := range out[i].standing(i, out, rivals, many) {
			sum += weights[k] * x
		}
		out[i].sure = 1 / (1 + math.Exp(-sum))
	}
	return out
}

// Bounds of what is weighed: of the odds of two alone, and of how far one is ahead of the
// next by these, and by the search's score.
const (
	mostAlone = 5
	mostAhead = 3
	mostScore = 0.3
)

// smallMemory is how many statements a memory has where being ahead of the others counts
// half: of five, one is always nearest.
const smallMemory = 40

// settled is how much the others tell in a memory of so many.
func settled(many int) float64 { return float64(many) / float64(many+smallMemory) }

// standing is what tells, beside the two alone, whether the newer takes the place of this
// rival.
func (c contender) standing(at int, all []contender, rivals []Rival, many int) [len(standings)]float64 {
	next, score := -float64(mostAlone), 0.0
	for i := range all {
		if i != at && !all[i].weak {
			next, score = max(next, all[i].alone), max(score, rivals[i].Score)
		}
	}
	flag := func(is bool) float64 {
		if is {
			return 1
		}
		return 0
	}
	counts := settled(many)
	return [...]float64{
		1,
		c.alone, counts * min(mostAhead, max(-mostAhead, c.alone-next)),
		rivals[at].Score, counts * min(mostScore, max(-mostScore, rivals[at].Score-score)),
		rivals[at].Shares, rivals[at].Only,
		flag(c.verdict == Update), flag(c.verdict == Conflict),
		flag(c.new.cue), flag(c.apart()),
		flag(rivals[at].Other),
	}
}

// standings are the weights of a logistic regression over what is saved into some
// memories: TestStandings holds them, and makes them with -fit.
var standings = [...]float64{
	-3.58,      // to begin with
	0.86, 0.13, // how likely it is alone, and how far ahead of the next
	3.59, 4.22, // how well a search for the newer finds it, and how far ahead of the next
	-1.24, 1.32, // the part of the newer that it says in the same words, and how telling one is that only it has
	1.11, 0.59, // the two alone are an update, a conflict
	0.90, -1.32, // the newer says that something changed; they are of different places, times or numbers
	-2.23, // each is of a thing that the other does not name
}
