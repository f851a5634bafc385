package match

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
)

// Bar is the score below which a gene is not about a failure.
const Bar = 0.5

// A Case is a failure, and the command that had it.
type Case struct {
	Failure failure.Failure
	Command string
	Signals []string // the coarse ones: error:timeout
}

// A Match is a gene that is about a case.
type Match struct {
	Gene  int     // its place in the list
	Score float64 // from Bar on
	Why   string
}

// Words are what words mean, as memory knows it: nearly the same, or not.
type Words = lexicon.Lexicon

// Rank are the genes of a list that are about a case, the surest first. words may be
// nil: then words mean only themselves.
func Rank(c Case, genes []gene.Gene, words *Words) (out []Match) {
	text := strings.ToLower(c.Failure.Text)
	around := text + " " + strings.ToLower(c.Command) + " " + strings.ToLower(c.Failure.Family)
	l := newLikeness(c, genes, words)
	class := classOf(c, genes)
	for i := range genes {
		g := &genes[i]
		if g.Platitude {
			continue
		}
		m := Match{Gene: i}
		if s, phrase := says(g, c, text, around); s > 0 {
			m.Score, m.Why = s, "says "+strconv.Quote(phrase)
		}
		for k := range g.Cures {
			s := l.to(&g.Cures[k])
			if class >= 0 && s >= Bar-sameClass && s < Bar+sameClass && class == classOf(Case{Failure: g.Cures[k]}, genes) {
				s += sameClass
			}
			switch {
			case g.Cures[k].Kind != "" && g.Cures[k].Kind == c.Failure.Kind:
				m.Score, m.Why = 1, "cured the same failure"
			case s >= Bar && learned(s) > m.Score:
				m.Score, m.Why = learned(s), "cured one like it"
			}
		}
		if s := l.bySaying(g); s > m.Score {
			m.Score, m.Why = s, "is about the same by its own words"
		}
		if m.Score >= Bar {
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		out = beside(c, genes)
	}
	slices.SortStableFunc(out, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// beside are the genes that the lines around a message are about, where the message
// itself says nothing that is known: by long phrases only, and surely after any other.
func beside(c Case, genes []gene.Gene) (out []Match) {
	const long = 11
	text := strings.ToLower(c.Failure.Around)
	around := text + " " + strings.ToLower(c.Command) + " " + strings.ToLower(c.Failure.Family) + " " + strings.ToLower(c.Failure.Text)
	for i := range genes {
		g := genes[i]
		w := &g.When
		w.Says = slices.DeleteFunc(slices.Clone(w.Says), func(p string) bool { return len(p) < long || strings.Contains(p[:min(len(p), 8)], ":") })
		if g.Platitude || w.Broad {
			continue
		}
		if s, phrase := says(&g, c, text, around); s > 0 {
			out = append(out, Match{Gene: i, Score: Bar + (s-Bar)/2, Why: "beside it stands " + strconv.Quote(phrase)})
		}
	}
	return out
}

// learned is the score of what was learned here by its likeness: it comes before what
// is known in general.
func learned(likeness float64) float64 { return min(0.7+0.3*likeness, 0.99) }

// sameClass is how much surer a likeness is where the phrases of one gene are in both
// messages.
const sameClass = 0.15

// classOf is the gene whose phrases fit a case best, -1 if none does, or if what has
// them in common are different things.
func classOf(c Case, genes []gene.Gene) int {
	text := strings.ToLower(c.Failure.Text)
	around := text + " " + strings.ToLower(c.Command) + " " + strings.ToLower(c.Failure.Family)
	best, at := 0.0, -1
	for i := range genes {
		if s, _ := says(&genes[i], c, text, around); s > best {
			best, at = s, i
		}
	}
	if at >= 0 && genes[at].When.Broad {
		return -1
	}
	return at
}

// says is how sure the phrases of a gene are that it is about a case, and the longest
// of them.
func says(g *gene.Gene, c Case, text, around string) (score float64, phrase string) {
	w := &g.When
	if len(w.Says) == 0 {
		return 0, ""
	}
	there := func(in string) func(string) bool {
		return func(word string) bool { return has(in, word) || weight(word, c, "") > 0 }
	}
	near := slices.ContainsFunc(w.On, there(around))
	if slices.ContainsFunc(w.Unless, there(text)) || len(w.On) > 0 && !near || len(w.Of) > 0 && !slices.ContainsFunc(w.Of, there(text)) {
		return 0, ""
	}
	most, others, telling := 0, 0, near || slices.ContainsFunc(g.SignalsMatch, func(s gene.Signal) bool {
		return s.Type != "error:generic" && s.Type != "error:not_found" && slices.Contains(c.Signals, s.Type)
	})
	for _, p := range w.Says {
		n := weight(p, c, text)
		if strings.HasPrefix(p, "signal:") {
			others += n // the coarse kind alone says nothing
			continue
		}
		telling = telling || n > 0 && !everyday(p, c.Failure.Text)
		if n > 0 && n <= most {
			others += n
		}
		if n > most {
			others += most
			most, phrase = n, p
		}
	}
	if most == 0 || !telling && others == 0 {
		return 0, "" // a few everyday words stand in many a message: they need company
	}
	sure := float64(min(most, 40)) + 0.2*float64(min(others, 60))
	if near {
		sure += 6
	}
	if w.Broad {
		sure /= 2 // what knows the cause itself comes first
	}
	return Bar + 0.02 + min(sure, 60)*0.3/60, phrase
}

// everyday reports whether a phrase is of few plain words, as messages about other
// things have them too: "is locked", "not configured", "mock". What a message has in
// capitals is a name: EACCES.
func everyday(phrase, message string) bool {
	word, words := 9, 14 // letters
	for i := range len(phrase) {
		if c := phrase[i]; c != ' ' && (c < 'a' || c > 'z') {
			return false
		}
	}
	if slices.ContainsFunc(technical, func(w string) bool { return strings.Contains(phrase, w) }) {
		return false
	}
	if strings.Contains(phrase, " ") {
		return len(phrase) < words
	}
	return len(phrase) < word && !strings.Contains(message, strings.ToUpper(phrase))
}

// technical are words that say what is wrong with something wherever they stand.
var technical = []string{"not in scope", "cycle", "unbound", "undefined", "undeclared", "unresolved", "mismatch", "syntax", "denied", "refused", "timeout", "unauthorized", "forbidden", "deadlock", "overflow", "unknown v", "ambiguous", "duplicate", "certificate"}

// weight is how many letters of a message a phrase explains, 0 if it is not in it.
// code:, symbol:, exit: and signal: are of the failure and not of its words.
func weight(phrase string, c Case, text string) int {
	kind, rest, _ := strings.Cut(phrase, ":")
	switch kind {
	case "code":
		if strings.EqualFold(rest, c.Failure.Code) {
			return 30
		}
		return 0
	case "exit":
		if rest == strconv.Itoa(c.Failure.Exit) {
			return 8
		}
		return 0
	case "symbol":
		if slices.ContainsFunc(c.Failure.Symbols, func(s string) bool { return strings.HasPrefix(s, rest) }) {
			return 16 + len(rest) // port:5432 tells more than library:
		}
		return 0
	case "around":
		if has(strings.ToLower(c.Failure.Around), rest) {
			return len(rest)
		}
		return 0
	case "command":
		if rest != "" && has(strings.ToLower(c.Command), rest) {
			return 3
		}
		return 0
	case "signal":
		if slices.Contains(c.Signals, rest) {
			return 3
		}
		return 0
	}
	if !has(text, phrase) {
		return 0
	}
	return len(strings.ReplaceAll(phrase, " * ", ""))
}

// has reports whether a text has the parts of a phrase, in their order and not far
// from each other. A part begins and ends with a word where it does so with a letter.
func has(text, phrase string) bool {
	const far = 160
	from := 0
	for i, part := range strings.Split(phrase, " * ") {
		at := index(text[from:], part)
		if at < 0 || i > 0 && at > far {
			return false
		}
		from += at + len(part)
	}
	return true
}

func index(text, part string) int {
	for from := 0; from <= len(text)-len(part); {
		i := strings.Index(text[from:], part)
		if i < 0 || part == "" {
			return -1
		}
		i += from
		end := i + len(part)
		if (i == 0 || !joined(text[i-1], part[0])) && (end == len(text) || !joined(part[len(part)-1], text[end]) || plural(text[end:])) {
			return i
		}
		from = i + 1
	}
	return -1
}

func joined(a, b byte) bool { return inWord(a) && inWord(b) }

func inWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

// plural reports whether a word only goes on to its plural.
func plural(rest string) bool {
	return rest[0] == 's' && (len(rest) == 1 || !inWord(rest[1]))
}
