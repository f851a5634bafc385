package shell

import "slices"

// A Check is one check of a behaviour's doctor, as --json prints it.
type Check struct {
	ID      string `json:"id"`
	Status  string `json:"status"` // ok, off, warn, error
	Message string `json:"message"`
	Fix     string `json:"fix"`
}

// Checks prints checks for people.
func (sh *Shell) Checks(list []Check) {
	for _, m := range list {
		sh.Printf("  %-5s %-8s %s\n", m.Status, m.ID, m.Message)
		if m.Fix != "" {
			sh.Printf("                 fix: %s\n", m.Fix)
		}
	}
}

// AnyError reports whether a check found an error.
func AnyError(list []Check) bool {
	return slices.ContainsFunc(list, func(m Check) bool { return m.Status == "error" })
}
