package match

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
)

// The signs for and against a failure being one that a gene cured.
const (
	average   = iota // the share of each message's information that the other also has
	least            // the smaller of the two shares
	sentences        // they share a sentence
	otherCode        // from one vocabulary
	oneCode          // only one of them has a code
	meant            // the gene's own words occur in it
	notMeant         // they do not
	sameCause        // by the genes for one cause
	otherCause
	samePort
	sameSymbol
	oneSymbol // only one of them is about it
	otherPackage
	sameReason  // among those that a system gives, for the same symbol
	otherReason // among those
	missing     // rare words of one that the other lacks
	sameTrouble // in whichever program
	otherTrouble
	oneTrouble // only one of them has one
	signs
)

// weights are how much each of these counts, by a logistic regression over pairs of
// failures known to be the same or not.
var weights = [signs]float64{
	average: 0.44, least: 0.2, sentences: 0.2, otherCode: -0.26, oneCode: -0.12, meant: 0.14, notMeant: -0.34,
	sameCause: 0.24, otherCause: -0.2, samePort: 0.34, sameSymbol: 0.26, oneSymbol: -0.14, otherPackage: -0.5, sameReason: 0.24, otherReason: -0.5, missing: -0.13,
	sameTrouble: 0.56, otherTrouble: -0.55, oneTrouble: -0.2,
}

// level is the sum if nothing is known: at [Bar] one of 16 that are near is wrongly
// taken for the same, and seven of eight that are the same are found.
const level = 0.15

// alikeAll is the average from which two messages say nearly the same.
const alikeAll = 0.75

// to is how similar a failure is to one that a gene cured, from 0 to less than 1.
func (l *likeness) to(g *gene.Gene, f *failure.Failure, causes string, genes []gene.Gene) float64 {
	if l.far(g, f, causes) {
		return 0
	}
	seen, ok := l.signsOf(g, f, causes, genes)
	if !ok {
		return 0
	}
	score := level
	for i, x := range seen {
		score += weights[i] * x
	}
	return min(max(score, 0), 0.98)
}

// far reports at a glance that a failure has nothing in common with a cured one: no
// rare word, no symbol, no code, no cause.
func (l *likeness) far(g *gene.Gene, f *failure.Failure, causes string) bool {
	mine := &l.c.Failure
	if len(l.mine.core) == 0 || mine.Code != "" && mine.Code == f.Code || slices.ContainsFunc(mine.Symbols, func(s string) bool { return slices.Contains(f.Symbols, s) }) {
		return false
	}
	if causes != "" && slices.ContainsFunc(strings.Fields(f.Cause), func(id string) bool { return strings.Contains(causes, id) }) {
		return false
	}
	if l.shares(g, f) != none {
		return false
	}
	text := strings.ToLower(meantBy(f.Text))
	return !slices.ContainsFunc(l.mine.core, func(w string) bool { return strings.Contains(text, w) })
}

// signsOf are the signs for a failure and one that a gene cured; ok is false if they
// cannot be the same.
func (l *likeness) signsOf(g *gene.Gene, f *failure.Failure, causes string, genes []gene.Gene) (s [signs]float64, ok bool) {
	mine, theirs := &l.c.Failure, messageOf(f.Text)
	shared := l.shares(g, f)
	if len(theirs.terms) == 0 || len(l.mine.terms) == 0 || shared != whole && other(g, mine, f) {
		return s, false
	}
	a, b := l.cover(&l.mine, theirs.terms), l.cover(&theirs, l.mine.terms)
	s[average], s[least] = (a+b)/2, min(a, b)
	codes(&s, mine, f)
	l.own(&s, g, &theirs)
	l.causes(&s, causes, f, genes)
	alike(&s, mine, f)
	if s[samePort]+s[sameSymbol] > 0 {
		// They are about the same thing, in whatever words and whichever tool.
		s[notMeant] /= 2
		s[otherCause] /= 2
	}
	// What two causes have in common is what every tool says around them.
	s[sentences] = one(s[otherCause] <= 0.5 && sentence(&l.mine, &theirs))
	l.troubled(&s, f, shared)
	if s[samePort]+s[sameSymbol]+s[sameTrouble] == 0 {
		s[missing] = l.lacks(theirs.terms, l.mine.core) + l.lacks(l.mine.terms, theirs.core)
	}
	return s, true
}

