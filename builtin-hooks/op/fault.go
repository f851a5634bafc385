package op

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Fault is what is wrong with the arguments of a call: one that is not known,
// one that is of another kind, or some that are missing.
type Fault struct {
	Op      *Op
	Name    string   // of the argument
	Arg     *Arg     // nil if there is none of that name
	Value   Raw      // what it is and must not be
	Missing []string // what had to be there
}

func (f *Fault) Error() string {
	switch {
	case f.Arg == nil:
		return fmt.Sprintf("%s has no argument %q", f.Op.Name, f.Name)
	case f.Missing != nil:
		return fmt.Sprintf("%s: %s is missing: %s", f.Op.Name, f.Name, f.Arg.Want())
	}
	return fmt.Sprintf("%s: %s is %.60s; want %s", f.Op.Name, f.Name, f.Value, f.Arg.Want())
}

// A Wrong is an argument that is of its kind and still will not do, such as a number
// that is too large.
type Wrong struct {
	Name  string // of the argument
	Value string // what it is, as JSON has it
	Want  string // what it has to be: 1 to 50
}

func (w *Wrong) Error() string { return w.Name + " is " + w.Value }

// Refuse makes an Error of a Fault or a Wrong; any other error stays as it is.
func Refuse(err error) error {
	var f *Fault
	var w *Wrong
	switch {
	case errors.As(err, &f):
		return Fail(BadArgument, f.Op.Arguments(), "%s", f.Error())
	case errors.As(err, &w):
		return Fail(BadArgument, w.Name+" is "+w.Want, "%s", w.Error())
	}
	return err
}

// Within refuses a number that is not from least to most.
func Within(name string, n, least, most int) error {
	if n < least || n > most {
		return &Wrong{name, fmt.Sprint(n), fmt.Sprintf("%d to %d", least, most)}
	}
	return nil
}

// OneOf is an argument that is one of some words; the first, if nobody says it.
func (c Call) OneOf(name string, words []string) (string, error) {
	if !c.Args.Has(name) {
		return words[0], nil
	}
	word, last := c.Args.Text(name), len(words)-1
	if !slices.Contains(words, word) {
		return "", &Wrong{name, strconv.Quote(word), strings.Join(words[:last], ", ") + " or " + words[last]}
	}
	return word, nil
}

// Arguments lists what an operation takes, with a mark at what may be left out.
func (o *Op) Arguments() string {
	if len(o.Args) == 0 {
		return o.Name + " takes no arguments"
	}
	var list []string
	for _, a := range o.Args {
		if !a.Required {
			a.Name += "?"
		}
		list = append(list, a.Name)
	}
	return "arguments of " + o.Name + ": " + strings.Join(list, ", ")
}

// Want says what an argument has to be, as JSON has it.
func (a *Arg) Want() string {
	switch {
	case a.Words != nil:
		return "one of " + strings.Join(a.Words, ", ")
	case a.Kind == Texts:
		return "an array of strings"
	case a.Kind == Int || a.Kind == Count:
		return "a whole number"
	case a.Kind == Bool:
		return "true or false"
	case a.Kind == String || a.Kind == Day || a.Kind == Number:
		return "a " + a.Kind.jsonType()
	}
	return "an " + a.Kind.jsonType()
}
