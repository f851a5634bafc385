package shell

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// noSubcommand answers a command of several words that lacks its last one, or has
// one that is none.
func (sh *Shell) noSubcommand(c *cli.Context) error {
	if !c.Args().Present() {
		return cli.ShowSubcommandHelp(c)
	}
	name, word := strings.TrimPrefix(c.Command.HelpName, c.App.HelpName+" "), c.Args().First()
	err := Usagef("%s: no such command: %q", name, word)
	names := commandNames(c.Command.Subcommands)
	if near := text.Nearest(word, names, 2); near != "" {
		return WithHint(err, c.Command.HelpName+" "+near)
	}
	if slices.Contains(sh.words, word) {
		return WithHint(err, sh.Name+" "+shellWords(c.Args().Slice()), c.Command.HelpName+" --help")
	}
	return WithHint(err, "it has "+strings.Join(names, ", "), c.Command.HelpName+" --help")
}

// noCommand answers an empty command line with the help, and one that begins with
// no command with what was probably meant: the nearest one, what another tool's word
// is here, or the command that stands further back.
func (sh *Shell) noCommand(c *cli.Context) error {
	if !c.Args().Present() {
		return cli.ShowAppHelp(c)
	}
	word, names := c.Args().First(), commandNames(c.App.Commands)
	err := Usagef("no such command: %q", word)
	hint := sh.Meant[strings.ToLower(word)]
	if hint == "" {
		hint = text.Nearest(strings.ToLower(word), names, 2)
	}
	if hint == "" && len(word) > 4 {
		hint = sh.Meant[text.Nearest(strings.ToLower(word), slices.Sorted(maps.Keys(sh.Meant)), 2)]
	}
	if hint == "" {
		hint = sh.inOrder(names)
	}
	if hint == "" {
		return WithHint(err, sh.Name+" --help")
	}
	return WithHint(err, sh.Name+" "+hint, sh.Name+" --help")
}

// inOrder is a command line with the command in front that stands further back in
// what was typed, "" if none does.
func (sh *Shell) inOrder(commands []string) string {
	i := slices.IndexFunc(sh.typed, func(w string) bool { return slices.Contains(commands, w) })
	if i <= 0 {
		return ""
	}
	words := []string{sh.typed[i]}
	for j, w := range sh.typed {
		if j != i {
			words = append(words, text.ShellWord(w))
		}
	}
	return strings.Join(words, " ")
}

func commandNames(list []*cli.Command) []string {
	var names []string
	for _, c := range list {
		if !c.Hidden {
			names = append(names, c.Names()...)
		}
	}
	return names
}

// misused is what the library calls for a flag that it cannot read; by itself it
// would print the help to stdout. Its message names no command, and a flag with one
// hyphen, whatever was typed.
func (sh *Shell) misused(c *cli.Context, err error, _ bool) error {
	name, flags, prefix, argument := c.App.Name, c.App.Flags, "", ""
	if c.Command != nil && c.Command.HelpName != "" {
		name = c.Command.HelpName // "agents-hooks record on"
		flags, argument = c.Command.Flags, c.Command.ArgsUsage
	}
	if words := strings.TrimPrefix(name, c.App.Name+" "); words != name {
		prefix = words + ": "
	}
	said := err.Error()
	if flag, ok := strings.CutPrefix(said, "flag provided but not defined: -"); ok {
		return sh.noFlag(prefix, name, argument, flag, flags)
	}
	if flag, ok := strings.CutPrefix(said, "flag needs an argument: -"); ok {
		return WithHint(Usagef("%s%s wants a value", prefix, sh.asTyped(flag)), name+" --help")
	}
	for _, kind := range []string{"invalid value ", "invalid boolean value "} {
		if rest, ok := strings.CutPrefix(said, kind); ok {
			value, flag, why := valueOf(rest)
			return WithHint(Usagef("%s%s: %s is not %s", prefix, sh.asTyped(flag), value, wanted(flags, flag, why)), name+" --help")
		}
	}
	return WithHint(Usagef("%s%s", prefix, said), name+" --help")
}

// noFlag answers a flag that there is none of: with the nearest, or else with those
// that there are. One that stands before the command has its place behind it.
func (sh *Shell) noFlag(prefix, command, argument, flag string, flags []cli.Flag) error {
	err := Usagef("%sno such flag: %s", prefix, sh.asTyped(flag))
	if prefix == "" && slices.Contains(sh.words, strings.ToLower(flag)) {
		words := slices.DeleteFunc(slices.Clone(sh.typed), func(w string) bool { return w == sh.asTyped(flag) })
		return WithHint(err, "a command has no hyphens: "+command+" "+strings.TrimSpace(strings.ToLower(flag)+" "+shellWords(words)))
	}
	if prefix == "" {
		if i := slices.IndexFunc(sh.typed, func(w string) bool { return !strings.HasPrefix(w, "-") }); i > 0 {
			words := slices.Concat(sh.typed[i:i+1], sh.typed[:i], sh.typed[i+1:])
			return WithHint(err, "flags stand behind the command: "+command+" "+shellWords(words))
		}
		return WithHint(err, command+" --help")
	}
	var names, long []string
	for _, f := range flags {
		if v, ok := Bare(f).(cli.VisibleFlag); ok && !v.IsVisible() || f.Names()[0] == "help" {
			continue
		}
		names = append(names, f.Names()...)
		long = append(long, hyphened(f.Names()[0]))
	}
	names = append(names, "help")
	long = append(long, "--help")
	words := strings.TrimSuffix(prefix, ": ")
	if meant := sh.Meant[words+" "+hyphened(strings.ToLower(flag))]; meant != "" {
		return WithHint(err, sh.Name+" "+meant, command+" --help")
	}
	if n, err2 := strconv.Atoi(flag); err2 == nil && n >= 0 && slices.Contains(names, "n") {
		return WithHint(err, fmt.Sprintf("%s -n %d", command, n), command+" --help")
	}
	if meant := likeFlag(flag, names); meant != "" {
		return WithHint(err, "here it is "+hyphened(meant), command+" --help")
	}
	if of := takes(flags, flag); of != "" {
		return WithHint(err, command+" "+hyphened(of)+" "+flag, command+" --help")
	}
	if near := nearFlag(flag, names); near != "" {
		return WithHint(err, "did you mean "+hyphened(near)+"?", command+" --help")
	}
	if word := strings.ToUpper(strings.TrimSuffix(flag, "s")); argument != "" && strings.Contains(argument, word) && len(word) > 2 {
		return WithHint(err, word+" stands without a flag: "+command+" "+argument, command+" --help")
	}
	return WithHint(err, "it has "+strings.Join(long, ", "), command+" --help")
}

