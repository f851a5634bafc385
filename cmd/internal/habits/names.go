package habits

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A foreign name is one that agents have for something with a portable name.
type foreign struct {
	means  []string // the portable names, the most common first
	agents []string // names of the agents
}

// who says whose name it is.
func (f foreign) who() string {
	if len(f.agents) > 2 {
		return strings.Join(f.agents[:2], ", ") + " and others"
	}
	return strings.Join(f.agents, " and ")
}

// expression is what a matcher says in its place.
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

// namesOfTools are what agents call the tools that have a portable name, each under
// the name as it is written. A name that is a portable one itself is none.
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

// namesOfEvents are what agents call the events of the format, each under its
// letters alone. Of several that a name becomes the one that most agents mean counts.
func namesOfEvents() map[string]foreign {
	names, votes := map[string]foreign{}, map[string]map[string]int{}
	for _, d := range agents.All() {
		for _, n := range d.Natives {
			if len(n.Feeds) == 0 {
				continue
			}
			at := plain(n.Name)
			names[at] = names[at].with(string(n.Feeds[0]), d.Name)
			if votes[at] == nil {
				votes[at] = map[string]int{}
			}
			votes[at][string(n.Feeds[0])]++
		}
	}
	for at, f := range names {
		slices.SortStableFunc(f.means, func(a, b string) int { return votes[at][b] - votes[at][a] })
	}
	return names
}

// plain is a name without what people write differently.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == '_' || r == '.' || r == ' ':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, name)
}
