package conformance

import (
	"fmt"
	"io"
	"strings"
)

// Text writes the report for people: what is not as it should be, and of the rest
// how much there was. verbose writes all of it.
func (r *HookReport) Text(w io.Writer, verbose bool) {
	fmt.Fprintf(w, "%s (%s)\n", r.Name, r.Dir)
	passed := map[string]int{}
	for _, c := range r.Checks {
		kind, _, more := strings.Cut(c.Check, " ")
		if c.Result == Passed && more && !verbose {
			passed[kind]++
			continue
		}
		fmt.Fprintf(w, "  %-4s  %s", c.Result, c.Check)
		if c.Spec != "" && c.Result != Passed {
			fmt.Fprintf(w, " (%s)", c.Spec)
		}
		fmt.Fprintln(w)
		if c.Detail != "" {
			fmt.Fprintf(w, "        %s\n", strings.ReplaceAll(strings.TrimRight(c.Detail, "\n"), "\n", "\n        "))
		}
	}
	for _, kind := range sortedKeys(passed) {
		fmt.Fprintf(w, "  pass  %d checks of the kind %s\n", passed[kind], kind)
	}
	r.agentsText(w, verbose)
}

// agentsText writes what the agents make of the hook: in one line those that make
// all of it.
func (r *HookReport) agentsText(w io.Writer, verbose bool) {
	whole, calls := []string{}, 0
	for _, a := range r.Agents {
		what := ""
		switch {
		case len(a.Native) == 0:
			what = "never: it has no such event"
		default:
			what = "on " + strings.Join(a.Native, ", ")
			if a.Calls > 0 {
				what += fmt.Sprintf(", %d calls", a.Calls)
			}
			if len(a.Without) > 0 {
				what += ", without " + strings.Join(a.Without, ", ")
			}
			if len(a.Missed) > 0 {
				what += ", does not hold for " + strings.Join(a.Missed, ", ")
			}
			if len(a.Without)+len(a.Missed) == 0 && !verbose {
				whole, calls = append(whole, a.ID), calls+a.Calls
				continue
			}
		}
		fmt.Fprintf(w, "  %-14s %s\n", a.ID, what)
	}
	if len(whole) > 0 {
		fmt.Fprintf(w, "  %d of %d agents make all of it, in %d calls of their own tools\n", len(whole), len(r.Agents), calls)
	}
}
