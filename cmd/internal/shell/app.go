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

// New is a program's command line in a process.
func New(name string, h host.Host, in io.Reader, out, err io.Writer) *Shell {
	return &Shell{Name: name, Host: h, In: in, Out: out, Err: err, failed: new(error)}
}

// A CommandGroup is a group of commands that main lists: its words at the top level,
// and the function that builds them. Only the group in question is built, so that a
// command for which an agent waits does not pay for the flags of others.
type CommandGroup struct {
	Words   string // separated by spaces, including commands' other names
	Topic   Topic  // in the help, for commands without a Category
	Command func(*Shell) *cli.Command
}

// Group is a group of several commands without a common word: they are at the top
// level.
func Group(commands ...*cli.Command) *cli.Command { return &cli.Command{Subcommands: commands} }

// Commands builds groups: those with the given word, all if none has it.
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

// Run runs a command line and returns its exit code.
func (sh *Shell) Run(groups []CommandGroup, args []string) int {
	args, sh.groups = sh.read(args), groups
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
			sh.typed = append(names[:1:1], args[1:]...) // its own name, for messages
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

// read accepts what people type for other programs: "help install" is "install
// --help", "--version" is "version".
func (sh *Shell) read(args []string) []string {
	sh.typed = args
	switch {
	case len(args) == 0 && sh.Alone != "":
		return []string{sh.Alone}
	case len(args) == 0:
	case args[0] == "help" || len(args) > 1 && slices.Contains([]string{"--help", "-h"}, args[0]):
		return append(slices.DeleteFunc(slices.Clone(args[1:]), func(w string) bool { return w == "help" }), "--help")
	case slices.Contains([]string{"--version", "-version", "-v", "-V"}, args[0]):
		return append([]string{"version"}, args[1:]...)
	}
	return args
}

// homeless refuses a command on a machine that does not say where the user's files
// are: they would be written wherever it was typed. Commands that only read projects
// do not need that.
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

// RunProgram runs a command line and returns its exit code, for a program that is a
// single command and also does something without a word.
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

// completer is the hidden command that shells call for completion: it has to know all
// others.
const completer = "__complete"

// manualWriter is the hidden command that a release uses, which also has to know all
// others.
const manualWriter = "__manual"

// run parses and runs a command line.
func (sh *Shell) run(root *cli.Command, args []string) error {
	p := &cli.Program{
		Root: root, Help: sh.printHelp, Misused: sh.misused,
		Starts: func(c *cli.Context) {
			if c.Command != root {
				sh.running = c.Command.FullName
			}
			sh.oneLine = c.Command.AnswersJSON && !c.Bool("text")
			if len(c.Command.Subcommands) == 0 && !c.Command.SkipFlagParsing {
				sh.parsed = c // with subcommands, the words after an unknown one are not read
			}
		},
	}
	return p.Run(context.Background(), args)
}

// prepare gives a command what all commands share.
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

// CommandName is a command with all of its words, for messages.
func CommandName(c *cli.Context) string {
	return strings.TrimPrefix(c.Command.FullName, c.Root.Name+" ")
}

// JSONFlag is the --json of every reading command.
func JSONFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print one JSON document"}
}

// Args checks the number of a command's arguments.
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
