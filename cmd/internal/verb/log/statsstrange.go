package log

import (
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/strange"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// An oddity is something that an agent sent and we do not know, and how often.
type oddity struct {
	Agent   string    `json:"agent"`
	Kind    string    `json:"kind"`
	Event   string    `json:"event"`
	Field   string    `json:"field"`
	Version string    `json:"version"`
	Count   int       `json:"count"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`

	sentence string
}

// oddities are the oddities of the agents and days that f picks; a filter by hook or project
// picks none.
func oddities(sh *shell.Shell, f runlog.Filter) []oddity {
	list := []oddity{}
	if f.Hook != "" || len(f.Project) > 0 {
		return list
	}
	state := sh.Host.State
	_ = strange.Settle(state, agents.All(), sh.Host.Now()) // what cannot be counted now is counted later
	for _, agent := range strange.Agents(state) {
		if f.Agent != "" && f.Agent != agent {
			continue
		}
		for _, r := range strange.Rows(state, agent) {
			if n := r.Count(f.Since); n > 0 {
				list = append(list, oddity{agent, r.Kind, r.Event, r.Field, r.Version, n, r.First, r.Last, r.Sentence()})
			}
		}
	}
	return list
}

// printStrange prints them, with what can be done.
func printStrange(sh *shell.Shell, list []oddity, width int) {
	if len(list) == 0 {
		return
	}
	sh.Printf("\n%s\n", sh.Paint(shell.Bold, "not known here"))
	for _, o := range list {
		sh.Printf("  %s\n", text.Wrap(shell.Plain(o.Agent+": "+o.sentence+" ("+text.Count(o.Count, "time")+")"), width-3, "    "))
	}
	sh.Hints([]string{"agents-hooks record --share FILE makes a file of it for an issue, without paths and prompts"})
}
