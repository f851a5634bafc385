// Package cli parses command lines: commands of several words, their flags and their
// arguments.
//
//	command.go  what a command is, and how a line is resolved to one
//	parse.go    the words after a command: flags and arguments, in any order
//	flag.go     the kinds of flags, and how their values are parsed
//
// It prints nothing: the caller (package shell) writes help and error messages.
//
// Libraries for this print their help with text/template, which finds methods by names
// that the linker cannot know. So a program with one of them keeps every exported
// method of every type: a tenth of the size of agents-hooks.
package cli

import "slices"

import "context"

// A Command is a word of a command line, and what it does.
type Command struct {
	Name        string
	Aliases     []string
	Usage       string // one line
	Description string
	ArgsUsage   string // what follows the flags
	Category    string // the heading under which it is listed
	Hidden      bool   // in help and completion

	Flags       []Flag
	Subcommands []*Command
	Action      func(*Context) error // nil: print the help

	// SkipFlagParsing leaves every word to Action, as an argument.
	SkipFlagParsing bool
	// AnswersJSON says that programs get one line of JSON from it, whatever they typed.
	AnswersJSON bool
	// Complete says which words its arguments may be.
	Complete Words

	// FullName is the command with the words before it. Run sets it.
	FullName string
}

// Names are the name and the other names.
func (c *Command) Names() []string { return append([]string{c.Name}, c.Aliases...) }

// HasName reports whether a word is a name of this command.
func (c *Command) HasName(word string) bool {
	return slices.Contains(c.Names(), word)
}

// Find is the subcommand that a word names, nil if there is none.
func (c *Command) Find(word string) *Command {
	for _, sub := range c.Subcommands {
		if sub.HasName(word) {
			return sub
		}
	}
	return nil
}

// VisibleFlags are the flags that the help shows: the last is --help itself.
func (c *Command) VisibleFlags() []Flag {
	var list []Flag
	for _, f := range c.Flags {
		if f.IsVisible() {
			list = append(list, f)
		}
	}
	return append(list, help)
}

// A Program is what all commands have in common.
type Program struct {
	Root    *Command
	Help    func(*Command)                // prints the help
	Misused func(*Context, *Misuse) error // handles words that cannot be parsed
	Starts  func(*Context)                // called with the command that is about to run
}

// A Context is a parsed command line, for the command that it names.
type Context struct {
	context.Context
	Root    *Command
	Command *Command

	program *Program
	parent  *Context // of the parent command
	given   *given
}

// Run finds the command that the words of a command line name, without the program's
// own name, and runs it.
func (p *Program) Run(ctx context.Context, words []string) error {
	p.Root.FullName = p.Root.Name
	return p.run(&Context{Context: ctx, Root: p.Root, Command: p.Root, program: p}, words)
}

func (p *Program) run(c *Context, words []string) error {
	cmd := c.Command
	var err *Misuse
	if c.given, err = cmd.parse(words); err != nil {
		return p.Misused(c, err)
	}
	if c.given.help {
		return c.Help()
	}
	if len(c.given.args) > 0 {
		if sub := cmd.Find(c.given.args[0]); sub != nil {
			sub.FullName = cmd.FullName + " " + sub.Name
			return p.run(&Context{Context: c.Context, Root: c.Root, Command: sub, program: p, parent: c}, c.given.args[1:])
		}
	}
	if cmd.Action == nil {
		return c.Help()
	}
	p.Starts(c)
	return cmd.Action(c)
}

// Help prints the help of the command.
func (c *Context) Help() error {
	c.program.Help(c.Command)
	return nil
}

// Args are the words that are neither commands nor flags.
func (c *Context) Args() []string { return c.given.args }

// Arg is the first of Args, "" if there is none.
func (c *Context) Arg() string {
	if len(c.given.args) == 0 {
		return ""
	}
	return c.given.args[0]
}
