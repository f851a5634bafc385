package discovery

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// condition adds to the matcher what "if" demands.
func (p *plugin) condition(h *Hook, o protocol.Object, say saying) {
	rule := o.Get("if")
	if len(rule) == 0 || string(rule) == "null" || string(rule) == `""` {
		return
	}
	if !h.Trigger.IsTool() {
		say(Error, true, "if", "take it out", "is for calls of tools: with it, this hook never runs")
		return
	}
	c, why := p.form.Condition(protocol.TextOf(rule))
	if why != "" {
		say(Error, true, "if", "put what it means into the script", "%s cannot be said as a matcher: %s. Without it, the hook would judge calls that it is not for, and is kept out", quoted(protocol.TextOf(rule)), why)
		return
	}
	tool := Among(p.tongue, h.Trigger, h.Matcher.Tool, c.Tools)
	if tool == "" {
		say(Error, true, "if", "take it out", "%s is about none of the tools of the matcher %s: with it, this hook never runs", quoted(protocol.TextOf(rule)), quoted(h.Matcher.Tool))
		return
	}
	h.Matcher.Tool, h.Matcher.Command, h.Matcher.Path, h.Matcher.Pattern = tool, c.Command, c.Path, c.Pattern
}

// Among restricts a matcher to some tools, by the rules of the program that both belong
// to; "" if it matches none of them. A tool may end with a star, for any text.
func Among(speaks *protocol.Tongue, on protocol.EventType, matcher string, tools []string) string {
	var rest []string
	for _, tool := range tools {
		if among(speaks, on, matcher, strings.TrimSuffix(tool, "*")) {
			rest = append(rest, tool)
		}
	}
	if len(rest) == 1 && strings.HasSuffix(rest[0], "*") {
		return "^" + regexp.QuoteMeta(strings.TrimSuffix(rest[0], "*"))
	}
	return strings.Join(rest, "|")
}

func among(speaks *protocol.Tongue, on protocol.EventType, matcher, tool string) bool {
	names, listed := speaks.List(on, matcher)
	if listed {
		return names == nil || slices.Contains(names, tool)
	}
	e, err := newExpression(matcher)
	if err != nil {
		return false
	}
	t := trial{hook: &Hook{}, budget: &Budget{}, left: maxHookMatch}
	return t.try(e, tool, keyTool)
}
