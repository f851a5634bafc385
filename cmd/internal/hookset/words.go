package hookset

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// Agents completes the id of an agent.
func Agents(shell.Line) (list []shell.Suggestion, kind shell.Kind) {
	for _, d := range Installable() {
		list = append(list, shell.Suggestion{Word: d.ID, Text: d.Name})
	}
	return list, ""
}

// Events completes an event of the format.
func Events(shell.Line) (list []shell.Suggestion, kind shell.Kind) {
	for _, e := range protocol.EventTypes() {
		list = append(list, shell.Suggestion{Word: string(e)})
	}
	return list, ""
}

// NativeEvents completes an event of the agent that --agent names, or of the
// format.
func NativeEvents(l shell.Line) (list []shell.Suggestion, kind shell.Kind) {
	d, ok := agents.Lookup(l.Flag("agent"))
	if !ok || l.Flag("agent") == "" {
		return Events(l)
	}
	for _, n := range d.Natives {
		list = append(list, shell.Suggestion{Word: n.Name, Text: string(n.Feeds[0])})
	}
	return list, ""
}

// Tools completes the portable name of a tool.
func Tools(l shell.Line) ([]shell.Suggestion, shell.Kind) { return shell.Fixed(PortableTools()...)(l) }

// Hooks completes the name of a hook that counts here.
func Hooks(sh *shell.Shell) shell.Words {
	return func(shell.Line) (list []shell.Suggestion, kind shell.Kind) {
		seen := map[string]bool{}
		for _, h := range Set(sh, sh.Host.WorkDir).Hooks {
			if h.Status != discovery.Foreign && protocol.ValidName(h.Name) && !seen[h.Name] {
				seen[h.Name] = true
				list = append(list, shell.Suggestion{Word: h.Name, Text: h.Description})
			}
		}
		return list, ""
	}
}
