package doctor

import (
	"fmt"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// report prints checks; an error among them makes the command fail.
func report(sh *shell.Shell, checks []check, asJSON bool) error {
	if err := sh.Answer(asJSON, map[string]any{"schema": 1, "checks": checks}, func() { printChecks(sh, checks) }); err != nil {
		return err
	}
	if slices.ContainsFunc(checks, func(c check) bool { return c.Status == checkError }) {
		return shell.ErrReported
	}
	return nil
}

func printChecks(sh *shell.Shell, checks []check) {
	if len(checks) > 0 && checks[0].ID == "guards" {
		sh.Printf("%s\n", text.Wrap(sentence(checks[0].Message)+".", sh.Columns(), ""))
		if checks[0].Fix != "" {
			sh.Printf("%s\n", text.Wrap("fix: "+checks[0].Fix, sh.Columns(), "     "))
		}
		sh.Printf("\n")
		checks = checks[1:]
	}
	groups := byFix(checks)
	for i, group := range groups {
		if agent := group[0].Agent; i == 0 || agent != groups[i-1][0].Agent {
			if i > 0 {
				sh.Printf("\n")
			}
			sh.Printf("%s\n", sh.Paint(shell.Bold, title(agent)))
		}
		printGroup(sh, group)
	}
}

// printGroup prints checks that have the same fix, with the fix once.
func printGroup(sh *shell.Shell, group []check) {
	const indent = "                    "
	for _, c := range group {
		sh.Printf("  %s %-11s %s\n", mark(sh, c.Status), c.ID, text.Wrap(c.Message, sh.Columns()-20, indent))
	}
	if group[0].Fix == "" {
		return
	}
	fix := "fix"
	switch n := len(group); n {
	case 1:
	case 2:
		fix = "fix for both"
	default:
		fix = fmt.Sprintf("fix for these %d", n)
	}
	sh.Printf("%s%s\n", indent, text.Wrap(fix+": "+group[0].Fix, sh.Columns()-20, indent))
}

// byFix groups checks of one agent that have the same fix, at the position of the first one.
func byFix(checks []check) [][]check {
	var groups [][]check
	for _, c := range checks {
		i := slices.IndexFunc(groups, func(g []check) bool { return c.Fix != "" && g[0].Fix == c.Fix && g[0].Agent == c.Agent })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
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