// troubled sets what the troubles of two failures say.
func (l *likeness) troubled(s *[signs]float64, f *failure.Failure, shared sharing) {
	theirs := troublesOf(f, f.Cause)
	if shared != none {
		n := 0
		for _, name := range l.troubles {
			if slices.Contains(theirs, name) {
				n++
			}
		}
		s[sameTrouble], s[otherTrouble] = 1, 0.45*(1-float64(n)/float64(max(len(l.troubles), len(theirs))))
		if s[otherPackage] > 0 {
			s[otherPackage] = 1 // for one and the same trouble, the package makes the difference
		}
		s[notMeant], s[otherCause], s[otherReason] = s[notMeant]/3, s[otherCause]/3, s[otherReason]/4
		s[otherCode], s[oneCode] = 0, 0
		if shared == whole {
			s[oneSymbol] = 0
		}
		return
	}
	s[otherTrouble] = one(len(l.troubles) > 0 && len(theirs) > 0)
	s[oneTrouble] = one(len(l.troubles) > 0 != (len(theirs) > 0))
	if s[average] > alikeAll {
		s[oneTrouble] *= 3 // what shows it is not among the common words
	}
	// A gene may be about several things, and whatever listens on a port may have
	// several troubles.
	s[sameCause] *= 1 - 0.7*s[otherTrouble]
	s[samePort] *= 1 - s[otherTrouble]
}

// apart reports whether a cured failure has a trouble that this one does not have
// although the words are the same: what showed it was a name or a number, or lay beside
// the message.
func (l *likeness) apart(f *failure.Failure) bool {
	known := slices.DeleteFunc(troublesOf(f, f.Cause), func(name string) bool { return troubleNamed()[name] == nil })
	return len(known) > 0 && !slices.ContainsFunc(known, func(name string) bool { return slices.Contains(l.troubles, name) })
}

// sharing says whether two failures share a trouble.
type sharing int

const (
	none  sharing = iota
	named         // one whose name matters
	whole         // one that is the same whatever it is about
)

// shares is what the failure has in common with one that a gene cured.
func (l *likeness) shares(g *gene.Gene, f *failure.Failure) (s sharing) {
	var theirs *troubled
	for _, name := range l.troubles {
		t := troubleNamed()[name]
		if f.Trouble == "" && theirs == nil {
			cause, _, _ := strings.Cut(f.Cause, " ")
			theirs = troubledBy(f, readOf(f), cause)
		}
		switch {
		case f.Trouble == "" && !theirs.has(t) || f.Trouble != "" && !slices.Contains(strings.Fields(f.Trouble), name):
		case l.ofAnother(g, t) || t.named && lacksPort(f, &l.c.Failure):
		case t.named:
			s = max(s, named)
		default:
			return whole
		}
	}
	return s
}

// ofAnother reports whether a gene mentions a program that the failure is not about:
// what starts PostgreSQL does not start MySQL.
func (l *likeness) ofAnother(g *gene.Gene, t *trouble) bool {
	own := strings.ToLower(g.Title + " " + g.Description + " " + strings.Join(g.Strategy, " "))
	here := strings.ToLower(l.c.Failure.Text + " " + l.c.Failure.Family)
	return slices.ContainsFunc(t.of, func(name string) bool { return strings.Contains(own, name) && !strings.Contains(here, name) })
}

