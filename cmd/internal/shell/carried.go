package shell

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
)

// Carry says that what a command proposes has to be typed with a flag that it was typed
// with: a command that is proposed for another folder would work in the wrong one.
func (sh *Shell) Carry(flag, words string) {
	sh.carried = append(sh.carried, carriedFlag{flag, words})
}

type carriedFlag struct{ flag, words string }

// Carried is a text with our commands in it, each with the flags of [Shell.Carry] that it
// has and that the text does not give it already.
func (sh *Shell) Carried(text string) string {
	begins := sh.Name + " "
	if len(sh.carried) == 0 || !strings.Contains(text, begins) {
		return text
	}
	parts := strings.Split(text, begins)
	for i, part := range parts[1:] {
		c, length := named(sh.Commands(sh.groups, firstWord(part)), part)
		if c == nil {
			continue
		}
		command, rest := part[:length], part[length:]
		for _, f := range sh.carried {
			if has := slices.IndexFunc(c.Flags, func(of cli.Flag) bool { return slices.Contains(of.Names(), f.flag) }); has >= 0 && !typedIn(rest, c.Flags[has]) {
				command += " " + f.words
			}
		}
		parts[i+1] = command + rest
	}
	return strings.Join(parts, begins)
}

// named is the command of all that a text begins with, and how long its words are there; nil
// if it is none, or has further words.
func named(all []*cli.Command, text string) (c *cli.Command, length int) {
	for {
		word := firstWord(text[length:])
		i := slices.IndexFunc(all, func(c *cli.Command) bool { return c.HasName(word) })
		if i < 0 {
			return nil, 0
		}
		c, all, length = all[i], all[i].Subcommands, length+len(word)
		if len(all) == 0 {
			return c, length
		}
		if !strings.HasPrefix(text[length:], " ") {
			return nil, 0
		}
		length++
	}
}

// firstWord is the word of small letters and hyphens that a text begins with.
func firstWord(text string) string {
	if end := strings.IndexFunc(text, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') }); end >= 0 {
		return text[:end]
	}
	return text
}

// typedIn reports whether a flag stands among words.
func typedIn(words string, f cli.Flag) bool {
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
		return strings.HasPrefix(w, "-") && slices.Contains(f.Names(), name)
	})
}
