package e2e

import (
	"fmt"
	"io"
)

// An Unrun is an agent for which the suite has no recipe, and the reason. Its dialect
// is based on the agent's documentation or source.
type Unrun struct {
	Agent string `json:"agent"`
	Why   string `json:"why"`
}

// Unruns are the agents without a recipe.
func Unruns() []Unrun {
	return []Unrun{
		{"cursor", "it runs with an account only, and asks its maker's servers for every model"},
		{"vscode", "hooks run in its chat, which wants a window"},
		{"windsurf", "it wants a window and an account"},
		{"kimi-cli", "it is a Python program, which npm does not have; Kimi Code, which follows it, is tested"},
		{"kiro", "it runs with an account only"},
		{"amazon-q", "it runs with an account only, and is not in the npm registry"},
		{"goose", "its program is not in the npm registry"},
		{"junie", "its program is not in the npm registry, and wants an account"},
		{"devin-cli", "its program is not in the npm registry, and wants an account"},
		{"antigravity", "it wants a window and an account"},
	}
}

// WriteUnruns prints the agents that are in no table.
func WriteUnruns(w io.Writer) {
	fmt.Fprintf(w, "\nNot run:\n")
	for _, u := range Unruns() {
		fmt.Fprintf(w, "%s: %s\n", u.Agent, u.Why)
	}
}
