// Package checkup has the rows that the doctors of single behaviours return, such as
// memory doctor, how they are printed, and when the command fails. The doctor of the
// whole program has its own rows, which name agents.
package checkup

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A Check is one row, as --json prints it.
type Check struct {
	ID      string `json:"id"`
	Status  string `json:"status"` // ok, off, warn, error
	Message string `json:"message"`
	Fix     string `json:"fix"`
}

// indent is below the message of a row.
const indent = "                 "

// Report prints checks: doc with --json, else below a line that says what was checked. It
// fails if one of them is an error.
func Report(sh *shell.Shell, asJSON bool, doc map[string]any, heading string, checks []Check) error {
	for i := range checks {
		checks[i].Fix = sh.Carried(checks[i].Fix)
	}
	doc["schema"], doc["checks"] = 1, checks
	err := sh.Answer(asJSON, doc, func() {
		sh.Printf("%s\n", heading)
		for _, c := range checks {
			sh.Printf("  %-5s %-8s %s\n", c.Status, c.ID, text.Wrap(sh.Tidy(c.Message), sh.Columns()-len(indent), indent))
			if c.Fix != "" {
				sh.Printf("%sfix: %s\n", indent, c.Fix)
			}
		}
	})
	if err == nil && slices.ContainsFunc(checks, func(c Check) bool { return c.Status == "error" }) {
		return shell.ErrReported
	}
	return err
}
