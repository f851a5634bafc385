package conformance

import "slices"

// Self is the claim of agents-hooks: everything, for every agent that there are
// cases for.
func Self(program, version string, cases []Case) Subject {
	var agents []string
	for _, c := range cases {
		if c.Agent != "" && !slices.Contains(agents, c.Agent) {
			agents = append(agents, c.Agent)
		}
	}
	// What plays an agent is no part of this program.
	profiles := slices.DeleteFunc(Profiles(), func(p Profile) bool { return p == AgentLoop })
	return Subject{
		Name: "agents-hooks", Version: version, Agents: agents, Profiles: profiles,
		Run:       []string{program, "run"},
		PlaceArgs: []string{"--home=@HOME@", "--config=@CONFIG@", "--system=@SYSTEM@"},
		Parse:     []string{program, "list", "--json"},
		List:      []string{program, "list", "--json"},
		Validate:  []string{program, "validate", "--json"},
		Approve:   []string{program, "trust", "--yes"},
	}
}
