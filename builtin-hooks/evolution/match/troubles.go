package match

import (
	_ "embed" // the troubles
	"slices"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
)

// A trouble is one that several programs have, each in its own words: a lock file that is older than
// what it locks, a certificate whose authority nobody knows. A gene that comes with the program
// tells how to mend one; a trouble tells only that two failures are one thing.
type trouble struct {
	name             string
	says, on, unless []string
	causes           []string // genes that come with the program and are about it
	named            bool     // one of another name is another one
}

//go:embed troubles.txt
var troublesText string

// troubles are all of them, in the order of their file, which is ours.
var troubles = sync.OnceValue(func() (list []trouble) {
	for line := range strings.Lines(troublesText) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch name {
		case "==":
			list = append(list, trouble{name: rest})
			continue
		case "says:", "causes:", "on:", "unless:", "flags:":
		default:
			continue
		}
		t, words := &list[len(list)-1], strings.Split(rest, " | ")
		switch name {
		case "says:":
			t.says = words
		case "causes:":
			for _, w := range words {
				t.causes = append(t.causes, "seed_repair_"+w)
			}
		case "on:":
			t.on = words
		case "unless:":
			t.unless = words
		default:
			t.named = rest == "named"
		}
	}
	return list
})

// A troubled is a failure as troubles are looked for in it.
type troubled struct {
	c      Case
	text   string // its message, with what its codes mean
	around string // and the family of its command
	cause  string // the surest of its causes
	grams  grams
}

func troubledBy(f *failure.Failure, causes string) *troubled {
	t := &troubled{c: Case{Failure: *f}, text: strings.ToLower(meantBy(f.Text))}
	t.cause, _, _ = strings.Cut(causes, " ")
	if f.Said != "" {
		t.text += " / " + strings.ToLower(f.Said) // with its numbers
	}
	t.around = t.text + " " + strings.ToLower(f.Family)
	t.grams = gramsOf(t.text)
	return t
}

// has reports whether a failure is of a trouble.
func (t *troubled) has(one *trouble) bool {
	if slices.Contains(one.causes, t.cause) {
		return true
	}
	said := slices.ContainsFunc(one.says, func(p string) bool {
		return (t.grams.may(p) || kinded(p)) && weight(p, t.c, t.text) > 0
	})
	there := func(word string) bool { return has(t.around, word) }
	return said && (len(one.on) == 0 || slices.ContainsFunc(one.on, there)) && !slices.ContainsFunc(one.unless, there)
}

// all are the troubles of a failure, by their places.
func (t *troubled) all() (list []int) {
	for i := range troubles() {
		if t.has(&troubles()[i]) {
			list = append(list, i)
		}
	}
	return list
}
