package cli

import "slices"

import "strings"

// A Misuse is an error in the words after a command.
type Misuse struct {
	Fault Fault
	Flag  string // without hyphens; the word itself if it is not a flag
	Value string // of a BadValue
	Other string // of a Twice: the other name
}

// A Fault is a kind of misuse.
type Fault int

// What can be wrong with a flag.
const (
	Unknown  Fault = iota // there is no such flag
	NoValue               // it is at the end and needs a value
	BadValue              // its value is of the wrong kind
	Twice                 // it is given under two of its names
	NoFlag                // hyphens that do not begin a flag
)

// given is what a command line sets for a command.
type given struct {
	help   bool
	values map[string]any    // by each name of a flag: a pointer that the flag made
	typed  map[string]string // also by each name: the name under which it was given
	args   []string
}

// parse parses the words after a command. Flags may follow arguments, up to "--":
// "install codex --dry-run" must not install. After the word of a subcommand, words
// belong to that.
func (c *Command) parse(words []string) (*given, *Misuse) {
	g := &given{values: map[string]any{}, typed: map[string]string{}}
	if c.SkipFlagParsing {
		g.args = words
		return g, nil
	}
	if g.help = c.asksForHelp(words); g.help {
		return g, nil
	}
	for _, f := range c.Flags {
		v := f.start()
		for _, name := range f.Names() {
			g.values[name] = v
		}
	}
	for len(words) > 0 {
		w := words[0]
		words = words[1:]
		switch {
		case w == "--" && len(g.args) == 0:
			g.args = words
			return g, nil
		case w == "--" || !isFlag(w) && len(c.Subcommands) > 0:
			g.args = append(append(g.args, w), words...)
			return g, nil
		case !isFlag(w):
			g.args = append(g.args, w)
			continue
		}
		var wrong *Misuse
		if words, wrong = c.flag(g, w, words); wrong != nil {
			return g, wrong
		}
	}
	return g, nil
}

// flag parses a flag, and its value if that is the next word.
func (c *Command) flag(g *given, word string, next []string) (rest []string, wrong *Misuse) {
	name, value, inline := cutFlag(word)
	if name == "" || name[0] == '-' {
		return nil, &Misuse{Fault: NoFlag, Flag: word}
	}
	f := c.flagOf(name)
	switch {
	case f == nil:
		return nil, &Misuse{Fault: Unknown, Flag: name}
	case inline:
	case !f.TakesValue():
		value = "true"
	case len(next) == 0:
		return nil, &Misuse{Fault: NoValue, Flag: name}
	default:
		value, next = next[0], next[1:]
	}
	if before := g.typed[name]; before != "" && before != name {
		return nil, &Misuse{Fault: Twice, Flag: name, Other: before}
	}
	if !read(g.values[name], value) {
		return nil, &Misuse{Fault: BadValue, Flag: name, Value: value}
	}
	for _, n := range f.Names() {
		g.typed[n] = name
	}
	return next, nil
}

// asksForHelp looks for --help before anything is checked: a user who asks for it may
// not know yet what else to type.
func (c *Command) asksForHelp(words []string) bool {
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "--":
			return false
		case !isFlag(w) && len(c.Subcommands) > 0:
			return false // the help of another command, or of none
		case !isFlag(w):
			continue
		}
		name, _, inline := cutFlag(words[i])
		f := c.flagOf(name)
		if f == nil && (name == "help" || name == "h") {
			return true
		}
		if f != nil && f.TakesValue() && !inline {
			i++
		}
	}
	return false
}

func (c *Command) flagOf(name string) Flag {
	for _, f := range c.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// isFlag reports whether a word looks like a flag. A single hyphen is an argument: it
// stands for stdin.
func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

// cutFlag splits a flag: one hyphen or two, and "=" with a value.
func cutFlag(word string) (name, value string, inline bool) {
	name = strings.TrimPrefix(word[1:], "-")
	return strings.Cut(name, "=")
}
