package signal

import (
	"slices"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/tongue"
)

// A Told line is one that shows a failure.
type Told struct {
	Text    string // without surrounding space and colours
	Summary bool   // says that something failed but not what: "make: *** Error 2", "3 failed"
	Count   int    // how many failures it counts, -1 if it does not
}

// Telling are the lines of an output that show a failure, in order. If a call is known
// to have failed but has no such line, they are its last ones.
func Telling(text string, failed bool) (list []Told) {
	const most = 3
	var last []line // lines that say nothing by themselves
	follow := 0     // how many further lines belong to the previous one
	lines(text, func(l *line) {
		weight, found := l.weigh()
		if follow--; follow >= 0 && weight == isDetail && failed && !l.aside() {
			list = append(list, l.told())
			return
		}
		switch {
		case weight == isGood:
			return
		case weight == isDetail && found == 0 && !l.names():
			if failed && !l.aside() {
				last = append(last[max(0, len(last)-most+1):], *l)
			}
			return
		}
		list = append(list, l.told())
		if follow = 0; l.opens() {
			follow = 2
		}
	})
	if !failed || slices.ContainsFunc(list, func(t Told) bool { return !t.Summary }) {
		return list
	}
	// No line says what failed: those before may.
	before := make([]Told, len(last), len(last)+len(list))
	for i := range last {
		before[i] = last[i].told()
	}
	return append(before, list...)
}

func (l *line) told() Told { return Told{l.text, l.summary(), l.count()} }

// Around are lines of an output around those that show its failure: a few of the first
// and more of the last, as far as a person could read them as sentences.
func Around(text string, told []Told) (list []string) {
	const first, last = 6, 10
	lines(text, func(l *line) {
		if l.aside() || len(strings.Fields(l.text)) < 3 || strings.Contains(l.lower, "deprecat") || strings.HasPrefix(l.lower, "npm warn") || slices.ContainsFunc(told, func(t Told) bool { return t.Text == l.text }) {
			return
		}
		list = append(list, l.text)
	})
	if len(list) > first+last {
		list = append(list[:first:first], list[len(list)-last:]...)
	}
	return list
}

// lines calls f with each line of a text that is not empty.
func lines(text string, f func(*line)) {
	text = clean(text)
	lower := asciiLower(text)
	before := ""
	var l line // reused: f keeps none
	for from := 0; from < len(text); {
		to := strings.IndexByte(text[from:], '\n')
		if to < 0 {
			to = len(text)
		} else {
			to += from
		}
		if l = (line{lower: strings.TrimSpace(lower[from:to]), before: before}); l.lower != "" {
			l.text = strings.TrimSpace(text[from:to])
			if l.lower == "^" || len(l.lower) > 2000 {
				l.lower, l.text = cutLine(l.lower), cutLine(l.text)
			}
			l.ascii = l.grams.note(l.lower)
			l.english()
			f(&l)
			before = l.lower
		}
		from = to + 1
	}
}

// english replaces known messages of a line in another language by English ones.
func (l *line) english() {
	set := tongue.Set(0)
	if !l.ascii {
		set = tongue.Script(l.text)
	}
	for i, known := 0, markers(); set == 0 && i < len(known); i++ {
		if m := &known[i]; l.grams.has(m.first) && l.grams.has(m.last) && strings.Contains(l.lower, m.Word) {
			set = l.marked()
		}
	}
	if set == 0 {
		return
	}
	said := tongue.English(l.text, set)
	if said == l.text {
		return
	}
	l.text, l.lower, l.grams = said, asciiLower(said), grams{}
	l.grams.note(l.lower)
}

// marked are the languages of which a line contains a word in plain letters.
func (l *line) marked() (set tongue.Set) {
	for _, m := range markers() {
		if strings.Contains(l.lower, m.Word) {
			set |= m.Language
		}
	}
	return set
}

// markers are those words, with their first and last trigrams.
var markers = sync.OnceValue(func() (list []marker) {
	for _, m := range tongue.Markers() {
		n := len(m.Word)
		list = append(list, marker{m, gram(m.Word[0], m.Word[1], m.Word[2]), gram(m.Word[n-3], m.Word[n-2], m.Word[n-1])})
	}
	return list
})

