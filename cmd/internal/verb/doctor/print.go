package doctor

import (
	"fmt"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// report prints checks; one that is an error makes the command fail.
func report(sh *shell.Shell, checks []check, asJSON bool) error {
	if asJSON {
		if err := sh.JSON(map[string]any{"schema": 1, "checks": checks}); err != nil {
			return err
		}
	} else {
		printChecks(sh, checks)
	}
	if slices.ContainsFunc(checks, func(c check) bool { return c.Status == checkError }) {
		return shell.ErrReported
	}
	return nil
}

func printChecks(sh *shell.Shell, checks []check) {
	const indent = "                    "
	if len(checks) > 0 && checks[0].ID == "guards" {
		sh.Printf("%s\n", text.Wrap(sentence(checks[0].Message)+".", sh.Columns(), ""))
		if checks[0].Fix != "" {
			sh.Printf("%s\n", text.Wrap("fix: "+checks[0].Fix, sh.Columns(), "     "))
		}
		sh.Printf("\n")
		checks = checks[1:]
	}
	for i, c := range checks {
		if i == 0 || c.Agent != checks[i-1].Agent {
			if i > 0 {
				sh.Printf("\n")
			}
			sh.Printf("%s\n", sh.Paint(shell.Bold, title(c.Agent)))
		}
		sh.Printf("  %s %-11s %s\n", mark(sh, c.Status), c.ID, text.Wrap(c.Message, sh.Columns()-20, indent))
		if c.Fix != "" {
			sh.Printf("%s%s\n", indent, text.Wrap("fix: "+c.Fix, sh.Columns()-20, indent))
		}
	}
}

func title(agent string) string {
	if agent == "" {
		return "agents-hooks " + shell.ProgramVersion()
	}
	return nameOf(agent)
}

func mark(sh *shell.Shell, s verdict) string {
	c := map[verdict]shell.Colour{checkOK: shell.Green, checkWarn: shell.Yellow, checkError: shell.Red, checkOff: shell.Dim}[s]
	return sh.Paint(c, fmt.Sprintf("%-5s", s))
}
