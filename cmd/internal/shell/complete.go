package shell

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// A Suggestion is a word that a command line may go on with, and what it means.
type Suggestion struct{ Word, Text string }

// A Kind is what a shell completes by itself.
type Kind string

const (
	FileNames   Kind = "files"
	FolderNames Kind = "folders"
)

// Words are what may stand in a place of a command line. Flags say theirs by
// [Offer], a command those of its arguments by [Arguments]: nothing else knows.
type Words func(Line) ([]Suggestion, Kind)

// A Line is what was typed before the word that is completed.
type Line struct {
	Args    []string          // without the command's own words
	Flags   map[string]string // as they were spelled, without hyphens
	command *cli.Command
	pending string // the flag that the next word is the value of
	ended   bool   // "--" was typed
}

// Flag is the value of a flag by any of its names, "" if it was not typed.
func (l Line) Flag(names ...string) string {
	for _, name := range names {
		if v := l.Flags[name]; v != "" {
			return v
		}
	}
	return ""
}

// Files and Folders leave a place to the shell.
func Files(Line) ([]Suggestion, Kind)   { return nil, FileNames }
func Folders(Line) ([]Suggestion, Kind) { return nil, FolderNames }

// Fixed are words that are always the same.
func Fixed(words ...string) Words {
	return func(Line) ([]Suggestion, Kind) { return plainWords(words), "" }
}

// Listed are words that are looked up when they are asked for.
func Listed(words func() []Suggestion) Words {
	return func(Line) ([]Suggestion, Kind) { return words(), "" }
}

// First are words for the first argument alone.
func First(words Words) Words {
	return func(l Line) ([]Suggestion, Kind) {
		if len(l.Args) > 0 {
			return nil, ""
		}
		return words(l)
	}
}

// Each are words that may each stand once.
func Each(words Words) Words {
	return func(l Line) ([]Suggestion, Kind) {
		list, kind := words(l)
		return slices.DeleteFunc(list, func(s Suggestion) bool { return slices.Contains(l.Args, s.Word) }), kind
	}
}

func plainWords(words []string) []Suggestion {
	var list []Suggestion
	for _, w := range words {
		list = append(list, Suggestion{Word: w})
	}
	return list
}

// offered is a flag that knows its words.
type offered struct {
	cli.Flag
	words Words
}

// Offer makes a flag say which values it may have.
func Offer(f cli.Flag, words Words) cli.Flag { return offered{f, words} }

// IsVisible is asked of a flag for the help.
func (o offered) IsVisible() bool {
	v, ok := o.Flag.(cli.VisibleFlag)
	return !ok || v.IsVisible()
}

// bare is a flag as the library made it.
func bare(f cli.Flag) cli.Flag {
	if o, ok := f.(offered); ok {
		return o.Flag
	}
	return f
}

// Arguments are the words of a command's arguments. They stand in the field that
// the library has for this; what is asked comes with the context.
func Arguments(words Words) cli.BashCompleteFunc {
	return func(c *cli.Context) {
		if a, ok := c.Context.Value(askingKey{}).(*asking); ok {
			a.list, a.kind = words(a.line)
		}
	}
}

// An asking is a question of Complete to a command, and its answer.
type asking struct {
	line Line
	list []Suggestion
	kind Kind
}

type askingKey struct{}

// Complete finds what the last of words may become.
func Complete(commands []*cli.Command, words []string) ([]Suggestion, Kind) {
	words = joinEquals(words)
	before, current := words[:len(words)-1], words[len(words)-1]
	line := typed(commands, before)
	var list []Suggestion
	var kind Kind
	name, _, inline := strings.Cut(current, "=")
	switch {
	case line.pending != "":
		list, kind = line.values(line.pending)
	case line.command == nil && len(line.Args) == 0:
		list = commandWords(commands)
	case line.command == nil:
	case inline && strings.HasPrefix(current, "-") && !line.ended:
		list, kind = line.values(strings.TrimLeft(name, "-"))
		for i := range list {
			list[i].Word = name + "=" + list[i].Word
		}
	case strings.HasPrefix(current, "-") && !line.ended:
		list = flagWords(line.command)
	case len(line.command.Subcommands) > 0 && len(line.Args) == 0:
		list = commandWords(line.command.Subcommands)
	case line.command.BashComplete != nil:
		a := &asking{line: line}
		line.command.BashComplete(&cli.Context{Context: context.WithValue(context.Background(), askingKey{}, a), Command: line.command})
		list, kind = a.list, a.kind
	}
	return slices.DeleteFunc(list, func(s Suggestion) bool { return !strings.HasPrefix(s.Word, current) }), kind
}

// values are what a flag of the command may have.
func (l Line) values(flag string) ([]Suggestion, Kind) {
	if l.command == nil {
		return nil, ""
	}
	for _, f := range l.command.Flags {
		if o, ok := f.(offered); ok && slices.Contains(f.Names(), flag) {
			return o.words(l)
		}
	}
	return nil, ""
}

// joinEquals undoes that bash breaks "--agent=x" into three words: only the
// last of them is the one to be completed.
func joinEquals(words []string) []string {
	n := len(words)
	switch {
	case n >= 2 && words[n-1] == "=" && strings.HasPrefix(words[n-2], "--"):
		return append(words[:n-1:n-1], "")
	case n >= 3 && words[n-2] == "=" && strings.HasPrefix(words[n-3], "--"):
		return append(words[:n-2:n-2], words[n-1])
	}
	return words
}

// typed reads the words before the one that is completed.
func typed(commands []*cli.Command, words []string) Line {
	line := Line{Flags: map[string]string{}}
	for _, w := range words {
		switch {
		case line.pending != "" && w == "=": // bash again
		case line.pending != "":
			line.Flags[line.pending], line.pending = w, ""
		case w == "--":
			line.ended = true
		case strings.HasPrefix(w, "-") && !line.ended:
			name, value, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
			line.Flags[name] = value
			if line.command != nil && wantsValue(line.command.Flags, w) {
				line.pending = name
			}
		default:
			if i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(w) }); i >= 0 && len(line.Args) == 0 {
				line.command, commands = commands[i], commands[i].Subcommands
				continue
			}
			line.Args = append(line.Args, w)
		}
	}
	return line
}

func commandWords(commands []*cli.Command) []Suggestion {
	var list []Suggestion
	for _, c := range commands {
		if !c.Hidden {
			list = append(list, Suggestion{c.Name, c.Usage})
		}
	}
	return list
}

func flagWords(c *cli.Command) []Suggestion {
	list := []Suggestion{}
	for _, f := range c.Flags {
		text := ""
		if d, ok := bare(f).(cli.DocGenerationFlag); ok {
			text = d.GetUsage()
		}
		if v, ok := bare(f).(cli.VisibleFlag); ok && !v.IsVisible() {
			continue
		}
		list = append(list, Suggestion{"--" + f.Names()[0], text})
	}
	return append(list, Suggestion{"--help", "show help"})
}
