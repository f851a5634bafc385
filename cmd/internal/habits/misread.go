package habits

import (
	"regexp"
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
)

var (
	// borrowed are variables in which other programs pass events to their hooks.
	borrowed = patternOf(`(?:\$\{?|environ(?:\.get\(|\[)\s*["']|getenv\(["']|process\.env\.|ENV\[["'])(TOOL_INPUT|TOOL_NAME|TOOL_ARGS|HOOK_INPUT|HOOK_EVENT|CLAUDE_TOOL_(?:INPUT|NAME)|CLAUDE_FILE_PATHS?|GEMINI_TOOL_(?:INPUT|NAME))\b`)
	// camel are members of an event in other programs' spelling.
	camel = patternOf(`(?:\.|\[["'])(toolInput|toolName|toolArgs|toolResponse|sessionId|workDir|hookEventName|eventType)\b`)
)

// portableMember is the event's name for one of those.
func portableMember(name string) string {
	switch name {
	case "toolArgs":
		return "tool_input"
	case "hookEventName":
		return "event_type"
	}
	return regexp.MustCompile(`[A-Z]`).ReplaceAllStringFunc(name, func(c string) string { return "_" + strings.ToLower(c) })
}

// misread finds where a script looks for its event in the wrong place: a variable
// that only another program sets, a member that no event has. guard says that the
// hook could block, and so would not.
func (s script) misread(guard bool) (problems []discovery.Problem) {
	severity := discovery.Warning
	if guard {
		severity = discovery.Error
	}
	text := strings.Join(s.lines, "\n")
	for i, line := range s.lines {
		if m := borrowed().FindStringSubmatch(line); m != nil && !sets(text, m[1]) {
			problems = append(problems, s.at(i, severity, "read the event, one JSON object, from stdin", "$%s is set by nobody: the event comes on stdin", m[1]))
		}
		if m := camel().FindStringSubmatch(line); m != nil && !regexp.MustCompile(`\b`+portableMember(m[1])+`\b`).MatchString(text) && !strings.Contains(line, "native") {
			problems = append(problems, s.at(i, severity, "write "+portableMember(m[1]), "an event has no %s: it says %s", m[1], portableMember(m[1])))
		}
	}
	return problems
}

// sets reports whether a script sets a variable itself.
func sets(text, name string) bool {
	return regexp.MustCompile(`(?m)(?:^|[\s;(])` + name + `=|\bread\b[^\n;|]*\b` + name + `\b|\b(?:for|declare|local)\s[^\n;]*\b` + name + `\b`).MatchString(text)
}

// carried finds a script with Windows line ends: its first line names an interpreter
// that does not exist, so it does not start.
func (s script) carried() (problems []discovery.Problem) {
	if strings.HasPrefix(s.first, "#!") && strings.HasSuffix(s.first, "\r") {
		problems = append(problems, s.at(0, discovery.Error, "save it with LF", "its lines end as on Windows, so that it names the interpreter %q and does not start on a Unix", strings.TrimSpace(s.first[2:])+"\r"))
	}
	return problems
}
