package conformance

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/order"
)

// Text writes the report for people: what is not as it should be, and of the rest
// how much there was. verbose writes all of it.
func (r *HookReport) Text(w io.Writer, verbose bool) {
	fmt.Fprintf(w, "%s (%s)\n", r.Name, r.Dir)
	passed := map[string]int{}
	checks := slices.Clone(r.Checks)
	worst := []string{Failed, Warned, Passed} // what to mend comes first
	order.By(checks, func(a, b HookCheck) int {
		return slices.Index(worst, a.Result) - slices.Index(worst, b.Result)
	})
	for _, c := range checks {
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
		fmt.Fprintf(w, "  pass  %s of the kind %s\n", counted(passed[kind], "check"), kind)
	}
	r.agentsText(w, verbose)
}

// agentsText writes what the agents make of the hook: those of which the same is to be
// said in one line.
func (r *HookReport) agentsText(w io.Writer, verbose bool) {
	whole, calls := 0, 0
	var lines []string
	of := map[string][]string{}
	for _, a := range r.Agents {
		what := ""
		switch {
		case len(a.Native) == 0:
			what = "never: it has no such event"
		case verbose:
			what = "on " + strings.Join(a.Native, ", ")
			if a.Calls > 0 {
				what += fmt.Sprintf(", %s", counted(a.Calls, "call"))
			}
		}
		if len(a.Without) > 0 {
			what += ", without " + strings.Join(a.Without, ", ")
		}
		switch {
		case len(a.Missed) > 0 && verbose:
			what += ", does not hold for " + strings.Join(a.Missed, ", ")
		case len(a.Missed) > 0:
			what += ", does not hold for some of its own tools (--verbose names them)"
		}
		if what = strings.TrimPrefix(what, ", "); what == "" {
			whole, calls = whole+1, calls+a.Calls
			continue
		}
		if of[what] == nil || verbose {
			lines = append(lines, what)
		}
		if verbose {
			fmt.Fprintf(w, "  %-14s %s\n", a.ID, what)
		}
		of[what] = append(of[what], a.ID)
	}
	if verbose {
		return
	}
	for _, what := range lines {
		fmt.Fprintf(w, "  %s: %s\n", strings.Join(of[what], ", "), what)
	}
	if whole > 0 {
		fmt.Fprintf(w, "  %d of %s make all of it, in %s of their own tools\n", whole, counted(len(r.Agents), "agent"), counted(calls, "call"))
	}
}

// counted is a number of things.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
