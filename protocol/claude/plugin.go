package claude

import (
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// plugin is how plugins of Claude Code bring hooks along.
var plugin = &protocol.PluginForm{
	Kind:      "claude-plugin",
	Manifest:  ".claude-plugin/plugin.json",
	Hooks:     "hooks/hooks.json",
	Unit:      time.Second,
	Limit:     protocol.MaxLimit,
	Command:   "command",
	Foreign:   []string{"http", "prompt", "agent", "mcp_tool"},
	Words:     []string{"type", "command", "args", "shell", "timeout", "async", "asyncRewake", "if", "once", "statusMessage", "description"},
	Root:      "CLAUDE_PLUGIN_ROOT",
	Data:      "CLAUDE_PLUGIN_DATA",
	Event:     eventOf,
	Condition: condition,
}

// eventOf is the event that hooks of a native one are for: the first that it
// feeds, since the others only tell of it again.
func eventOf(native string) protocol.EventType {
	if n, ok := protocol.FindNative(natives, native); ok {
		return n.Feeds[0]
	}
	return ""
}

// condition reads a permission rule, "Bash(git push *)", as expressions on what is
// done. What it cannot say exactly it does not say: the hook would then judge calls
// that it is not for.
func condition(rule string) (c protocol.Condition, ok bool) {
	tool, what, has := strings.Cut(strings.TrimSpace(rule), "(")
	if tool = strings.TrimSpace(tool); tool == "" || strings.ContainsAny(tool, " \t|,;&)") {
		return c, false
	}
	c.Tools = tool
	if !has {
		return c, true
	}
	what, closed := strings.CutSuffix(what, ")")
	if !closed || what == "" || what == "*" {
		return c, closed
	}
	switch tool {
	case "Bash", "PowerShell", "Monitor":
		c.Command = commandRule(what)
		return c, true
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		c.Tools = "Edit|Write|MultiEdit|NotebookEdit"
		c.Path = pathRule(what)
		return c, c.Path != ""
	case "Read", "NotebookRead":
		c.Pattern = pathRule(what)
		return c, c.Pattern != ""
	case "WebFetch":
		domain, is := strings.CutPrefix(what, "domain:")
		c.Pattern = `^https?://([^/?#@]*@)?` + globbed(domain, "[^/?#]*", "[^/?#]*") + `(:\d+)?([/?#]|$)`
		return c, is && domain != ""
	}
	return c, false
}

// commandRule is the expression of a rule about commands: "git push:*" and
// "git push *" are git push with or without more, any other * is anything.
func commandRule(rule string) string {
	rule = strings.TrimSpace(rule)
	for _, tail := range []string{":*", " *"} {
		if start, is := strings.CutSuffix(rule, tail); is {
			return `^` + globbed(start, `[\s\S]*`, `[\s\S]*`) + `(\s[\s\S]*)?$`
		}
	}
	return `^` + globbed(rule, `[\s\S]*`, `[\s\S]*`) + `$`
}

// pathRule is the expression of a rule about files, in the manner of gitignore: a
// name alone is one anywhere, ** any folders. "" for what is relative to places that
// are not known here.
func pathRule(rule string) string {
	anywhere := `(^|/)`
	switch {
	case strings.HasPrefix(rule, "//"):
		rule, anywhere = rule[1:], "^"
	case strings.HasPrefix(rule, "~"), strings.HasPrefix(rule, "!"):
		return ""
	case strings.HasPrefix(rule, "/"), strings.HasPrefix(rule, "./"):
		rule = strings.TrimLeft(strings.TrimPrefix(rule, "."), "/")
	}
	rule = strings.TrimPrefix(rule, "**/")
	tail := "(/|$)"
	if strings.HasSuffix(rule, "/**") {
		rule, tail = strings.TrimSuffix(rule, "/**"), "/"
	}
	if rule == "**" || rule == "" {
		return `.`
	}
	return anywhere + globbed(rule, `[^/]*`, `.*`) + tail
}

// globbed is a text as an expression, with its stars as what they stand for.
func globbed(text, one, two string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "**/"):
			b.WriteString("(" + two + "/)?")
			i += 2
		case strings.HasPrefix(text[i:], "**"):
			b.WriteString(two)
			i++
		case text[i] == '*':
			b.WriteString(one)
		case text[i] == '?' && one != two:
			b.WriteString(`[^/]`)
		default:
			if strings.IndexByte(`\.+*?()|[]{}^$`, text[i]) >= 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
