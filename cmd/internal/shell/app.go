package shell

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

// New is the command line of a program in a process.
func New(name string, h host.Host, in io.Reader, out, err io.Writer) *Shell {
	return &Shell{Name: name, Host: h, In: in, Out: out, Err: err, failed: new(error)}
}

// A CommandGroup is a group of commands that main lists: the words it stands for at the
// top level, and what builds them. Only the group that a command line is about is
// built, so that what an agent waits for pays for no flags of others.
type CommandGroup struct {
	Words   string // separated by spaces, other names of a command included
	Topic   Topic  // of the help, for commands that name none in their Category
	Command func(*Shell) *cli.Command
}

// Group is a group of several commands that have no word in common: they stand at
// the top level.
func Group(commands ...*cli.Command) *cli.Command { return &cli.Command{Subcommands: commands} }

// Commands builds groups: those whose words hold the given one, all if none does.
func (sh *Shell) Commands(groups []CommandGroup, word string) []*cli.Command {
	if i := slices.IndexFunc(groups, func(r CommandGroup) bool { return slices.Contains(strings.Fields(r.Words), word) }); i >= 0 {
		groups = groups[i : i+1]
	}
	var list []*cli.Command
	for _, r := range groups {
		c := r.Command(sh)
		sh.prepare(c)
		made := []*cli.Command{c}
		if c.Name == "" {
			made = c.Subcommands
		}
		for _, c := range made {
			c.Category = cmp.Or(c.Category, string(r.Topic))
		}
		list = append(list, made...)
	}
	return list
}

// Run takes a command line to its exit code.
func (sh *Shell) Run(groups []CommandGroup, args []string) int {
	args = sh.read(args)
	word := ""
	if len(args) > 0 {
		word = args[0]
	}
	root := &cli.Command{
		Name: sh.Name, Usage: "one set of hooks for every coding agent", ArgsUsage: "COMMAND [FLAGS] [ARGUMENTS]",
		Action: sh.noCommand, Subcommands: sh.Commands(groups, word),
	}
	for _, r := range groups {
		sh.words = append(sh.words, strings.Fields(r.Words)...)
		if names := strings.Fields(r.Words); len(names) == 2 && slices.Contains(names, word) && len(root.Subcommands) == 1 {
			sh.typed = append(names[:1:1], args[1:]...) // its own name, for what is said of it
		}
	}
	if word == completer || word == manualWriter {
		root.Subcommands = sh.Commands(groups, "")
	}
	if err := sh.homeless(word, args); err != nil {
		return sh.exit(err)
	}
	return sh.exit(sh.written(sh.run(root, args)))
}

// read takes a command line as people type it elsewhere: "help install" is "install
// --help", "--version" is "version".
func (sh *Shell) read(args []string) []string {
	sh.typed = args
	switch {
	case len(args) == 0 && sh.Alone != "":
		return []string{sh.Alone}
	case len(args) == 0:
	case args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	case slices.Contains([]string{"--version", "-version", "-v", "-V"}, args[0]):
		return append([]string{"version"}, args[1:]...)
	}
	return args
}

// homeless refuses a command on a machine that says nowhere where a person's files are:
// they would come to lie wherever it was typed. What only reads projects needs none.
func (sh *Shell) homeless(word string, args []string) error {
	h := sh.Host
	if h.Config != "" && h.State != "" && h.Data != "" || !slices.Contains(sh.words, word) {
		return nil
	}
	switch word {
	case "agents", "completion", "conformance", "doctor", "explain", "help", "list", "prompt", "spec", "status", "test", "validate", "version", completer:
		return nil
	}
	if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		return nil
	}
	return WithHint(fmt.Errorf("%s: there is no home directory: HOME is not set, and this account has none", word),
		"HOME=FOLDER "+sh.Name+" "+sh.line(args)+", with a folder that is yours")
}

// RunProgram takes a command line to its exit code where the program is one
// command, which does something without a word too.
func (sh *Shell) RunProgram(root *cli.Command, args []string) int {
	args = sh.read(args)
	sh.prepare(root)
	act := root.Action
	root.Name, root.ArgsUsage = sh.Name, "[COMMAND] [FLAGS] [ARGUMENTS]"
	root.Action = func(c *cli.Context) error {
		if len(c.Args()) > 0 {
			return sh.noCommand(c)
		}
		return act(c)
	}
	return sh.exit(sh.run(root, args))
}

// completer is the hidden command that shells ask for words: it has to know all
// others.
const completer = "__complete"

// manualWriter is the hidden command that a release is made with, for the same reason.
const manualWriter = "__manual"

// run has a command line read and done.
func (sh *Shell) run(root *cli.Command, args []string) error {
	p := &cli.Program{
		Root: root, Help: sh.printHelp, Misused: sh.misused,
		Starts: func(c *cli.Command) {
			if c != root {
				sh.running = c.FullName
			}
		},
	}
	return p.Run(context.Background(), args)
}

// prepare gives a command what all have in common.
func (sh *Shell) prepare(c *cli.Command) {
	for _, sub := range c.Subcommands {
		sh.prepare(sub)
	}
	if act := c.Action; len(c.Subcommands) > 0 && c.ArgsUsage == "" {
		c.Action = func(c *cli.Context) error {
			if act == nil || len(c.Args()) > 0 {
				return sh.noSubcommand(c)
			}
			return act(c)
		}
	}
	if act := c.Action; act != nil && c.ArgsUsage == "" && len(c.Subcommands) == 0 && !c.SkipFlagParsing {
		c.Action = func(c *cli.Context) error {
			if _, err := Args(c, 0, 0, "flags only"); err != nil {
				return sh.noArgument(c, err)
			}
			return act(c)
		}
	}
}

// CommandName is a command by all of its words, for messages.
func CommandName(c *cli.Context) string {
	return strings.TrimPrefix(c.Command.FullName, c.Root.Name+" ")
}

// JSONFlag is the --json of every reading command.
func JSONFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print one JSON document"}
}

// Args checks how many arguments a command was given.
func Args(c *cli.Context, least, most int, what string) ([]string, error) {
	n, name := len(c.Args()), CommandName(c)
	switch {
	case n < least:
		return nil, Usagef("%s: want %s", name, what)
	case most >= 0 && n > most:
		return nil, Usagef("%s: too many arguments (%s), want %s", name, strings.Join(c.Args()[most:], " "), what)
	}
	return c.Args(), nil
}