// noArgument answers an argument where only flags stand: with the flag that it is the
// value of.
func (sh *Shell) noArgument(c *cli.Context, err error) error {
	word := c.Args().First()
	_, noNumber := strconv.Atoi(word)
	of := takes(c.Command.Flags, word)
	if noNumber == nil && slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), "n") }) {
		of = "n"
	}
	if of != "" {
		return WithHint(err, c.Command.HelpName+" "+hyphened(of)+" "+text.ShellWord(word))
	}
	return err
}

// takes is the flag that offers a word as its value, "" if none does.
func takes(flags []cli.Flag, word string) string {
	path := word == "." || strings.ContainsAny(word, `/\`)
	for _, f := range flags {
		if o, ok := f.(offered); ok {
			list, kind := o.words(Line{})
			if slices.ContainsFunc(list, func(s Suggestion) bool { return s.Word == word }) || kind == FolderNames && path {
				return f.Names()[0]
			}
		}
	}
	return ""
}

// likeFlag is what a flag of other tools is called here, "" if there is none of these.
func likeFlag(word string, names []string) string {
	for _, group := range [][]string{
		{"blocked", "denied", "refused", "rejected", "blocks"}, {"asked", "questions", "confirmed"}, {"failed", "errors", "error", "failures", "crashed", "broken"},
		{"late", "timeout", "timeouts", "timed-out", "slow"}, {"warned", "warnings", "warning", "warn"}, {"changed", "modified", "rewritten", "changes"},
		{"since", "from", "after", "begin", "date", "day", "on"}, {"until", "to", "before", "end"}, {"project", "repo", "folder", "dir", "cwd", "here"}, {"by", "sort", "order", "order-by", "sort-by"},
		{"json", "format", "output", "o"}, {"last", "limit", "tail", "lines", "count", "max"}, {"dir", "cwd", "path", "root"},
		{"yes", "y", "force", "assume-yes", "no-confirm"}, {"all", "a", "recursive"}, {"verbose", "debug"}, {"follow", "f", "watch", "w"},
		{"dry-run", "n", "check", "simulate"}, {"trigger", "event"}, {"input", "file", "stdin"},
	} {
		if slices.Contains(group[1:], strings.ToLower(word)) && slices.Contains(names, group[0]) {
			return group[0]
		}
	}
	return ""
}

// nearFlag is the flag that a word was probably meant to be: one that is spelled
// nearly like it, or that it is the only beginning of.
func nearFlag(word string, names []string) string {
	most := min(2, max(1, len(word)/3))
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return len(n) == 1 })
	if near := text.Nearest(strings.ToLower(word), names, most); near != "" {
		return near
	}
	begins := slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, strings.ToLower(word)) })
	if len(word) > 1 && len(begins) == 1 {
		return begins[0]
	}
	return ""
}

// asTyped is a flag with the hyphens that it was typed with.
func (sh *Shell) asTyped(flag string) string {
	for _, w := range sh.typed {
		if name, _, _ := strings.Cut(w, "="); name == "-"+flag || name == "--"+flag {
			return name
		}
	}
	return hyphened(flag)
}

// hyphened is a flag as the help writes it.
func hyphened(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// valueOf takes apart how the library says that a value is none: `"soon" for flag
// -days: parse error`, or `"x" for -json: …`.
func valueOf(rest string) (value, flag, why string) {
	value, rest, _ = strings.Cut(rest, " for ")
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "flag "), "-")
	flag, why, _ = strings.Cut(rest, ": ")
	return value, flag, why
}

// wanted is what a flag takes, in words.
func wanted(flags []cli.Flag, name, why string) string {
	i := slices.IndexFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 {
		return "what it takes: " + why
	}
	switch Bare(flags[i]).(type) {
	case *cli.BoolFlag:
		return "true or false"
	case *cli.IntFlag, *cli.Int64Flag, *cli.UintFlag:
		return "a whole number"
	case *cli.Float64Flag:
		return "a number"
	case *cli.DurationFlag:
		return "a time such as 90s or 2h"
	}
	return "what it takes: " + why
}

func shellWords(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = text.ShellWord(w)
	}
	return strings.Join(out, " ")
}

// NotHere is the error about something that a command line names and that is not
// here: a hook, a pack, a recording. The nearest of those that are is suggested, and
// otherwise what lists them.
func NotHere(command, what, name string, are []string, lists string) error {
	err := fmt.Errorf("%s: no %s %q here", command, what, name)
	if near := text.Nearest(name, are, 2); near != "" {
		return WithHint(err, "agents-hooks "+command+" "+near, lists)
	}
	return WithHint(err, lists)
}
