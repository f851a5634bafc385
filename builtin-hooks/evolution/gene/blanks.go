package gene

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
)

// Blanks are what a step of a seed may leave open, like "{module:the module}": a symbol
// of the failure (module, command, header, library, package, port), what its message
// has in quotes (name), the first place that it names (at). The text after the colon is
// used if the failure names nothing.
var blanks = []string{"module", "command", "header", "library", "package", "port", "name", "at"}

// step adds a step to a seed, in both languages.
func (g *Gene) step(english, chinese string) {
	zh := g.Translations["zh"]
	open := hasBlank(english) || hasBlank(chinese)
	if open && g.blanks == nil {
		g.blanks = map[string][]string{"": slices.Clone(g.Strategy), "zh": slices.Clone(zh.Strategy)}
	}
	if g.blanks != nil {
		g.blanks[""], g.blanks["zh"] = append(g.blanks[""], english), append(g.blanks["zh"], chinese)
	}
	if open {
		nothing := func(string) string { return "" }
		english, chinese = fill(english, nothing), fill(chinese, nothing)
	}
	g.Strategy, zh.Strategy = append(g.Strategy, english), append(zh.Strategy, chinese)
	g.Translations["zh"] = zh
}

// For is a gene's text in a language, with the names from a failure.
func (g *Gene) For(language string, f *failure.Failure) Text {
	t := g.In(language)
	open, ok := g.blanks[language]
	if !ok {
		open = g.blanks[""]
	}
	if len(open) != len(t.Strategy) {
		return t
	}
	steps := make([]string, 0, len(open))
	for i, s := range open {
		if !holed(g.blanks[""][i], f.Named) {
			steps = append(steps, fill(s, f.Named))
		}
	}
	if len(steps) > 0 {
		t.Strategy = steps
	}
	return t // the title stays: people know a gene by it
}

// holed reports whether a step has a blank that nothing fills and that would leave a
// hole: a command with NAME in it.
func holed(s string, name func(string) string) bool {
	for {
		at, kind, size := blank(s)
		if at < 0 {
			return false
		}
		if _, instead, _ := strings.Cut(s[at+1:at+size-1], ":"); name(kind) == "" && instead == strings.ToUpper(instead) {
			return true
		}
		s = s[at+size:]
	}
}

func hasBlank(s string) bool {
	at, _, _ := blank(s)
	return at >= 0
}

// blank is the first blank of a text: its offset, its name and its length.
func blank(s string) (at int, name string, size int) {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '{')
		if i < 0 {
			return -1, "", 0
		}
		i += from
		name, _, ok := strings.Cut(s[i+1:], ":")
		if ok && slices.Contains(blanks, name) {
			if end := strings.IndexByte(s[i:], '}'); end > 0 {
				return i, name, end + 1
			}
		}
		from = i + 1
	}
}

// fill puts names into the blanks of a text.
func fill(s string, name func(string) string) string {
	var b strings.Builder
	for {
		at, kind, size := blank(s)
		if at < 0 {
			b.WriteString(s)
			return b.String()
		}
		with := name(kind)
		if with == "" {
			_, with, _ = strings.Cut(s[at+1:at+size-1], ":")
		}
		b.WriteString(s[:at] + with)
		s = s[at+size:]
	}
}
