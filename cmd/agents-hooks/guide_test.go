package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
)

// The commands and flags that a guide names exist, in both languages.
func TestCommandsOfGuides(t *testing.T) {
	named := regexp.MustCompile("(?m)(?:^    |`)(agents-hooks [^`\n]+)")
	commands := shelltest.New(t).Commands(commandGroups(), "")
	for _, b := range builtinhooks.Behaviours() {
		for _, language := range []string{"en", "zh"} {
			text := builtinhooks.Guide(&b, func(name string) string { return map[string]string{"LANG": language}[name] }, nil)
			found := named.FindAllStringSubmatch(string(text), -1)
			if text != nil && len(found) == 0 {
				t.Errorf("%s/%s names no command", b.Name, language)
			}
			for _, m := range found {
				if problem := noSuchCommand(commands, m[1]); problem != "" {
					t.Errorf("%s/%s: %q: %s", b.Name, language, m[1], problem)
				}
			}
		}
	}
}

// noSuchCommand says what of a command line is not there, "" if all is.
func noSuchCommand(list []*cli.Command, line string) string {
	words := strings.Fields(line)[1:]
	var c *cli.Command
	for len(words) > 0 && len(list) > 0 {
		i := slices.IndexFunc(list, func(c *cli.Command) bool { return slices.Contains(c.Names(), words[0]) })
		if i < 0 {
			return "no command " + words[0]
		}
		c, words, list = list[i], words[1:], list[i].Subcommands
	}
	if c == nil {
		return "no command at all"
	}
	quoted := false
	for _, w := range words {
		if name, ok := strings.CutPrefix(w, "--"); ok && !quoted {
			name, _, _ = strings.Cut(name, "=")
			if !hasFlag(c, name) {
				return "no flag --" + name
			}
		}
		quoted = quoted != (strings.Count(w, `"`)%2 == 1)
	}
	return ""
}