type marker struct {
	tongue.Marker
	first, last uint
}

// opens reports whether a line only announces the next ones: it ends with a colon, or
// is only the name of an error.
func (l *line) opens() bool {
	return strings.HasPrefix(l.lower, "--- fail") || strings.HasSuffix(l.text, ":") || strings.HasSuffix(l.text, "：") || len(strings.Fields(l.text)) <= 2 || l.anyIn(l.lower, []string{"error found", "error occurred", "an error", "making api request", "error executing", "the following"})
}

// names reports whether a line has the form of a message without a word of failure:
// "thing: what is wrong with it", where the thing is a program or a file.
func (l *line) names() bool {
	head, rest, ok := strings.Cut(l.lower, ": ")
	return ok && rest != "" && !strings.Contains(head, " ") && l.anyIn(rest, plainTrouble) && !l.passed() && !l.note()
}

var plainTrouble = []string{"undefined", "undeclared", "unresolved", "expected", "unexpected", "missing", "mismatch", "conflict", "unknown", "unrecognized", "invalid", "illegal", "refused", "denied", "not found", "ambiguous", "duplicate", "already exists", "locked", "busy", "expired", "too many", "too large", "too low", "too small", "too high", "too old", "too long", "unreachable", "must be", "requires"}

// aside reports whether a line cannot be a message, whatever ended: a mark of success,
// a line of code, an underline.
func (l *line) aside() bool {
	letters := 0
	for i := range len(l.text) {
		if letter(l.text[i]) || l.text[i] >= 0x80 {
			letters++
		}
	}
	return letters < 3 || l.passed() || isFrame(l.lower) || anyPrefix(l.lower, []string{"at ", "|", "^", "~", "-->", "==="})
}

// summary reports whether a line says that something failed but not what.
func (l *line) summary() bool {
	s := l.lower
	if strings.HasPrefix(s, "could not compile dependency") || strings.HasPrefix(s, "[error] failed to execute goal") && l.anyIn(s, []string{"could not resolve", "could not find", "missing", "unable to", "fatal error compiling"}) {
		return false // says which part of it, and why
	}
	if strings.Contains(s, "make: *** ") && l.anyIn(s, []string{"no rule to make", "missing separator", "no targets", "recipe commences"}) {
		return false // make itself says what is wrong
	}
	if s == "[error]" || anyPrefix(s, summaries) || strings.HasSuffix(s, "error 1") || strings.HasSuffix(s, "error 2") {
		return true
	}
	words := strings.Fields(s)
	return len(words) <= 3 && (l.count() > 0 || l.exitCode(s) > 0) || l.count() > 0 && l.anyIn(s, []string{"passed", "passing", "total", "skipped", "tests run", "in", "suites", "examples", "scenarios", "found", "generated", "warnings"}) || l.exitCode(s) > 0 && !l.anyIn(s, []string{"no such", "not found", "denied", "cannot", "killed", "signal"})
}

var summaries = []string{"=> error [", "error: failed to solve: process", "failed to solve: process", "--- fail", "make: ***", "make[", "npm err! code elifecycle", "npm error code elifecycle", "elifecycle", "err_pnpm_recursive", "exit status", "exit code", "build failed", "failure: build failed", "execution failed for task", "> execution failed for task", "> task ", "task :", "* what went wrong", "fatal: could not read from remote repository", "please make sure you have the correct access rights", "a failure occurred while executing", "> a failure occurred while executing", "error: process completed", "command failed with exit", "error command failed", "tests:", "test suites:", "failed (", "fail\t", "ninja: build stopped", "could not compile", "error: could not compile", "compilation failed", "error: aborting due to", "npm err! a complete log", "npm error a complete log", "traceback (most recent call last)", "collect2: error", "clang: error: linker command failed", "error: test failed", "gmake: ***", "[error] build failure", "[error] failed to execute goal", "[error] -> [help", "[error] re-run", "[error] to see", "[error] [help", "[error] for more"}
