package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// app is the whole command line. Each command lives in a file of its own name
// and is a method that returns it; this list is the order of the help.
func (t *tool) app() *cli.App {
	cli.HelpPrinter = printHelp
	return &cli.App{
		Name:                   "agents-hooks",
		Usage:                  "one set of hooks for every coding agent",
		UsageText:              "agents-hooks COMMAND [FLAGS] [ARGUMENTS]",
		HideVersion:            true,
		HideHelpCommand:        true,
		UseShortOptionHandling: false,
		Writer:                 t.out,
		ErrWriter:              t.err,
		// main owns the exit: the library must not call os.Exit by itself.
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   onUsage,
		Action:         t.noCommand,
	}
}

// commandsFor are the commands that a command line may be about: what hooks and
// agents call while somebody waits is built alone, and the dozens of others with
// all their flags are not.
func (t *tool) commandsFor(args []string) []*cli.Command {
	build := map[string]func() *cli.Command{
		"memory": t.memoryCommand, "evolution": t.evolutionCommand, "evolve": t.evolutionCommand,
		"workspace": t.workspaceCommand, "ws": t.workspaceCommand, "skills": t.skillsCommand, "mcp": t.mcpCommand,
	}
	if len(args) == 0 || build[args[0]] == nil {
		return t.commands()
	}
	c := build[args[0]]()
	prepare(c)
	return []*cli.Command{c}
}

func (t *tool) commands() []*cli.Command {
	list := []*cli.Command{
		t.runCommand(),
		t.listCommand(),
		t.explainCommand(),
		t.validateCommand(),
		t.newCommand(),
		t.testCommand(),
		t.installCommand(),
		t.uninstallCommand(),
		t.agentsCommand(),
		t.doctorCommand(),
		t.trustCommand(),
		t.untrustCommand(),
		t.enableCommand(),
		t.disableCommand(),
		t.builtinCommand(),
		t.memoryCommand(),
		t.workspaceCommand(),
		t.evolutionCommand(),
		t.mcpCommand(),
		t.skillsCommand(),
		t.promptCommand(),
		t.logCommand(),
		t.recordCommand(),
		t.replayCommand(),
		t.demoCommand(),
		t.conformanceCommand(),
		t.specCommand(),
		t.completionCommand(),
		t.completeCommand(),
		t.versionCommand(),
	}
	for _, c := range list {
		prepare(c)
	}
	return list
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
	err := usagef("%s: no such command: %q", name, word)
	if near := nearest(word, commandNames(c.Command.Subcommands)); near != "" {
		return withHint(err, "agents-hooks "+name+" "+near)
	}
	return withHint(err, "agents-hooks "+name+" --help")
}

// noCommand answers an empty command line with the help, and an unknown command
// with the nearest one.
func (t *tool) noCommand(c *cli.Context) error {
	if !c.Args().Present() {
		return cli.ShowAppHelp(c)
	}
	name := c.Args().First()
	err := usagef("no such command: %q", name)
	if near := nearest(name, commandNames(c.App.Commands)); near != "" {
		return withHint(err, "agents-hooks "+near, "agents-hooks --help")
	}
	return withHint(err, "agents-hooks --help")
}

func commandNames(list []*cli.Command) []string {
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
		names = append(names, c.Aliases...)
	}
	return names
}

// nearest is the word of list that is at most two edits from name, "" if there
// is none.
func nearest(name string, list []string) string {
	best, bestAt := "", 3
	for _, w := range list {
		if d := distance(name, w); d < bestAt && d < len(w) {
			best, bestAt = w, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j+1]+1, row[j]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

// jsonFlag is the --json of every reading command.
func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print one JSON document"}
}

// args checks how many arguments a command was given.
func args(c *cli.Context, least, most int, what string) ([]string, error) {
	n, name := c.NArg(), strings.TrimPrefix(c.Command.HelpName, c.App.HelpName+" ")
	switch {
	case n < least:
		return nil, withHint(usagef("%s: want %s", name, what), "agents-hooks "+name+" --help")
	case most >= 0 && n > most:
		return nil, withHint(usagef("%s: too many arguments (%s), want %s", name, strings.Join(c.Args().Slice()[most:], " "), what), "agents-hooks "+name+" --help")
	}
	return c.Args().Slice(), nil
}
