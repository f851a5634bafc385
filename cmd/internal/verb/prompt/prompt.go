// Package prompt is the prompt command: the hooks of a project as a block for the
// system prompt of a model.
package prompt

import (
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "prompt",
		Usage: "print the <available_hooks> block for an agent's prompt",
		Description: "Names the hooks that are ready: what they are for, when they run, and where\n" +
			"their HOOK.md can be read.",
		Flags: []cli.Flag{hookset.DirFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			if _, err := shell.Args(c, 0, 0, "no argument"); err != nil {
				return err
			}
			dir, err := hookset.LookFrom(sh, c)
			if err != nil {
				return err
			}
			hooks := promptHooks(hookset.Set(sh.Host, dir))
			block := promptBlock(hooks)
			if c.Bool("json") {
				return sh.JSON(map[string]any{"schema": 1, "hooks": hooks, "prompt": block})
			}
			sh.Printf("%s", block)
			return nil
		},
	}
}

// A promptHook is what a model is told of a hook.
type promptHook struct {
	Name        string             `json:"name"`
	Description string             `json:"description"`
	Trigger     protocol.EventType `json:"trigger"`
	Location    string             `json:"location"` // of its HOOK.md; "" for a built-in hook
}

func promptHooks(set *discovery.Set) []promptHook {
	list := []promptHook{}
	for _, h := range set.Hooks {
		if h.Status == discovery.Ready {
			list = append(list, promptHook{h.Name, shell.Plain(h.Description), h.Trigger, h.File})
		}
	}
	return list
}

// promptBlock is well-formed XML whatever the texts hold: a description from a
// repository must not be able to close the block and go on as somebody else.
func promptBlock(hooks []promptHook) string {
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
		b.WriteString("  </hook>\n")
	}
	b.WriteString("</available_hooks>\n")
	return b.String()
}

// escapeXML escapes what is markup, and leaves out what XML 1.0 cannot hold.
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
