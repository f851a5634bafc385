package shell

import (
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// New is the command line of a program in a process.
func New(name string, h host.Host, in io.Reader, out, err io.Writer) *Shell {
	return &Shell{Name: name, Host: h, In: in, Out: out, Err: err}
}

// A Room is a group of commands that main lists: the words it stands for at the
// top level, and what builds them. Only the room that a command line is about is
// built, so that what an agent waits for pays for no flags of others.
type Room struct {
	Words   string // separated by spaces, other names of a command included
	Command func(*Shell) *cli.Command
}

// Group is a room of several commands that have no word in common: they stand at
// the top level.
func Group(commands ...*cli.Command) *cli.Command { return &cli.Command{Subcommands: commands} }

// Commands builds rooms: those whose words hold the given one, all if none does.
func (sh *Shell) Commands(rooms []Room, word string) []*cli.Command {
	if i := slices.IndexFunc(rooms, func(r Room) bool { return slices.Contains(strings.Fields(r.Words), word) }); i >= 0 {
		rooms = rooms[i : i+1]
	}
	var list []*cli.Command
	for _, r := range rooms {
		c := r.Command(sh)
		prepare(c)
		if c.Name == "" {
			list = append(list, c.Subcommands...)
		} else {
			list = append(list, c)
		}
	}
	return list
}

// Run takes a command line to its exit code.
func (sh *Shell) Run(rooms []Room, args []string) int {
	args = helpLast(args)
	word := ""
	if len(args) > 0 {
		word = args[0]
	}
	app := sh.app("one set of hooks for every coding agent", "COMMAND [FLAGS] [ARGUMENTS]")
	app.Action = sh.noCommand
	app.Commands = sh.Commands(rooms, word)
	if word == completer {
		app.Commands = sh.Commands(rooms, "")
	}
	return sh.exit(app.Run(append([]string{app.Name}, flagsFirst(app.Commands, args)...)))
}

// RunProgram takes a command line to its exit code where the program is one
// command, which does something without a word too.
func (sh *Shell) RunProgram(root *cli.Command, args []string) int {
	args = helpLast(args)
	prepare(root)
	app := sh.app(root.Usage, "[COMMAND] [FLAGS] [ARGUMENTS]")
	app.Description, app.Flags, app.Commands = root.Description, root.Flags, root.Subcommands
	app.Action = func(c *cli.Context) error {
		if c.Args().Present() {
			return sh.noCommand(c)
		}
		return root.Action(c)
	}
	return sh.exit(app.Run(append([]string{app.Name}, flagsFirst(app.Commands, args)...)))
}

// completer is the hidden command that shells ask for words: it has to know all
// others.
const completer = "__complete"

// app is the command line without its commands.
func (sh *Shell) app(usage, words string) *cli.App {
	cli.HelpPrinter = printHelp
	return &cli.App{
		Name:                   sh.Name,
		Usage:                  usage,
		UsageText:              sh.Name + " " + words,
		HideVersion:            true,
		HideHelpCommand:        true,
		UseShortOptionHandling: false,
		Writer:                 sh.Out,
		ErrWriter:              sh.Err,
		// main owns the exit: the library must not call os.Exit by itself.
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   onUsage,
	}
}

// prepare gives a command what all have in common.
func prepare(c *cli.Command) {
	c.OnUsageError = onUsage
	c.HideHelpCommand = true
	for _, sub := range c.Subcommands {
		prepare(sub)
	}
	if len(c.Subcommands) > 0 && c.Action == nil {
		c.Action = noSubcommand
	}
}

// noSubcommand answers a command of several words that lacks its last one, or has
// one that is none.
func noSubcommand(c *cli.Context) error {
	if !c.Args().Present() {
		return cli.ShowSubcommandHelp(c)
	}
	name, word := strings.TrimPrefix(c.Command.HelpName, c.App.HelpName+" "), c.Args().First()
	err := Usagef("%s: no such command: %q", name, word)
	if near := text.Nearest(word, commandNames(c.Command.Subcommands), 2); near != "" {
		return WithHint(err, c.Command.HelpName+" "+near)
	}
	return WithHint(err, c.Command.HelpName+" --help")
}

// noCommand answers an empty command line with the help, and an unknown command
// with the nearest one.
func (sh *Shell) noCommand(c *cli.Context) error {
	if !c.Args().Present() {
		return cli.ShowAppHelp(c)
	}
	name := c.Args().First()
	err := Usagef("no such command: %q", name)
	if near := text.Nearest(name, commandNames(c.App.Commands), 2); near != "" {
		return WithHint(err, sh.Name+" "+near, sh.Name+" --help")
	}
	return WithHint(err, sh.Name+" --help")
}

func commandNames(list []*cli.Command) []string {
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
		names = append(names, c.Aliases...)
	}
	return names
}

// JSONFlag is the --json of every reading command.
func JSONFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print one JSON document"}
}

// Args checks how many arguments a command was given.
func Args(c *cli.Context, least, most int, what string) ([]string, error) {
	n, name := c.NArg(), strings.TrimPrefix(c.Command.HelpName, c.App.HelpName+" ")
	switch {
	case n < least:
		return nil, WithHint(Usagef("%s: want %s", name, what), c.Command.HelpName+" --help")
	case most >= 0 && n > most:
		return nil, WithHint(Usagef("%s: too many arguments (%s), want %s", name, strings.Join(c.Args().Slice()[most:], " "), what), c.Command.HelpName+" --help")
	}
	return c.Args().Slice(), nil
}
