package hooks

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// invokedByPrompt are the skills that a prompt calls: /NAME at its beginning, or
// $NAME anywhere.
func invokedByPrompt(prompt string, list []Found) (names []string) {
	for i, w := range strings.Fields(prompt) {
		name, slash := strings.CutPrefix(w, "/")
		if !slash || i > 0 {
			if name, slash = strings.CutPrefix(w, "$"); !slash {
				continue
			}
			name = strings.TrimRight(name, ".,;:!?)")
		}
		// A skill of a plugin is called by both names.
		if _, last, ok := strings.Cut(name, ":"); ok {
			name = last
		}
		if known(list, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// invokedByTool are the skills that a tool call invokes: one of the tool that is
// for it, or the reading of a skill's own page by any tool, which is how agents
// without such a tool do it.
func invokedByTool(ev protocol.Object, tool []string, list []Found) (names []string) {
	add := func(name string) {
		if _, last, ok := strings.Cut(name, ":"); ok {
			name = last
		}
		if known(list, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	input := ev.Sub("tool_input")
	if slices.ContainsFunc(tool, func(name string) bool { return strings.EqualFold(name, "skill") }) {
		for _, key := range [...]string{"skill", "name", "command", "skill_name"} {
			name, _, _ := strings.Cut(strings.TrimPrefix(input.Text(key), "/"), " ")
			add(name)
		}
	}
	for _, key := range [...]string{"file_path", "command"} {
		text := strings.ReplaceAll(input.Text(key), `\`, "/")
		for {
			before, after, found := strings.Cut(text, "/SKILL.md")
			if !found {
				break
			}
			add(before[strings.LastIndexAny(before, "/ '\"")+1:])
			text = after
		}
	}
	return names
}

func known(list []Found, name string) bool {
	return slices.ContainsFunc(list, func(f Found) bool { return f.Name == name })
}
