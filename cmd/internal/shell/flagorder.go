package shell

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves the flags of a command line before its other arguments. The
// library stops looking for flags at the first argument that is none, so that
// "install codex --dry-run" would install: a dry run that writes is worse than
// any error. What stands after "--" stays where it is.
func flagsFirst(commands []*cli.Command, args []string) []string {
	if len(args) == 0 {
		return args
	}
	i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(args[0]) })
	if i < 0 {
		return args
	}
	c := commands[i]
	if c.SkipFlagParsing {
		return args
	}
	if len(c.Subcommands) > 0 && len(args) > 1 {
		return append(args[:1:1], flagsFirst(c.Subcommands, args[1:])...)
	}
	var flags, rest []string
	for words := args[1:]; len(words) > 0; words = words[1:] {
		w := words[0]
		if w == "--" {
			rest = append(rest, words...)
			break
		}
		if w == "-" || !strings.HasPrefix(w, "-") {
			rest = append(rest, w)
			continue
		}
		if w == "--help" || w == "-h" {
			// With arguments, the library would look for a topic of that name.
			return []string{args[0], w}
		}
		flags = append(flags, w)
		if wantsValue(c.Flags, w) && len(words) > 1 {
			words = words[1:]
			flags = append(flags, words[0])
		}
	}
	return slices.Concat(args[:1], flags, rest)
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

// wantsValue reports whether a word is a flag whose value is the next word.
func wantsValue(flags []cli.Flag, word string) bool {
	name, _, inline := strings.Cut(strings.TrimLeft(word, "-"), "=")
	if inline {
		return false
	}
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			_, isBool := Bare(f).(*cli.BoolFlag)
			return !isBool
		}
	}
	return false
}
