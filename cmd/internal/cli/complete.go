package cli

import (
	"slices"
	"strings"
)

// A Suggestion is a possible next word of a command line, and its meaning.
type Suggestion struct{ Word, Text string }

// A Kind is something that a shell completes by itself.
type Kind string

// What a shell completes.
const (
	FileNames   Kind = "files"
	FolderNames Kind = "folders"
)

// Words are the possible words in a place of a command line. Flags declare theirs
// with [Offer], a command those of its arguments with its Complete; they are known
// nowhere else.
type Words func(Line) ([]Suggestion, Kind)

// A Line is what was typed before the word to complete, and of that word.
type Line struct {
	Args    []string          // without the command's own words
	Flags   map[string]string // as spelled, without hyphens
	Word    string            // what was typed of the word; words that it does not begin are left out
	command *Command
	pending string // the flag whose value is the next word
	ended   bool   // "--" was typed
}

// Flag is the value of a flag under any of its names, "" if it was not typed.
func (l Line) Flag(names ...string) string {
	for _, name := range names {
		if v := l.Flags[name]; v != "" {
			return v
		}
	}
	return ""
}

// Offer declares the possible values of a flag.
func Offer(f Flag, words Words) Flag {
	f.offer(words)
	return f
}

// Complete finds what the last of words may become.
func Complete(commands []*Command, words []string) ([]Suggestion, Kind) {
	words = joinEquals(words)
	before, current := words[:len(words)-1], words[len(words)-1]
	line := typed(commands, before)
	line.Word = current
	list, kind := line.next(commands)
	return slices.DeleteFunc(list, func(s Suggestion) bool { return !strings.HasPrefix(s.Word, current) }), kind
}

// next are the possible words after a line; flags only if the word that was begun
// looks like one.
func (l Line) next(commands []*Command) ([]Suggestion, Kind) {
	switch {
	case l.pending != "":
		return l.values(l.pending)
	case l.command == nil && len(l.Args) > 0:
		return nil, "" // below an unknown command
	case l.command == nil:
		return commandWords(commands), ""
	case strings.HasPrefix(l.Word, "-") && !l.ended:
		return l.flags()
	case len(l.command.Subcommands) > 0 && len(l.Args) == 0:
		return commandWords(l.command.Subcommands), ""
	}
	return l.arguments()
}

// flags are the command's or, after "--flag=", the values of one.
func (l Line) flags() ([]Suggestion, Kind) {
	name, _, inline := strings.Cut(l.Word, "=")
	if !inline {
		return flagWords(l.command), ""
	}
	list, kind := l.values(strings.TrimLeft(name, "-"))
	for i := range list {
		list[i].Word = name + "=" + list[i].Word
	}
	return list, kind
}

// arguments are those that the command declares.
func (l Line) arguments() ([]Suggestion, Kind) {
	if l.command.Complete == nil {
		return nil, ""
	}
	return l.command.Complete(l)
}

// values are the possible values of one of the command's flags.
func (l Line) values(flag string) ([]Suggestion, Kind) {
	for _, f := range l.command.Flags {
		if words := f.Offers(); words != nil && slices.Contains(f.Names(), flag) {
			return words(l)
		}
	}
	return nil, ""
}

// joinEquals reverts bash's splitting of "--agent=x" into three words: only the last
// of them is to be completed.
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

// typed parses the words before the one to complete.
func typed(commands []*Command, words []string) Line {
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
			if i := slices.IndexFunc(commands, func(c *Command) bool { return c.HasName(w) }); i >= 0 && len(line.Args) == 0 {
				line.command, commands = commands[i], commands[i].Subcommands
				continue
			}
			line.Args = append(line.Args, w)
		}
	}
	return line
}

func commandWords(commands []*Command) []Suggestion {
	var list []Suggestion
	for _, c := range commands {
		if !c.Hidden {
			list = append(list, Suggestion{c.Name, c.Usage})
		}
	}
	return list
}

func flagWords(c *Command) []Suggestion {
	list := []Suggestion{}
	for _, f := range c.Flags {
		if f.IsVisible() {
			list = append(list, Suggestion{"--" + f.Names()[0], f.About()})
		}
	}
	return append(list, Suggestion{"--help", "show help"})
}

// wantsValue reports whether a word is a flag whose value is the next word.
func wantsValue(flags []Flag, word string) bool {
	name, _, inline := strings.Cut(strings.TrimLeft(word, "-"), "=")
	if inline {
		return false
	}
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f.TakesValue()
		}
	}
	return false
}
