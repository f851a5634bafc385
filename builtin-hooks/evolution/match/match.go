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
	Signals []string // the coarse signals: error:timeout
}

// A Match is a gene that is about a case.
type Match struct {
	Gene  int     // its index in the list
	Score float64 // at least Bar
	Why   string
}

// Words knows, from memory's lexicon, which words mean nearly the same.
type Words = lexicon.Lexicon

// Rank returns the genes of a list that are about a case, the surest first. words may
// be nil: then words mean only themselves.
func Rank(c Case, genes []gene.Gene, words *Words) (out []Match) {
	said := sayings(c, genes)
	causes := causesOf(said, genes)
	l := newLikeness(c, causes, genes, words)
	for i := range genes {
		g := &genes[i]
		if g.Platitude {
			continue
		}
		m := said[i]
		for k := range g.Cures {
			f := &g.Cures[k]
			s := l.to(g, f, causes, genes)
			switch {
			case f.Kind != "" && f.Kind == c.Failure.Kind && !other(g, &c.Failure, f) && !hasOther(c.Failure.Symbols, f.Symbols, "package") && !l.apart(f):
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

// sayings scores each gene of a list by the phrases that a case contains, in the same
// order.
func sayings(c Case, genes []gene.Gene) []Match {
	t := textsOf(c)
	out := make([]Match, len(genes))
	for i := range genes {
		out[i].Gene = i
		if s, phrase := says(&genes[i], c, &t); s > 0 {
			out[i].Score, out[i].Why = s, "says "+strconv.Quote(phrase)
		}
	}
	return out
}

// texts are the texts of a case, in lower case.
type texts struct {
	message string // normalised
	literal string // original and normalised
	around  string // the message, the command and its family
	command string
	run     string // the command and its family
	// The trigrams of the message and of the literal text: two look-ups rule out nearly
	// every phrase.
	ofMessage, ofLiteral grams
}

// grams is a set of trigrams.
type grams [1 << 14 / 64]uint64

func gram(s string) uint32 {
	return (uint32(s[0])*961 ^ uint32(s[1])*31 ^ uint32(s[2])) * 2654435769 >> 18
}

func gramsOf(text string) (g grams) {
	for i := 0; i+3 <= len(text); i++ {
		h := gram(text[i : i+3])
		g[h/64] |= 1 << (h % 64)
	}
	return g
}

// may reports whether a text may contain a phrase.
func (g *grams) may(phrase string) bool {
	for _, part := range [...]string{phrase[:min(3, len(phrase))], phrase[max(0, len(phrase)-3):]} {
		if len(part) == 3 && !strings.ContainsAny(part, "* ") {
			if h := gram(part); g[h/64]&(1<<(h%64)) == 0 {
				return false
			}
		}
	}
	return true
}

// kinded reports whether a phrase is about the failure rather than its words.
func kinded(phrase string) bool {
	kind, _, ok := strings.Cut(phrase[:min(len(phrase), 8)], ":")
	return ok && slices.Contains([]string{"code", "exit", "symbol", "around", "command", "signal"}, kind)
}

func textsOf(c Case) texts {
	t := texts{message: strings.ToLower(c.Failure.Text), command: strings.ToLower(c.Command)}
	t.run = t.command + " " + strings.ToLower(c.Failure.Family)
	t.literal = strings.ToLower(c.Failure.Said) + " / " + t.message
	t.around = t.message + " " + t.run
	t.ofMessage, t.ofLiteral = gramsOf(t.message), gramsOf(t.literal)
	return t
}

// beside are the genes that the lines around a message are about, if the message itself
// says nothing known: by long phrases only, and ranked after all others.
func beside(c Case, genes []gene.Gene) (out []Match) {
	const long = 11
	t := textsOf(c)
	t.around += " " + t.literal
	t.message = strings.ToLower(c.Failure.Around)
	t.literal, t.ofMessage = t.message, gramsOf(t.message)
	t.ofLiteral = t.ofMessage
	for i := range genes {
		g := genes[i]
		w := &g.When
		w.Says = slices.DeleteFunc(slices.Clone(w.Says), func(p string) bool { return len(p) < long || strings.Contains(p[:min(len(p), 8)], ":") })
		if g.Platitude || w.Broad {
			continue
		}
		if s, phrase := says(&g, c, &t); s > 0 {
			out = append(out, Match{Gene: i, Score: Bar + (s-Bar)/2, Why: "beside it stands " + strconv.Quote(phrase)})
		}
	}
	return out
}

// learned is the score for the similarity to something learned here: it comes before
// what is known in general.
func learned(likeness float64) float64 { return min(0.7+0.3*likeness, 0.99) }

// Named is a failure with its causes, by the genes that come with the program, and its
// troubles: what a gene that cured it does not keep of the message.
func Named(f failure.Failure) failure.Failure {
	if seeds, err := gene.Seeds(); err == nil {
		f.Cause = causesOf(sayings(Case{Failure: f}, seeds), seeds)
	}
	f.Trouble = strings.Join(troublesOf(&f, f.Cause), " ")
	return f
}

// causesOf are the genes for a single cause that are about a failure, the surest first,
// separated by spaces.
func causesOf(said []Match, genes []gene.Gene) string {
	var ids []string
	best := 0.0
	for i, m := range said {
		w := &genes[i].When
		switch {
		case m.Score < Bar || !w.Literal || w.Broad: // broad ones have different things in common
		case m.Score > best:
			best, ids = m.Score, slices.Insert(ids, 0, genes[i].ID)
		default:
			ids = append(ids, genes[i].ID)
		}
	}
	return strings.Join(ids, " ")
}

// says is how surely the phrases of a gene show that it is about a case, and the
// longest of them.
func says(g *gene.Gene, c Case, t *texts) (score float64, phrase string) {
	w := &g.When
	if len(w.Says) == 0 {
		return 0, ""
	}
	text, has3 := t.message, &t.ofMessage
	if w.Literal {
		text, has3 = t.literal, &t.ofLiteral
	}
	first, _, several := strings.Cut(text, " / ")
	most, others, telling, atFirst := 0, 0, false, false
	for _, p := range w.Says {
		if !has3.may(p) && !kinded(p) {
			continue
		}
		n := weight(p, c, text)
		if strings.HasPrefix(p, "signal:") {
			others += n // the coarse kind alone says nothing
			continue
		}
		telling = telling || n > 0 && !everyday(p, c.Failure.Text)
		atFirst = atFirst || n > 0 && several && !kinded(p) && has(first, p)
		if n > 0 && n <= most {
			others += n
		}
		if n > most {
			others += most
			most, phrase = n, p
		}
	}
	if most == 0 {
		return 0, ""
	}
	there := func(in string) func(string) bool {
		return func(word string) bool { return has(in, word) || weight(word, c, "") > 0 }
	}
	around := t.around
	if w.Literal {
		around = t.literal + " " + t.run
	}
	near := slices.ContainsFunc(w.On, there(around))
	if slices.ContainsFunc(w.Unless, there(text)) || len(w.On) > 0 && !near || len(w.Of) > 0 && !slices.ContainsFunc(w.Of, there(text)) {
		return 0, ""
	}
	telling = telling || near || w.Literal || slices.ContainsFunc(g.SignalsMatch, func(s gene.Signal) bool {
		return s.Type != "error:generic" && s.Type != "error:not_found" && slices.Contains(c.Signals, s.Type)
	})
	if !telling && others == 0 {
		return 0, "" // a few everyday words occur in many messages: they need company
	}
	sure := float64(min(most, 40)) + 0.2*float64(min(others, 60))
	if near {
		sure += 6
	}
	if atFirst {
		sure += 8 // what comes first has no cause before it
	}
	sure = min(sure, 60) / 60
	switch {
	case w.Literal && !w.Broad:
		return Bar + 0.2 + sure*0.14, phrase
	case w.Literal:
		return Bar + 0.05 + sure*0.1, phrase
	case w.Broad:
		return Bar + 0.02 + sure*0.085, phrase // genes for the cause itself come first
	}
	return Bar + 0.02 + sure*0.17, phrase
}

// everyday reports whether a phrase has few plain words, which occur in messages about
// other things too: "is locked", "not configured", "mock". A word that the message has
// in capitals is a name: EACCES.
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

// technical are words that say what is wrong, wherever they occur.
var technical = []string{"not in scope", "cycle", "unbound", "undefined", "undeclared", "unresolved", "mismatch", "syntax", "denied", "refused", "timeout", "unauthorized", "forbidden", "deadlock", "overflow", "unknown v", "ambiguous", "duplicate", "certificate"}

// firstOfShells is the lowest exit code that means the same for every program: it comes
// from timeout, a shell or a signal.
const firstOfShells = 124

// weight is how many letters of a message a phrase explains, 0 if it does not occur.
// code:, symbol:, exit: and signal: are about the failure rather than its words.
func weight(phrase string, c Case, text string) int {
	kind, rest, _ := strings.Cut(phrase, ":")
	switch kind {
	case "code":
		if strings.EqualFold(rest, c.Failure.Code) {
			return 30
		}
		return 0
	case "exit":
		// Below the codes of shells and signals each program has its own: seeds mean
		// curl's.
		if code := c.Failure.Exit; rest == strconv.Itoa(code) && (code >= firstOfShells || has(strings.ToLower(c.Command), "curl")) {
			return 8
		}
		return 0
	case "symbol":
		if slices.ContainsFunc(c.Failure.Symbols, func(s string) bool { return strings.HasPrefix(s, rest) }) {
			return 16 + len(rest) // port:5432 says more than library:
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
	return len(phrase) - 2*strings.Count(phrase, "*")
}

// has reports whether a text has the parts of a phrase, in order and not far apart. A
// part that begins or ends with a letter begins or ends a word there, unless a * is
// right beside it.
func has(text, phrase string) bool {
	first, rest, star := strings.Cut(phrase, "*")
	if first == "" {
		return hasFrom(text, phrase, 0) >= 0
	}
	for from := 0; from <= len(text); {
		at := index(text[from:], strings.TrimSpace(first), false, star && !strings.HasSuffix(first, " "))
		if at < 0 {
			return false
		}
		if from += at + len(strings.TrimSpace(first)); !star || rest == "" || hasFrom(text, "*"+rest, from) >= 0 {
			return true
		} // the beginning of a phrase may occur earlier as well
	}
	return false
}

// hasFrom is where the parts of a phrase end when searched for from an offset; -1 if
// they are not all there.
func hasFrom(text, phrase string, from int) int {
	const far = 160
	found := from > 0
	for rest, open := phrase, false; rest != ""; {
		part, after, star := strings.Cut(rest, "*")
		opens, closes := open && !strings.HasPrefix(part, " "), star && !strings.HasSuffix(part, " ")
		rest, open = after, star
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		at := index(text[from:], part, opens, closes)
		if at < 0 || found && at > far {
			return -1
		}
		from, found = from+at+len(part), true
	}
	return from
}

// index is the offset of a part in a text; opens and closes say that a word may go on
// before or after it.
func index(text, part string, opens, closes bool) int {
	for from := 0; from <= len(text)-len(part); {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(part)
		if (opens || i == 0 || !joined(text[i-1], part[0])) && (closes || end == len(text) || !joined(part[len(part)-1], text[end]) || plural(text[end:])) {
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

// plural reports whether a word only goes on with a plural s.
func plural(rest string) bool {
	return rest[0] == 's' && (len(rest) == 1 || !inWord(rest[1]))
}
