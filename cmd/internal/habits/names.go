package habits

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A foreign name is the agents' name for something that has a portable name.
type foreign struct {
	means  []string // the portable names, the most common first
	agents []string // names of the agents
}

// who says which agents use the name.
func (f foreign) who() string { return agents.Some(f.agents) }

// expression is what a matcher should have in its place.
func (f foreign) expression() string {
	if len(f.means) == 1 {
		return "^" + f.means[0] + "$"
	}
	return "^(" + strings.Join(f.means, "|") + ")$"
}

func (f foreign) with(means, agent string) foreign {
	if !slices.Contains(f.means, means) {
		f.means = append(f.means, means)
	}
	if !slices.Contains(f.agents, agent) {
		f.agents = append(f.agents, agent)
	}
	return f
}

// namesOfTools are the agents' names for tools that have a portable name, in their
// own spelling. Portable names themselves are left out.
func namesOfTools() map[string]foreign {
	names := map[string]foreign{}
	portable := protocol.PortableTools()
	for _, d := range agents.All() {
		for _, tool := range d.Tools {
			if slices.Contains(portable, tool.Native) {
				continue
			}
			for _, name := range append([]string{tool.Name}, tool.Also...) {
				if slices.Contains(portable, name) {
					names[tool.Native] = names[tool.Native].with(name, d.Name)
				}
			}
		}
	}
	return names
}
