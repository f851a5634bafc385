package shell

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// noSubcommand answers a command of several words whose last word is missing or
// unknown.
func (sh *Shell) noSubcommand(c *cli.Context) error {
	if len(c.Args()) == 0 {
		return c.Help()
	}
	name, word := strings.TrimPrefix(c.Command.FullName, c.Root.Name+" "), c.Arg()
	err := Usagef("%s: no such command: %q", name, word)
	names := commandNames(c.Command.Subcommands)
	if near := text.Nearest(word, names, 2); near != "" {
		return WithHint(err, c.Command.FullName+" "+near)
	}
	if begins := begun(names, word); len(word) > 2 && begins != "" {
		return WithHint(err, c.Command.FullName+" "+begins)
	}
	if meant := likeCommand(word, names); meant != "" {
		return WithHint(err, c.Command.FullName+" "+meant, c.Command.FullName+" --help")
	}
	// Those of packs change what runs, and were not meant here.
	if slices.Contains(sh.words, word) && !slices.Contains([]string{"add", "update", "remove"}, word) {
		return WithHint(err, sh.Name+" "+sh.line(c.Args()), c.Command.FullName+" --help")
	}
	return WithHint(err, "it has "+strings.Join(names, ", "), c.Command.FullName+" --help")
}

// noCommand answers an empty command line with the help, and one that does not begin
// with a command with what was probably meant: the nearest command, our name for
// another tool's word, or the command that comes later in the line.
func (sh *Shell) noCommand(c *cli.Context) error {
	if len(c.Args()) == 0 {
		return c.Help()
	}
	word, names := c.Arg(), commandNames(c.Root.Subcommands)
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

// inOrder is a command line with the command moved to the front that comes later in
// what was typed, "" if none does.
func (sh *Shell) inOrder(commands []string) string {
	i := slices.IndexFunc(sh.typed, func(w string) bool { return slices.Contains(commands, w) })
	if i <= 0 {
		return ""
	}
	words := []string{sh.typed[i]}
	for j, w := range sh.typed {
		if j != i {
			words = append(words, sh.Word(w))
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

// misused says what is wrong with a command line's flags.
func (sh *Shell) misused(c *cli.Context, wrong *cli.Misuse) error {
	name, flags, prefix := c.Command.FullName, c.Command.Flags, "" // "agents-hooks record on"
	sh.oneLine = c.Command.AnswersJSON
	if words := strings.TrimPrefix(name, c.Root.Name+" "); words != name {
		prefix = words + ": "
	}
	switch flag := sh.asTyped(wrong.Flag); wrong.Fault {
	case cli.Unknown:
		argument := ""
		if prefix != "" {
			argument = c.Command.ArgsUsage
		}
		return sh.noFlag(prefix, name, argument, wrong.Flag, flags)
	case cli.NoValue:
		return WithHint(Usagef("%s%s needs a value", prefix, flag), name+" --help")
	case cli.BadValue:
		return WithHint(Usagef("%s%s: %q is not %s", prefix, flag, wrong.Value, wanted(flags, wrong.Flag)), name+" --help")
	case cli.Twice:
		return WithHint(Usagef("%s%s and %s are the same flag", prefix, hyphened(wrong.Other), hyphened(wrong.Flag)), name+" --help")
	}
	return WithHint(Usagef("%snot a flag: %q", prefix, wrong.Flag), name+" --help")
}

// noFlag answers an unknown flag: with the nearest one, or else with the existing
// ones. A flag before the command belongs after it.
func (sh *Shell) noFlag(prefix, command, argument, flag string, flags []cli.Flag) error {
	err := Usagef("%sno such flag: %s", prefix, sh.asTyped(flag))
	if said := sh.asTyped(flag); argument != "" && strings.Contains(said, " ") { // no flag was meant
		return WithHint(err, "a text that begins with a hyphen stands behind --: "+command+" -- "+sh.Word(said), command+" --help")
	}
	if prefix == "" && slices.Contains(sh.words, strings.ToLower(flag)) {
		words := slices.DeleteFunc(slices.Clone(sh.typed), func(w string) bool { return w == sh.asTyped(flag) })
		return WithHint(err, "a command has no hyphens: "+command+" "+strings.TrimSpace(strings.ToLower(flag)+" "+sh.line(words)))
	}
	if prefix == "" {
		if i := slices.IndexFunc(sh.typed, func(w string) bool { return slices.Contains(sh.words, w) }); i > 0 {
			words := slices.Concat(sh.typed[i:i+1], sh.typed[:i], sh.typed[i+1:])
			return WithHint(err, "flags stand behind the command: "+command+" "+sh.line(words))
		}
	}
	var names, long []string
	for _, f := range flags {
		if !f.IsVisible() {
			continue
		}
		names = append(names, f.Names()...)
		long = append(long, hyphened(f.Names()[0]))
	}
	if len(names) == 0 {
		return WithHint(err, command+" --help")
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

// noArgument answers an argument where only flags are allowed: with the flag that
// takes it as a value.
func (sh *Shell) noArgument(c *cli.Context, err error) error {
	word := c.Arg()
	_, noNumber := strconv.Atoi(word)
	of := takes(c.Command.Flags, word)
	if noNumber == nil && slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), "n") }) {
		of = "n"
	}
	if of != "" {
		return WithHint(err, c.Command.FullName+" "+hyphened(of)+" "+sh.Word(word))
	}
	return err
}

// takes is the flag that lists a word among its values, "" if none does.
func takes(flags []cli.Flag, word string) string {
	path := word == "." || strings.ContainsAny(word, `/\`)
	for _, f := range flags {
		if words := f.Offers(); words != nil {
			list, kind := words(cli.Line{})
			if slices.ContainsFunc(list, func(s cli.Suggestion) bool { return s.Word == word }) || kind == cli.FolderNames && path {
				return f.Names()[0]
			}
		}
	}
	return ""
}

// likeCommand is a group's command for another tool's word, "" if there is none.
func likeCommand(word string, names []string) string {
	for _, group := range [][]string{
		{"save", "add", "remember", "store", "new", "create", "note", "write"}, {"init", "new", "create", "add", "make", "start"}, {"create", "add", "new", "make", "save"},
		{"list", "ls", "show", "all"}, {"get", "show", "cat"}, {"search", "find", "query", "grep", "look", "lookup", "get", "show"}, {"analyze", "suggest", "search", "find", "ask", "query"},
		{"delete", "rm", "remove", "drop", "clear"}, {"edit", "update", "change", "modify", "correct", "set"}, {"restore", "undo", "undelete", "recover"},
		{"on", "start", "enable"}, {"off", "stop", "disable"}, {"status", "state", "info"}, {"review", "conflicts", "pending", "waiting"}, {"validate", "check", "lint"},
	} {
		if slices.Contains(group[1:], strings.ToLower(word)) && slices.Contains(names, group[0]) {
			return group[0]
		}
	}
	return ""
}

// likeFlag is our name for another tool's flag, "" if there is none.
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

// nearFlag is the flag that was probably meant: one with a similar spelling, or the
// only one that begins so.
func nearFlag(word string, names []string) string {
	most := min(2, max(1, len(word)/3))
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return len(n) == 1 })
	if near := text.Nearest(strings.ToLower(word), names, most); near != "" {
		return near
	}
	if len(word) > 1 {
		return begun(names, strings.ToLower(word))
	}
	return ""
}

// begun is the only one of names that begins with a word, "" if there are none or more. A name
// with underlines is another name of one with hyphens.
func begun(names []string, word string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasPrefix(n, word) || strings.Contains(n, "_") })
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// asTyped is a flag with the hyphens that were typed.
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

// wanted is what a flag takes, in words.
func wanted(flags []cli.Flag, name string) string {
	i := slices.IndexFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	switch flags[i].(type) {
	case *cli.BoolFlag:
		return "true or false"
	case *cli.Float64Flag:
		return "a number"
	case *cli.DurationFlag:
		return "a time such as 90s or 2h"
	}
	return "a whole number"
}

// line is words as typed in a shell here.
func (sh *Shell) line(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = sh.Word(w)
	}
	return strings.Join(out, " ")
}

// NotHere is the error about something that a command line names and that does not
// exist: a hook, a pack, a recording. It suggests the nearest existing name, or else
// the command that lists them.
func NotHere(command, what, name string, are []string, lists string) error {
	err := fmt.Errorf("%s: no %s %q here", command, what, name)
	if near := text.Nearest(name, are, 2); near != "" {
		return WithHint(err, "agents-hooks "+command+" "+near, lists)
	}
	return WithHint(err, lists)
}
