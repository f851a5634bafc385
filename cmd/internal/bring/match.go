package bring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// anything reports whether a matcher finds everything.
func anything(matcher string) bool {
	return slices.Contains([]string{"", "*", ".*", "^.*$", ".+", "^.+$"}, strings.TrimSpace(matcher))
}

// listed are the names in a matcher that is not an expression but a list: plain words separated by
// | or a comma.
func listed(matcher string) (names []string, ok bool) {
	if strings.ContainsFunc(matcher, func(r rune) bool {
		return r != '_' && r != '|' && r != ',' && r != ' ' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return nil, false
	}
	for _, name := range strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' }) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, true
}

// finding returns a function that reports whether an expression matches in a text. The expression is
// compiled once: a stranger's may be one that takes long.
func finding(expression string) func(in string) bool {
	h := discovery.Hook{Trigger: protocol.PreToolCall, Status: discovery.Ready, Matcher: discovery.Matcher{Tool: expression}}
	return func(in string) bool {
		return h.Match(&protocol.Event{Type: protocol.PreToolCall, Call: &protocol.Call{Name: in}}, &discovery.Budget{}, false).OK
	}
}

// badExpression says why a matcher is not a valid expression, "" if it is.
func badExpression(m discovery.Matcher) refusal {
	if _, ok := listed(m.Tool); ok {
		m.Tool = ""
	}
	for _, e := range []string{m.Tool, m.Pattern, m.Command, m.Path} {
		h := discovery.Hook{Trigger: protocol.PreToolCall, Status: discovery.Ready, Matcher: discovery.Matcher{Pattern: e}}
		ev := &protocol.Event{Type: protocol.PreToolCall, Call: &protocol.Call{Input: protocol.Object{{Name: "x", Value: protocol.Quote("x")}}}}
		if h.Match(ev, &discovery.Budget{}, false); h.Status == discovery.Broken && len(h.Problems) > 0 {
			return refusal("an expression cannot be read here: " + h.Problems[0].Message)
		}
	}
	return ""
}

// matcherIn translates an agent's matcher to the rules of the agent whose protocol the hook speaks:
// unchanged if they are the same agent, else by the names that tools have there.
func matcherIn(to, from *protocol.Dialect, matcher string) string {
	matcher = strings.TrimSpace(matcher)
	switch {
	case anything(matcher):
		return ""
	case from == to:
		return matcher
	}
	names, isList := listed(matcher)
	c := from.Custom
	if isList && (c.Lists || c.Whole) {
		return strings.Join(namesIn(to, from, names), "|")
	}
	if c.Whole {
		matcher = "^(?:" + matcher + ")$"
	}
	var found []string
	finds := finding(matcher)
	for _, tool := range from.Tools {
		for _, name := range append([]string{tool.Native}, tool.Also...) {
			if finds(name) && !slices.Contains(found, tool.Native) {
				found = append(found, tool.Native)
			}
		}
	}
	if isList { // an expression by the agent's rules, but no more than names
		for _, name := range names {
			if !slices.ContainsFunc(found, finding(name)) && !ofAnother(from, name) {
				found = append(found, name)
			}
		}
		return strings.Join(namesIn(to, from, found), "|")
	}
	if in := namesIn(to, from, found); len(in) > 0 {
		return "(?:" + matcher + ")|^(" + strings.Join(in, "|") + ")$"
	}
	return matcher
}

// knownTool reports whether a matcher finds a known tool of an agent.
func knownTool(d *protocol.Dialect, matcher string) bool {
	e := matcher
	if names, ok := listed(matcher); ok && (d.Custom.Lists || d.Custom.Whole) {
		e = "^(" + strings.Join(names, "|") + ")$"
	}
	finds := finding(e)
	return slices.ContainsFunc(d.Tools, func(t protocol.Tool) bool {
		return finds(t.Native) || slices.ContainsFunc(t.Also, finds)
	})
}

// aimless says what is odd about a matcher that finds no tool that is known of the agent, which
// may have more tools than are known.
func aimless(d *protocol.Dialect, matcher string) string {
	names, list := listed(matcher)
	switch {
	case list && !slices.ContainsFunc(names, func(n string) bool { return strings.ToLower(n) == n }):
		return fmt.Sprintf("its matcher %q names no tool that is known of %s: it runs for one that is called so, and no other", matcher, d.Name)
	case strings.Contains(matcher, "(") && strings.HasSuffix(matcher, ")"):
		return fmt.Sprintf("its matcher %q finds no tool, and there it may never have run: a rule such as this belongs in \"if\"", matcher)
	}
	return fmt.Sprintf("its matcher %q finds no tool that is known of %s: there it may never have run", matcher, d.Name)
}

// ofAnother reports whether a name is an alternative name of one of the agent's tools.
func ofAnother(d *protocol.Dialect, name string) bool {
	return slices.ContainsFunc(d.Tools, func(t protocol.Tool) bool { return slices.Contains(t.Also, name) })
}

// namesIn translates tool names of one agent to another's. An unknown name stays as it is.
func namesIn(to, from *protocol.Dialect, natives []string) (names []string) {
	for _, native := range natives {
		tool, known := from.Tools.Find(native)
		before := len(names)
		for _, t := range to.Tools {
			if known && (t.Name == tool.Name && t.Does == 0 || slices.Contains(tool.Also, t.Native) || t.Native == native) && !slices.Contains(names, t.Native) {
				names = append(names, t.Native)
			}
		}
		if _, there := to.Tools.Find(native); len(names) == before && !there && !known && !slices.Contains(names, native) {
			names = append(names, native)
		}
	}
	return names
}

// either is a matcher that finds what a hook's own or another one finds.
func either(h *Hook, b string) string {
	a := h.Matcher.Tool
	if anything(a) || anything(b) {
		return ""
	}
	if a == b {
		return a
	}
	namesA, okA := listedFor(h, a)
	namesB, okB := listedFor(h, b)
	if okA && okB {
		for _, name := range namesB {
			if !slices.Contains(namesA, name) {
				namesA = append(namesA, name)
			}
		}
		return strings.Join(namesA, "|")
	}
	return expressionOf(namesA, a) + "|" + expressionOf(namesB, b)
}

// listedFor are the names in a matcher that is a list of them by the rules of the program whose
// protocol the hook speaks.
func listedFor(h *Hook, matcher string) ([]string, bool) {
	if h.Speaks == nil {
		return listed(matcher)
	}
	return h.Speaks.Tongue.List(h.Trigger, matcher)
}

// expressionOf is a matcher as an expression, even if it is a list of names.
func expressionOf(names []string, matcher string) string {
	if names != nil {
		return "^(" + strings.Join(names, "|") + ")$"
	}
	return "(?:" + matcher + ")"
}
