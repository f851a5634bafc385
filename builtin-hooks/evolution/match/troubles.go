package match

import (
	_ "embed" // the troubles
	"slices"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
)

// A trouble is one that several programs have, each in its own words: a lock file that
// is older than what it locks, a certificate whose authority nobody knows. A gene that
// comes with the program says how to fix one; a trouble says only that two failures are
// the same thing.
type trouble struct {
	name             string
	says, on, unless []string
	causes           []string // genes that come with the program and are about it
	of               []string // programs: what fixes it in one does not fix it in another
	named            bool     // with another name it is another trouble
	follows          bool     // if another one is present, it is caused by that one
}

//go:embed troubles.txt
var troublesText string

// troubles are all troubles, in the order of their file, which is ours.
var troubles = sync.OnceValue(func() (list []trouble) {
	for line := range strings.Lines(troublesText) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch name {
		case "==":
			list = append(list, trouble{name: rest})
			continue
		case "says:", "causes:", "on:", "unless:", "of:", "flags:":
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
		case "of:":
			t.of = words
		default:
			t.named, t.follows = strings.Contains(rest, "named"), strings.Contains(rest, "follows")
		}
	}
	return list
})

// A troubled is a failure prepared for finding its troubles.
type troubled struct {
	c      Case
	text   string // what is read, including the meaning of its codes
	around string // that, and the family of its command
	cause  string // its surest cause
	grams  grams
}

// troublesOf are the names of a failure's troubles: those of its message or, if that
// has none that may be the cause, those of the text around it.
func troublesOf(f *failure.Failure, causes string) []string {
	if f.Trouble != "" {
		return strings.Fields(f.Trouble)
	}
	cause, _, _ := strings.Cut(causes, " ")
	list := troublesIn(f, readOf(f), cause)
	if causes := leading(list); len(causes) > 0 || f.Around == "" {
		return causesOr(causes, list)
	}
	around := troublesIn(f, meantBy(f.Around), "")
	return causesOr(leading(around), causesOr(list, around))
}

// leading are those troubles that are not caused by others.
func leading(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return troubleNamed()[name].follows })
}

func causesOr(causes, list []string) []string {
	if len(causes) > 0 {
		return causes
	}
	return list
}

func troublesIn(f *failure.Failure, text, cause string) (list []string) {
	t := troubledBy(f, text, cause)
	for i := range troubles() {
		if one := &troubles()[i]; t.has(one) {
			list = append(list, one.name)
		}
	}
	return list
}

func troubledBy(f *failure.Failure, text, cause string) *troubled {
	t := &troubled{c: Case{Failure: *f}, text: strings.ToLower(text), cause: cause}
	t.around = t.text + " " + strings.ToLower(f.Family)
	t.grams = gramsOf(t.text)
	return t
}

// readOf is the part of a failure that is searched.
func readOf(f *failure.Failure) string {
	return strings.Join(append([]string{meantBy(f.Text), f.Said}, f.Symbols...), " / ")
}

// has reports whether a failure has a trouble.
func (t *troubled) has(one *trouble) bool {
	if !slices.Contains(one.causes, t.cause) && !slices.ContainsFunc(one.says, t.says) {
		return false
	}
	there := func(word string) bool { return has(t.around, word) }
	return (len(one.on) == 0 || slices.Contains(one.causes, t.cause) || slices.ContainsFunc(one.on, there)) && !slices.ContainsFunc(one.unless, there)
}

func (t *troubled) says(phrase string) bool {
	return (t.grams.may(phrase) || kinded(phrase)) && weight(phrase, t.c, t.text) > 0
}

// troubleNamed are the troubles by their names.
var troubleNamed = sync.OnceValue(func() map[string]*trouble {
	byName := map[string]*trouble{}
	for i := range troubles() {
		byName[troubles()[i].name] = &troubles()[i]
	}
	return byName
})
