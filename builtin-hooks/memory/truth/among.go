package truth

import "math"

// A Rival is an older statement that a newer one may take the place of, and how it stands
// out among all others of its memory: see search.Neighbour.
type Rival struct {
	Text                string
	Score, Shares, Only float64
}

// A Judgement is what a newer statement does to a rival.
type Judgement struct {
	Verdict
	Sure float64 // that it takes its place
	Ask  bool    // it may, so whoever said it should be asked
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
	best := -1
	for i, c := range contenders(newer, rivals, many, sense, weights) {
		out[i] = c.judgement(many)
		if out[i].Verdict == Update && (best < 0 || out[i].Sure > out[best].Sure) {
			best = i
		}
	}
	for i, j := range out {
		if j.Verdict == Update && i != best && Compare(rivals[i].Text, newer) != Update {
			out[i].Verdict, out[i].Ask = Distinct, true
		}
	}
	return out
}

// From how likely on a rival is replaced: one that the rules call so, and one that is by
// what its words mean; and is asked about, where the newer says that something changed,
// and elsewhere.
const (
	toldLeast    = 0.10
	meantLeast   = 0.40
	changedLeast = 0.06
	doubtLeast   = 0.22

	smallAsk = 0.6 // by so much less likely where a memory is small: little is saved into it
)

// A contender is a rival whose words are compared with the newer's.
type contender struct {
	*match
	verdict     Verdict
	open, doubt bool
	alone       float64 // how likely it is replaced, as the two stand alone: a logarithm of odds
	sure        float64 // and in its memory
}

func (c contender) judgement(many int) Judgement {
	j := Judgement{Verdict: c.verdict, Sure: c.sure}
	if j.Verdict == Same {
		return j
	}
	least := doubtLeast
	if c.new.cue || c.ends() || c.turns() {
		least = changedLeast
	}
	j.Ask = c.doubt && c.sure >= least*(1-smallAsk+smallAsk*settled(many))
	switch {
	case j.Verdict == Update && c.sure < toldLeast:
		j.Verdict = Conflict
	case c.open && c.sure >= meantLeast:
		j.Verdict = Update
	}
	if j.Verdict == Conflict && !j.Ask {
		j.Verdict = Distinct // both name a thing, and are about different sides of it
	}
	return j
}

// contenders weighs each rival beside the others.
func contenders(newer string, rivals []Rival, many int, sense Sense, weights []float64) []contender {
	out := make([]contender, len(rivals))
	for i, r := range rivals {
		c := contender{match: newMatch(r.Text, newer, Compare(r.Text, newer), sense)}
		sure := c.match.sure()
		c.verdict, c.open, c.doubt = c.judge(sure)
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
		if i != at {
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
	}
}

// standings are the weights of a logistic regression over what is saved into some
// memories: TestStandings holds them, and makes them with -fit.
var standings = [...]float64{
	-3.19,      // to begin with
	0.90, 0.21, // how likely it is alone, and how far ahead of the next
	3.27, 2.26, // how well a search for the newer finds it, and how far ahead of the next
	-1.20, 1.39, // the part of the newer that it says in the same words, and how telling one is that only it has
	0.94, 0.18, // the two alone are an update, a conflict
	0.45, -1.67, // the newer says that something changed; they are of different places, times or numbers
}