// lacksPort reports whether a failure was about a port that means the same everywhere,
// and the other is not.
func lacksPort(f, other *failure.Failure) bool {
	return slices.ContainsFunc(f.Symbols, func(x string) bool { return strings.HasPrefix(x, "port:") && !slices.Contains(other.Symbols, x) })
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// lacks is the share of some rare words that others lack, even by words that mean
// nearly the same.
func (l *likeness) lacks(words, core []string) float64 {
	n := 0
	for _, w := range core {
		if !slices.Contains(words, w) && l.nearest(w, words) == 0 {
			n++
		}
	}
	return float64(n) / float64(max(len(core), 1))
}

// codes sets what the codes of two failures say. Those of different programs belong to
// different vocabularies.
func codes(s *[signs]float64, a, b *failure.Failure) {
	related := program(a.Family) == program(b.Family)
	switch {
	case a.Code == b.Code:
	case a.Code == "" || b.Code == "":
		s[oneCode] = one(related && strings.ContainsAny(a.Code+b.Code, "0123456789"))
	default:
		s[otherCode] = one(related || vocabulary(a.Code) == vocabulary(b.Code))
	}
}

// vocabulary is the beginning of a code: TS, ORA-, ERR_.
func vocabulary(code string) string {
	if i := strings.IndexAny(code, "0123456789"); i > 0 {
		return code[:i]
	}
	head, _, _ := strings.Cut(code, "_")
	return head
}

func program(family string) string {
	name, _, _ := strings.Cut(family, " ")
	return name
}

// own sets what a gene's own words say that also occur in the message that it cured:
// whoever learned it knew what mattered in the message.
func (l *likeness) own(s *[signs]float64, g *gene.Gene, cured *message) {
	own := terms(strings.Join(append(append([]string{g.Title, g.Description}, g.Preconditions...), g.Strategy...), " "))
	var all, here float64
	for _, w := range cured.terms {
		// Only whole names count: vm.max_map_count, not a part that is a plain word.
		if !slices.Contains(own, w) || search.IsCommon(w) || !slices.Contains(cured.general, w) && !strings.ContainsAny(w, "._-") {
			continue
		}
		all += tells(w)
		if slices.Contains(l.mine.terms, w) {
			here += tells(w)
		}
	}
	const enough = 0.4 // of one word that hardly any message has
	if all >= enough {
		s[meant], s[notMeant] = here/all, 1-here/all
	}
}

// causes sets what the causes of two failures say, by the genes for one cause.
func (l *likeness) causes(s *[signs]float64, mine string, cured *failure.Failure, genes []gene.Gene) {
	theirs := cured.Cause
	if theirs == "" && mine != "" {
		theirs = causesOf(sayings(Case{Failure: *cured}, genes), genes)
	}
	if mine == "" || theirs == "" {
		return
	}
	a, b, shared := strings.Fields(mine), strings.Fields(theirs), 0.0
	for _, id := range a {
		shared += one(slices.Contains(b, id))
	}
	s[sameCause] = shared / (float64(len(a)+len(b)) - shared)
	if a[0] == b[0] {
		s[sameCause] = max(s[sameCause], 0.8) // the surest cause of each
	}
	s[otherCause] = 1 - s[sameCause]
}

// alike sets what symbols say: the same module, port or header makes it surer; one that
// only one of the failures is about, less so.
func alike(s *[signs]float64, mine, theirs *failure.Failure) {
	for _, x := range mine.Symbols {
		kind, name, _ := strings.Cut(x, ":")
		switch {
		case slices.Contains(secondary, kind) || name == "own":
		case slices.Contains(theirs.Symbols, x) && kind == "port":
			s[samePort] = 1 // the number shows whose port it is, in whatever words
		case slices.Contains(theirs.Symbols, x) || names(theirs.Text, kind, name):
			s[sameSymbol] = 1
		default:
			s[oneSymbol] = 1
		}
	}
	for _, x := range theirs.Symbols {
		if kind, name, _ := strings.Cut(x, ":"); names(mine.Text, kind, name) {
			s[sameSymbol] = 1
		}
	}
	if s[samePort]+s[sameSymbol] > 0 {
		s[oneSymbol] = 0
	}
	s[otherPackage] = one(hasOther(mine.Symbols, theirs.Symbols, "package"))
	if s[meant] > 0 {
		s[otherPackage] /= 2
	}
	x, y := reasons(mine.Text), reasons(theirs.Text)
	s[otherReason] = one(x != 0 && y != 0 && x&y == 0)
	s[sameReason] = one(x&y != 0 && s[sameSymbol] > 0)
}

// hasOther reports whether both lists have symbols of a kind, but none in common.
func hasOther(a, b []string, kind string) bool {
	of := func(x string) bool { return strings.HasPrefix(x, kind+":") }
	return slices.ContainsFunc(a, of) && slices.ContainsFunc(b, of) && !slices.ContainsFunc(a, func(x string) bool { return of(x) && slices.Contains(b, x) })
}

// reasons are the reasons why a system refused something, one bit each.
func reasons(text string) (bits int) {
	text = strings.ToLower(meantBy(text))
	for i, list := range systemReasons {
		if slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, s) }) {
			bits |= 1 << i
		}
	}
	return bits
}

var systemReasons = [...][]string{
	{"permission denied", "operation not permitted", "access denied", "access is denied", "forbidden"},
	{"no such file or directory", "no such device", "serial port not found"},
	{"connection refused"}, {"connection reset"}, {"timed out", "timeout", "deadline exceeded"}, {"input/output error"},
	{"no space left"}, {"address already in use"}, {"resource busy", "text file busy"}, {"file exists", "already exists"}, {"cannot allocate memory", "out of memory"},
	{"too many open files"}, {"read-only file system"}, {"exec format error"}, {"not a directory"}, {"name or service not known", "could not resolve host", "name resolution"},
}

// names reports whether a message names a library or a header that the other failure
// lacks.
func names(message, kind, name string) bool {
	const long = 5
	return (kind == "library" || kind == "header") && len(name) >= long && strings.Contains(plain(message), plain(name))
}

// plain is a text without numbers and their placeholders.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '#' {
			return -1
		}
		return r
	}, s)
}

// secondary are kinds of symbols that a message names besides its subject.
var secondary = []string{"host", "file", "package"}

// other reports whether a failure is about something else than one that a gene cured:
// another module, library or port of the same kind makes another failure, in the same
// words; so does another package, if the gene is about that package.
func other(g *gene.Gene, a, b *failure.Failure) bool {
	for _, x := range b.Symbols {
		kind, name, _ := strings.Cut(x, ":")
		theirs := func(y string) bool { return strings.HasPrefix(y, kind+":") }
		switch {
		case kind == "ending" && !slices.Contains(a.Symbols, x):
			return true // where this is at work it shows
		case slices.Contains(a.Symbols, x) || !slices.ContainsFunc(a.Symbols, theirs):
		case kind == "package":
			if slices.Contains(terms(g.Title+" "+strings.Join(g.Strategy, " ")), strings.ToLower(name)) {
				return true
			}
		case !slices.Contains(secondary, kind) && !slices.ContainsFunc(b.Symbols, func(y string) bool { return theirs(y) && slices.Contains(a.Symbols, y) }):
			return true
		}
	}
	return false
}
