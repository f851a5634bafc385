package bring

import (
	"regexp"
	"strings"
)

// A condition is what an "if" asks, as keys of a matcher: expressions.
type condition struct {
	tools   []string // the agent's own names
	command string
	path    string
	pattern string
}

// readRule reads a permission rule, such as Bash(git push:*) or Edit(*.ts), as keys of a
// matcher. What comes beside it says in what the two differ, or, with an empty rule,
// why there is none.
func readRule(text string) (condition, string) {
	tool, inside, ok := strings.Cut(strings.TrimSpace(text), "(")
	if ok && !strings.HasSuffix(inside, ")") {
		return condition{}, "its parenthesis is not closed"
	}
	inside = strings.TrimSuffix(inside, ")")
	if strings.Contains(inside, ")|") || strings.Contains(inside, ") ") {
		return condition{}, "it is more than one rule"
	}
	if !plainTool(tool) {
		return condition{}, "it is no rule of the form Tool(what)"
	}
	if !ok || inside == "" || inside == "*" {
		return condition{tools: toolsRule(tool)}, ""
	}
	switch tool {
	case "Bash", "PowerShell", "Monitor":
		return condition{tools: toolsRule(tool), command: commandRule(inside)}, ""
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		path, unlike := pathRule(inside)
		return condition{tools: []string{"Edit", "Write", "MultiEdit", "NotebookEdit"}, path: path}, unlike
	case "Read":
		path, unlike := pathRule(inside)
		return condition{tools: []string{"Read", "NotebookRead"}, pattern: path}, unlike
	case "WebFetch":
		if host, ok := strings.CutPrefix(inside, "domain:"); ok {
			return condition{tools: []string{tool}, pattern: `^https?://([^/@]*@)?` + glob(host, `[^/]*`) + `([:/?#]|$)`}, ""
		}
	case "Agent", "Task":
		return condition{tools: []string{"Agent", "Task"}, pattern: "^" + glob(inside, ".*") + "$"}, ""
	case "Skill":
		return condition{tools: []string{tool}, pattern: "^" + glob(strings.TrimSuffix(inside, ":*"), ".*") + "$"}, ""
	}
	return condition{}, "nothing is known of what " + tool + "(…) compares"
}

// plainTool reports whether a text may name a tool.
func plainTool(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && r != '*' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

// toolsRule are the tools that a rule's name is for: a rule about Edit is about every
// tool that changes files, and one that names a server of MCP about all of its tools.
func toolsRule(name string) []string {
	switch {
	case name == "Edit":
		return []string{"Edit", "Write", "MultiEdit", "NotebookEdit"}
	case name == "Agent" || name == "Task":
		return []string{"Agent", "Task"}
	case strings.HasPrefix(name, "mcp__") && strings.Count(name, "__") == 1:
		return []string{name + "__*"}
	}
	return []string{name}
}

// commandRule is the expression of a rule about commands: "git push:*" and "git push *"
// are that command with or without more words, a * in the middle any text.
func commandRule(inside string) string {
	for _, end := range []string{":*", " *"} {
		if head, ok := strings.CutSuffix(inside, end); ok {
			return "^" + glob(head, ".*") + `(\s|$)`
		}
	}
	if head, ok := strings.CutSuffix(inside, "*"); ok {
		return "^" + glob(head, ".*")
	}
	return "^" + glob(inside, ".*") + "$"
}

// glob is a text as an expression, with any for each *.
func glob(text, any string) string {
	parts := strings.Split(text, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return strings.Join(parts, any)
}

// pathRule is the expression of a rule about files, which are named as .gitignore does.
// Which folder a rule is seen from is not known where the hook runs: one that is tied
// to it is tried on the end of the path, and so finds more.
func pathRule(inside string) (expression, unlike string) {
	text := inside
	switch {
	case strings.HasPrefix(text, "//"):
		return "^" + globPath(text[1:]) + "$", ""
	case strings.HasPrefix(text, "~/"):
		return "/" + globPath(text[2:]) + "$", "~ is any folder"
	case strings.HasPrefix(text, "./"):
		text = text[2:]
	case strings.HasPrefix(text, "/"):
		text = text[1:]
	}
	text, anywhere := strings.CutPrefix(text, "**/")
	folder, isFolder := strings.CutSuffix(text, "/")
	expression = "(^|/)" + globPath(folder)
	if isFolder {
		expression += "/"
	} else {
		expression += "(/|$)"
	}
	if !anywhere && strings.Contains(folder, "/") || inside[0] == '/' || strings.HasPrefix(inside, "./") {
		unlike = `the "if" is about a path from the folder of the project: here it finds that path below any folder`
	}
	return expression, unlike
}

// globPath is a path of .gitignore as an expression.
func globPath(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "**/"):
			b.WriteString("(.*/)?")
			i += 2
		case strings.HasPrefix(text[i:], "**"):
			b.WriteString(".*")
			i++
		case text[i] == '*':
			b.WriteString("[^/]*")
		case text[i] == '?':
			b.WriteString("[^/]")
		case text[i] == '{':
			if end := strings.IndexByte(text[i:], '}'); end > 0 {
				words := strings.Split(text[i+1:i+end], ",")
				for k := range words {
					words[k] = globPath(words[k])
				}
				b.WriteString("(" + strings.Join(words, "|") + ")")
				i += end
				continue
			}
			b.WriteString(`\{`)
		default:
			b.WriteString(regexp.QuoteMeta(text[i : i+1]))
		}
	}
	return b.String()
}
