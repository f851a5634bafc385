package opcli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// read is what was typed, as arguments of the operation.
func read(sh *shell.Shell, c *cli.Context, o *op.Op) (op.Object, error) {
	given, err := Given(sh, c, *o)
	if err != nil {
		return nil, err
	}
	return given, readWords(sh, c, o, &given)
}

// Given are the arguments that were typed as flags.
func Given(sh *shell.Shell, c *cli.Context, o op.Op) (op.Object, error) {
	var given op.Object
	for i := range o.Args {
		a := &o.Args[i]
		if a.NoFlag || !c.IsSet(a.Flag()) {
			continue
		}
		raw, err := value(sh, c, a)
		if err != nil {
			return nil, shell.Usagef("%s: --%s: %v", shell.CommandName(c), a.Flag(), err)
		}
		given.Set(a.Name, raw)
	}
	return given, nil
}

// readWords adds the words that are not flags.
func readWords(sh *shell.Shell, c *cli.Context, o *op.Op, given *op.Object) error {
	free := o.Words
	if o.Usage == "" { // words move up to replace arguments given as flags
		free = slices.DeleteFunc(slices.Clone(free), given.Has)
	}
	most := len(free)
	if o.Rest {
		most = -1
	}
	list, err := shell.Args(c, least(o), most, wanted(o, free))
	if err != nil || len(list) == 0 {
		return err
	}
	if given.Has(free[0]) {
		return shell.Usagef("%s: %s is given twice, as an argument and as a flag", shell.CommandName(c), free[0])
	}
	if most < 0 {
		a, _ := o.Arg(free[0])
		if a.Kind == op.String {
			given.SetText(a.Name, strings.Join(list, " "))
		} else {
			given.Set(a.Name, items(&a, list))
		}
		return nil
	}
	for i, word := range list {
		if word, err = orStdin(sh, word); err != nil {
			return err
		}
		given.SetText(free[i], word)
	}
	return nil
}

// least is the minimum number of words: arguments without a flag.
func least(o *op.Op) (n int) {
	for _, w := range o.Words {
		if a, _ := o.Arg(w); a.Required && a.NoFlag {
			n++
		}
	}
	return n
}

// wanted says which words a command takes.
func wanted(o *op.Op, free []string) string {
	switch {
	case o.Wants != "":
		return o.Wants
	case o.Usage != "":
		return strings.ToLower(o.Usage)
	case len(free) > 0:
		return "at most " + strings.Join(free, ", ")
	}
	return "flags only"
}

// orStdin is a text, or stdin for "-".
func orStdin(sh *shell.Shell, word string) (string, error) {
	if word != "-" {
		return word, nil
	}
	b, err := shell.ReadAll(sh.In, 1<<20)
	if err != nil {
		return "", fmt.Errorf("stdin: %w", err)
	}
	return strings.TrimRight(string(b), "\n"), nil
}

// value is a flag's value.
func value(sh *shell.Shell, c *cli.Context, a *op.Arg) (op.Raw, error) {
	name := a.Flag()
	switch a.Kind {
	case op.Bool:
		return strconv.AppendBool(nil, c.Bool(name)), nil
	case op.Int, op.Count:
		return strconv.AppendInt(nil, int64(c.Int(name)), 10), nil
	case op.Number:
		f := c.Float64(name)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, errors.New("want a number")
		}
		return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
	case op.Texts, op.List:
		return items(a, listOf(c, name)), nil
	case op.Docs:
		return pairs(listOf(c, name), "=", "path", "description")
	case op.Cases:
		return pairs(listOf(c, name), "=>", "when", "then")
	case op.Free:
		return free(listOf(c, name))
	case op.JSON:
		raw := op.Raw(strings.TrimSpace(c.String(name)))
		if protocol.ValidValue(raw) != nil {
			return nil, errors.New("want JSON")
		}
		return raw, nil
	case op.Confirm:
		token, answer, ok := strings.Cut(c.String(name), "=")
		if !ok {
			return nil, errors.New("want TOKEN=ANSWER")
		}
		return object("token", token, "userInput", answer).Raw(), nil
	}
	text := c.String(name)
	if a.Kind == op.String && a.Words == nil {
		var err error
		if text, err = orStdin(sh, text); err != nil {
			return nil, err
		}
	}
	return protocol.Quote(text), nil
}

func listOf(c *cli.Context, name string) []string { return c.List(name) }

// items are the elements that were given for a list: in a list that may also contain
// objects, each given value is one element, including its commas.
func items(a *op.Arg, given []string) op.Raw {
	raw := op.Raw{'['}
	add := func(v op.Raw) {
		if len(raw) > 1 {
			raw = append(raw, ", "...)
		}
		raw = append(raw, v...)
	}
	for _, s := range given {
		s = strings.TrimSpace(s)
		switch {
		case a.Kind == op.List && strings.HasPrefix(s, "{") && protocol.ValidValue([]byte(s)) == nil:
			add(op.Raw(s))
		case a.Split:
			for _, w := range shell.SplitCommas([]string{s}) {
				add(protocol.Quote(w))
			}
		default:
			add(protocol.Quote(s))
		}
	}
	return append(raw, ']')
}

// pairs reads values such as docs/a.md=what it is; a JSON array is taken unchanged.
func pairs(list []string, mark, first, second string) (op.Raw, error) {
	if raw, is := whole(list, "["); is {
		return raw, protocol.ValidValue(raw)
	}
	raw := op.Raw{'['}
	for i, item := range list {
		if i > 0 {
			raw = append(raw, ',')
		}
		a, b, _ := strings.Cut(item, mark)
		raw = object(first, strings.TrimSpace(a), second, strings.TrimSpace(b)).Append(raw)
	}
	return append(raw, ']'), nil
}

// free reads NAME=TEXT; a repeated name makes a list.
func free(list []string) (op.Raw, error) {
	if raw, is := whole(list, "{"); is {
		return raw, protocol.ValidValue(raw)
	}
	values := map[string][]string{}
	var o op.Object
	for _, item := range list {
		name, text, ok := strings.Cut(item, "=")
		if !ok {
			return nil, fmt.Errorf("%q: want NAME=TEXT", item)
		}
		if values[name] = append(values[name], text); len(values[name]) > 1 {
			o.Set(name, protocol.TextList(values[name]))
		} else {
			o.SetText(name, text)
		}
	}
	return o.Raw(), nil
}

// whole is a list of one element that is itself JSON.
func whole(list []string, begins string) (op.Raw, bool) {
	if len(list) != 1 || !strings.HasPrefix(strings.TrimSpace(list[0]), begins) {
		return nil, false
	}
	return op.Raw(strings.TrimSpace(list[0])), true
}

func object(a, x, b, y string) (o op.Object) {
	o.SetText(a, x)
	o.SetText(b, y)
	return o
}
