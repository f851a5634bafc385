// Package opcli generates commands from operations (package op): flags and words for
// their arguments, the help, and completion. What the user typed becomes the arguments
// of a call, in the same form as from a model.
//
//	opcli.Command(sh, o, "create", flags, func(c *cli.Context, given op.Object) error { … })
//
// workspaceId is --workspace-id; a text that is "-" is read from stdin; lists repeat. A
// behaviour without a group of its own gets one from [CommandGroup].
package opcli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// Command is an operation as a command with a name. more are flags that it has
// besides its arguments.
func Command(sh *shell.Shell, o op.Op, name string, more []cli.Flag, act func(*cli.Context, op.Object) error) *cli.Command {
	c := &cli.Command{Name: name, Usage: o.People.English, Description: o.Model.English, ArgsUsage: usage(&o)}
	for _, a := range ordered(&o) {
		if !a.NoFlag {
			c.Flags = append(c.Flags, offered(sh, &o, flag(&a), a))
		}
	}
	c.Flags = append(c.Flags, more...)
	c.Complete = func(l cli.Line) ([]cli.Suggestion, cli.Kind) {
		i := min(len(l.Args), len(o.Words)-1)
		if i < 0 || i < len(l.Args) && !o.Rest {
			return nil, ""
		}
		a, _ := o.Arg(o.Words[i])
		return words(sh, &o, a, l)
	}
	c.Action = func(c *cli.Context) error {
		given, err := read(sh, c, &o)
		if err != nil {
			return err
		}
		return act(c, given)
	}
	return c
}

// ordered are the arguments in the order of the help.
func ordered(o *op.Op) []op.Arg {
	list := slices.Clone(o.Args)
	if o.Order != nil {
		order.By(list, func(a, b op.Arg) int { return slices.Index(o.Order, a.Name) - slices.Index(o.Order, b.Name) })
	}
	return list
}

// usage is the help's line for a command's words.
func usage(o *op.Op) string {
	if o.Usage != "" {
		return o.Usage
	}
	var names []string
	for _, w := range o.Words {
		a, _ := o.Arg(w)
		names = append(names, "["+strings.ToUpper(strings.TrimSuffix(a.Flag(), "-id"))+"]")
	}
	return strings.Join(names, " ")
}

// flag is an argument as a flag.
func flag(a *op.Arg) cli.Flag {
	names := a.Names()
	name, aliases, help := names[0], names[1:], help(a)
	switch a.Kind {
	case op.Bool:
		return &cli.BoolFlag{Name: name, Aliases: aliases, Usage: help}
	case op.Int, op.Count:
		n, _ := strconv.Atoi(a.Default)
		return &cli.IntFlag{Name: name, Aliases: aliases, Usage: help, Value: n}
	case op.Number:
		n, _ := strconv.ParseFloat(a.Default, 64)
		return &cli.Float64Flag{Name: name, Aliases: aliases, Usage: help, Value: n}
	case op.String, op.Day, op.Confirm, op.JSON:
		return &cli.StringFlag{Name: name, Aliases: aliases, Usage: help, Value: a.Default}
	}
	return &cli.ListFlag{Name: name, Aliases: aliases, Usage: help}
}

// help is the help for an argument: the text for people, or else the one for models
// with the spelling of the command line.
func help(a *op.Arg) string {
	if a.People.English != "" {
		return a.People.English
	}
	text := a.Model.English
	if a.Words != nil {
		text += " (" + strings.Join(a.Words, ", ") + ")"
	}
	switch a.Kind {
	case op.Texts, op.List, op.Objects:
		text += "; repeats"
	case op.Docs:
		text += " (`PATH=TEXT`); repeats"
	case op.Cases:
		text += " (`WHEN=>THEN`); repeats"
	case op.Confirm:
		text += " (`TOKEN=ANSWER`)"
	case op.Free:
		text += " (`NAME=TEXT`); repeats"
	}
	return text
}

// offered is a flag that declares its possible values, if they are known.
func offered(sh *shell.Shell, o *op.Op, f cli.Flag, a op.Arg) cli.Flag {
	if a.Words == nil && a.Known == nil && a.From == "" {
		return f
	}
	return cli.Offer(f, func(l cli.Line) ([]cli.Suggestion, cli.Kind) { return words(sh, o, a, l) })
}

// words are the possible values of an argument.
func words(sh *shell.Shell, o *op.Op, a op.Arg, l cli.Line) (list []cli.Suggestion, kind cli.Kind) {
	switch {
	case a.Words != nil:
		return shell.Fixed(a.Words...)(l)
	case a.Known != nil:
		return shell.Fixed(a.Known...)(l)
	case a.From == "" || o.Offer == nil:
		return nil, ""
	}
	call := builtin.Call(sh.Host, sh.Host.WorkDir)
	call.Args = typed(o, l)
	for _, w := range o.Offer(a.From, call) {
		list = append(list, cli.Suggestion{Word: w.Word, Text: w.Text})
	}
	return list, ""
}

// typed are the arguments that were already typed and are texts.
func typed(o *op.Op, l cli.Line) (given op.Object) {
	for i, w := range l.Args[:min(len(l.Args), len(o.Words))] {
		given.SetText(o.Words[i], w)
	}
	for _, a := range o.Args {
		if v := l.Flag(a.Names()...); v != "" {
			given.SetText(a.Name, v)
		}
	}
	return given
}
