package agents

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func printAgents(sh *shell.Shell, rows []row) {
	for i, r := range rows {
		if i > 0 {
			sh.Printf("\n")
		}
		printAgent(sh, r)
	}
	sh.Printf("\nby: o observed on the running agent, s read in its source, d documented\n")
}

func printAgent(sh *shell.Shell, r row) {
	sh.Printf("%s (%s)\n", r.Name, r.ID)
	sh.Printf("  proven on  %s\n", cmp.Or(r.Observed, "nothing yet: from its documentation alone"))
	if r.Version != "" {
		sh.Printf("  found here %s\n", shell.Plain(r.Version))
	}
	sh.Printf("  user       %s\n", sh.Short(r.Config.User))
	sh.Printf("  project    %s\n", sh.Short(cmp.Or(r.Config.Project, "none")))
	width, native := len("event"), len("native")
	for _, e := range r.Events {
		width, native = max(width, len(e.Event)), max(native, len(e.Native))
	}
	sh.Printf("  %-*s %-*s by can\n", width, "event", native, "native")
	for _, e := range r.Events {
		can := cmp.Or(strings.Join(e.Can, " "), "-")
		sh.Printf("  %-*s %-*s %-2.1s %s\n", width, e.Event, native, e.Native, e.Source, can)
	}
	label := "skills"
	for _, f := range r.Skills {
		sh.Printf("  %-10s %-18s %s: %s\n", label, f.Timing, f.Fidelity, f.Detail)
		label = ""
	}
}
