package discovery

import (
	"fmt"

	texts "github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Explanation says what would happen to one hook on one event.
type Explanation struct {
	Hook *Hook
	// Gate is the first check that the hook failed, "" if it would run. The checks in
	// order: foreign, broken, overridden, disabled, untrusted, trigger, tool, pattern,
	// command, path, content.
	Gate   string
	Detail string   // the reason, in words
	Tried  []string // what the failing (or last) expression was applied to
}

// Explain says, for each hook of a set from [Load], what would happen to it on an
// event, in running order, without running anything.
func (s *Set) Explain(ev *protocol.Event) []Explanation {
	var budget Budget
	out := make([]Explanation, 0, len(s.Hooks))
	for _, h := range s.Hooks {
		out = append(out, s.explain(h, ev, &budget))
	}
	return out
}

func (s *Set) explain(h *Hook, ev *protocol.Event, budget *Budget) Explanation {
	e := Explanation{Hook: h}
	if h.Status == Ready && h.Trigger != ev.Type {
		e.Gate, e.Detail = "trigger", fmt.Sprintf("it waits for %s, and this is %s", h.Trigger, ev.Type)
		return e
	}
	m := h.Match(ev, budget, true)
	e.Gate, e.Tried = m.Gate, m.Tried
	switch m.Gate {
	case "":
		e.Detail = m.Warning
	case "tool":
		e.Detail = fmt.Sprintf("matcher.tool %s was found in none of the tool's names", quoted(h.Matcher.Tool))
	case "pattern":
		e.Detail = unfound("pattern", h.Matcher.Pattern, len(m.Tried), "text", "of the input", "the input has no text")
	case "command":
		e.Detail = unfound("command", h.Matcher.Command, len(m.Tried), "command", "of the call", "the call runs none")
	case "path":
		e.Detail = unfound("path", h.Matcher.Path, len(m.Tried), "path", "that the call changes", "the call changes no file")
	case "content":
		e.Detail = unfound("content", h.Matcher.Content, len(m.Tried), "text", "that the call writes", "the call writes nothing")
	default:
		e.Detail = s.why(h)
	}
	return e
}

// unfound says that an expression did not match anything that it was applied to.
func unfound(key, expression string, tried int, what, of, none string) string {
	if tried == 0 {
		return fmt.Sprintf("matcher.%s %s was tried on nothing: %s", key, quoted(expression), none)
	}
	return fmt.Sprintf("matcher.%s %s was not found in the %s %s", key, quoted(expression), texts.Count(tried, what), of)
}

// Place is a problem without a message, at the place of a matcher key.
func (h *Hook) Place(name string) Problem {
	p := Problem{File: h.File, Field: name}
	for k := keyTool; k <= keyContent; k++ {
		if keyNames[k] == name {
			p.Line, p.Column, p.Value = h.at[k-keyTool].line, h.at[k-keyTool].col, h.at[k-keyTool].text
		}
	}
	return p
}

// FolderName is the base name of the folder that the hook was read from.
func (h *Hook) FolderName() string { return h.folder }

// NamePlace is a problem without a message, at the place of the name.
func (h *Hook) NamePlace() Problem {
	return Problem{File: h.File, Line: h.nameAt.line, Column: h.nameAt.col, Field: "name"}
}

// Unportable returns the parts of a hook that another runner may not know, and their
// effect there.
func (h *Hook) Unportable() (problems []Problem) {
	for k := keyCommand; k <= keyContent; k++ {
		if *h.Matcher.at(k) == "" {
			continue
		}
		p := dubious(h.at[k-keyTool], keyNames[k], "let the script decide as well, by tool_input", "is ours: a runner that does not know it runs the hook for more calls, never for less")
		p.File = h.File
		problems = append(problems, p)
	}
	if rooted(h.Matcher.Pattern) != "" {
		p := dubious(h.at[keyPattern-keyTool], keyNames[keyPattern], "let the script decide as well, by tool_input", "is about paths from some folder, which is ours: a runner that does not know it never runs the hook")
		p.File = h.File
		problems = append(problems, p)
	}
	for _, key := range [...]struct {
		name string
		is   bool
	}{{"metadata.dialect", h.Dialect != ""}, {"metadata.command", h.Command.Given()}} {
		if key.is {
			p := dubious(top(), key.name, "lay a scripts/run beside it that speaks the format's own protocol", "is ours: a runner that does not know it starts scripts/run, with the event as the format has it")
			p.File = h.File
			problems = append(problems, p)
		}
	}
	if h.Trigger.Ours() {
		problems = append(problems, dubious(field{line: 1, col: 1}, "trigger", "leave this hook to programs that know it", "%s is ours: a runner that does not know it takes the hook for a broken one", h.Trigger))
		problems[len(problems)-1].File = h.File
	}
	return problems
}

// why says why a hook runs on no event at all.
func (s *Set) why(h *Hook) string {
	switch h.Status {
	case Foreign:
		return "its HOOK.md belongs to another program"
	case Broken:
		for _, p := range h.Problems {
			if p.Fatal {
				return p.String()
			}
		}
	case Overridden:
		return "the " + h.OverriddenBy + " stands in its place"
	case Disabled:
		if h.DisabledBy == "" {
			return "[builtin." + h.Behaviour + "] is not enabled"
		}
		return "it is switched off by " + h.DisabledBy
	case Untrusted:
		if h.Refused != "" {
			return "it was refused as it is on " + h.Refused + ": agents-hooks trust asks again"
		}
		if h.Changed {
			return "it has changed since you approved it: agents-hooks trust shows how"
		}
		return "nobody has approved it as it is: agents-hooks trust"
	}
	return string(h.Status)
}
