// Package prompt is the prompt command: a project's hooks as a block for a model's system
// prompt.
package prompt

import (
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Command is the prompt command.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "prompt",
		Usage: "print the <available_hooks> block for an agent's prompt",
		Description: "Names the hooks that are ready: what they are for, when they run, and where\n" +
			"their HOOK.md can be read.",
		Flags: []cli.Flag{hookset.DirFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			dir, err := hookset.LookFrom(sh, c)
			if err != nil {
				return err
			}
			hooks := prompt(sh.Host, dir)
			text := block(hooks)
			return sh.Answer(c.Bool("json"), map[string]any{"schema": 1, "hooks": hooks, "prompt": text}, func() { sh.Printf("%s", text) })
		},
	}
}

// available is what a model is told about a hook that is ready.
type available struct {
	Name        string             `json:"name"`
	Description string             `json:"description"`
	Trigger     protocol.EventType `json:"trigger"`
	Location    string             `json:"location"` // its HOOK.md; "" for a built-in hook
	Matcher     hookset.RowMatcher `json:"matcher"`
}

func prompt(h host.Host, dir string) []available {
	list := []available{}
	for _, hook := range hookset.Set(h, dir).Hooks {
		if hook.Status == discovery.Ready {
			list = append(list, available{hook.Name, shell.Plain(hook.Description), hook.Trigger, hook.File, hookset.RowMatcher(hook.Matcher)})
		}
	}
	return list
}

// block is well-formed XML whatever the texts contain: a description from a repository must not
// be able to close the block and continue as another speaker.
func block(hooks []available) string {
	var b strings.Builder
	b.WriteString("<available_hooks>\n")
	for _, h := range hooks {
		b.WriteString("  <hook>\n")
		element := func(name, text string) {
			if text != "" {
				b.WriteString("    <" + name + ">" + escapeXML(text) + "</" + name + ">\n")
			}
		}
		element("name", h.Name)
		element("description", h.Description)
		element("trigger", string(h.Trigger))
		element("location", h.Location)
		matcher(&b, h.Matcher)
		b.WriteString("  </hook>\n")
	}
	b.WriteString("</available_hooks>\n")
	return b.String()
}

// matcher says which calls the hook is for, if that is limited.
func matcher(b *strings.Builder, m hookset.RowMatcher) {
	if m == (hookset.RowMatcher{}) {
		return
	}
	b.WriteString("    <matcher>\n")
	for _, key := range [...]struct{ name, expression string }{
		{"tool", m.Tool}, {"pattern", m.Pattern}, {"command", m.Command}, {"path", m.Path}, {"content", m.Content},
	} {
		if key.expression != "" {
			b.WriteString("      <" + key.name + ">" + escapeXML(key.expression) + "</" + key.name + ">\n")
		}
	}
	b.WriteString("    </matcher>\n")
}

// escapeXML escapes markup, and leaves out what XML 1.0 does not allow.
func escapeXML(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r < ' ', r == utf8.RuneError, r == 0xfffe, r == 0xffff:
			return -1
		}
		return r
	}, s)
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace(s)
}
