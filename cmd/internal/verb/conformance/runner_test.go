package conformance

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/agents-hooks/agents-hooks/conformance"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Who is judged is this program, unless a claim, a command or a flag names
// another one; flags lie over the claim.
func TestSubject(t *testing.T) {
	cases, err := conformance.Cases()
	must.Do(t, err)
	claim := filepath.Join(t.TempDir(), "claim.json")
	must.Write(t, claim, `{"name": "theirs", "run": ["their-run"], "parse": ["their-parse"], "agents": ["codex"]}`)
	for _, tc := range []struct {
		name            string
		o               runnerOptions
		run, parse      []string
		agents          []string
		self, noSubject bool
	}{
		{name: "nothing said", self: true},
		{name: "a command", o: runnerOptions{command: []string{"r", "x"}}, run: []string{"r", "x"}},
		{name: "a flag alone", o: runnerOptions{commands: map[string][]string{"parse": {"p"}}}, parse: []string{"p"}},
		{name: "a claim", o: runnerOptions{claimed: true, claim: claim}, run: []string{"their-run"}, parse: []string{"their-parse"}, agents: []string{"codex"}},
		{name: "flags over a claim", o: runnerOptions{claimed: true, claim: claim, agents: []string{"goose"}, command: []string{"r"}, commands: map[string][]string{"parse": {"p"}}},
			run: []string{"r"}, parse: []string{"p"}, agents: []string{"goose"}},
		{name: "a parser's command", o: runnerOptions{profiles: []string{"parser"}, command: []string{"p"}}, parse: []string{"p"}},
		{name: "a claim without a name", o: runnerOptions{claimed: true}, noSubject: true},
		{name: "no such profile", o: runnerOptions{profiles: []string{"nope"}}, noSubject: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := subject("/bin/self", tc.o, cases)
			if (err != nil) != tc.noSubject {
				t.Errorf("%s: %v", tc.name, err)
			}
			if err != nil {
				return
			}
			if tc.self {
				if len(s.Run) == 0 || s.Run[0] != "/bin/self" {
					t.Errorf("%s: %v", tc.name, s.Run)
				}
				return
			}
			if !slices.Equal(s.Run, tc.run) || !slices.Equal(s.Parse, tc.parse) || !slices.Equal(s.Agents, tc.agents) {
				t.Errorf("%s: run %q, parse %q, agents %q", tc.name, s.Run, s.Parse, s.Agents)
			}
		})
	}
}
