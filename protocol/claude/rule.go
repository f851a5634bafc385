package claude

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// condition translates a permission rule, "Bash(git push *)", into expressions on the
// deed, or says why it cannot: the hook would then judge calls that it is not for.
//
// What a rule matches was tried on Claude Code 2.1.329 itself. A rule is about the
// tool that it names and no other. It matches files as gitignore does: below the
// project's folder, ignoring case, and elsewhere only if it begins with //, ~/ or a
// star.
func condition(rule string) (c protocol.Condition, why string) {
	tool, what, has := strings.Cut(strings.TrimSpace(rule), "(")
	what, closed := strings.CutSuffix(what, ")")
	switch {
	case has && !closed:
		return c, "its parenthesis is not closed"
	case strings.Contains(what, ")|") || strings.Contains(what, ") "):
		return c, "it is more than one rule, and finds nothing, in Claude Code neither. Write an entry for each"
	case !plainTool(tool):
		return c, "it is not a rule of the form Tool(what)"
	}
	c.Tools = toolsOf(tool)
	if what = strings.TrimSpace(what); what == "" || what == "*" {
		return c, ""
	}
	switch tool {
	case "Bash", "PowerShell", "Monitor":
		c.Command = commandRule(what)
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		c.Path, why = pathRule(what)
	case "Read", "NotebookRead":
		c.Pattern, why = pathRule(what)
	case "WebFetch":
		domain, is := strings.CutPrefix(what, "domain:")
		if !is || domain == "" {
			return c, "it names no domain"
		}
		c.Pattern = `^https?://([^/?#@]*@)?` + glob(domain, "[^/?#]*") + `(:\d+)?([/?#]|$)`
	case "Agent", "Task", "Skill":
		c.Pattern = "^" + glob(strings.TrimSuffix(what, ":*"), `[\s\S]*`) + "$"
	default:
		return c, "nothing is known of what " + tool + "(…) compares"
	}
	return c, why
}

// plainTool reports whether a text may name a tool.
func plainTool(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && r != '*' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

// toolsOf are the tools that a rule's name means: for an MCP server, all of its
// tools.
func toolsOf(name string) []string {
	switch {
	case name == "Agent" || name == "Task":
		return []string{"Agent", "Task"}
	case strings.HasPrefix(name, "mcp__") && strings.Count(name, "__") == 1:
		return []string{name + "__*"}
	}
	return []string{name}
}

// commandRule is the expression of a rule about commands: "git push:*" and "git push
// *" are git push with or without arguments, any other * is anything.
func commandRule(rule string) string {
	for _, tail := range []string{":*", " *"} {
		if start, is := strings.CutSuffix(rule, tail); is {
			return `^` + glob(start, `[\s\S]*`) + `(\s[\s\S]*)?$`
		}
	}
	return `^` + glob(rule, `[\s\S]*`) + `$`
}

// glob turns a text into an expression, with any in place of each *.
func glob(text, any string) string {
	parts := strings.Split(text, "*")
	for i := range parts {
		parts[i] = literally(parts[i])
	}
	return strings.Join(parts, any)
}

// pathRule is the expression of a rule about files, "" for a rule about all of them.
// What the rule begins with decides whether it is tried on the path from the
// project's root, ./a/b, on the path from the user's home, ~/a/b, or on the whole
// path.
func pathRule(rule string) (expression, why string) {
	start, anywhere := `(?is)^\./`, `(.*/)?`
	switch {
	case strings.HasPrefix(rule, "!"):
		return "", "it begins with ! and finds nothing, in Claude Code neither"
	case strings.HasPrefix(rule, "../") || strings.Contains(rule, "/../"):
		return "", "it leads out of the project by .. and finds nothing, in Claude Code neither"
	case strings.ContainsAny(rule, "{}"):
		return "", "it has braces, which Claude Code takes for part of the name: it finds no file there. Write an entry for each"
	case rule == "**":
		return "", ""
	case strings.HasPrefix(rule, "//"):
		start, anywhere, rule = "(?is)^/", "", rule[2:]
	case strings.HasPrefix(rule, "~/"):
		start, anywhere, rule = "(?is)^~/", "", rule[2:]
	case strings.HasPrefix(rule, "*"):
		start, anywhere = "(?is)(^|/)", ""
		rule = strings.TrimPrefix(rule, "**/")
	default:
		rule = strings.TrimPrefix(rule, "./")
	}
	name, isFolder := strings.CutSuffix(strings.TrimSuffix(rule, "**"), "/")
	if strings.Contains(name, "/") || isFolder && strings.HasSuffix(rule, "**") {
		anywhere = ""
	}
	name = strings.TrimPrefix(name, "/")
	switch {
	case name == "": // everything below it
		return start, ""
	case isFolder:
		return start + anywhere + fileGlob(name) + "/", ""
	}
	return start + anywhere + fileGlob(strings.TrimPrefix(rule, "/")) + "(/|$)", ""
}

// fileGlob turns a gitignore path into an expression.
func fileGlob(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "**/") && (i == 0 || text[i-1] == '/'):
			b.WriteString("(.*/)?")
			i += 2
		case text[i:] == "**" && i > 0 && text[i-1] == '/':
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteString(literally(text[i : i+1]))
		case c == '[' && strings.IndexByte(text[i+1:], ']') > 0:
			end := i + 1 + strings.IndexByte(text[i+1:], ']')
			set := strings.ReplaceAll(text[i+1:end], `\`, `\\`)
			if set[0] == '!' || set[0] == '^' {
				set = "^/" + set[1:]
			}
			b.WriteString("[" + strings.ReplaceAll(set, "[", `\[`) + "]")
			i = end
		default:
			b.WriteString(literally(text[i : i+1]))
		}
	}
	return b.String()
}

// literally turns a text into an expression that matches only that text.
func literally(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if strings.IndexByte(`\.+*?()|[]{}^$#`, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
