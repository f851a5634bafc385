package conformance

import (
	"fmt"
	"io"
	"strings"

	"github.com/agents-hooks/agents-hooks/spec"
)

// Text writes a report for people: each failure with the sentences it is about,
// what went in, what was wanted and what came; then the count.
func (r *Report) Text(w io.Writer, verbose bool) {
	for i := range r.Cases {
		c := &r.Cases[i]
		switch c.Result {
		case Failed, Broken:
			c.text(w)
		case Skipped:
			if verbose {
				fmt.Fprintf(w, "skip  %s  %s\n      %s\n", c.ID, c.Title, c.Reason)
			}
		case Passed:
			if verbose {
				fmt.Fprintf(w, "pass  %s  %s\n", c.ID, c.Title)
			}
		}
	}
	r.summary(w)
}

func (c *Result) text(w io.Writer) {
	fmt.Fprintf(w, "%-5s %s  %s\n", c.Result, c.ID, c.Title)
	for _, id := range c.Spec {
		if q, ok := spec.Find(id); ok {
			mark := string(q.Level)
			if q.Interpretation {
				mark += ", interpretation"
			}
			fmt.Fprintf(w, "      %s (%s): %s\n", q.ID, mark, q.Text)
		}
	}
	for _, p := range c.Problems {
		step := ""
		if p.Step > 1 {
			step = fmt.Sprintf(" (step %d)", p.Step)
		}
		fmt.Fprintf(w, "    %s%s\n      wanted  %s\n      got     %s\n", p.What, step, indent(p.Want), indent(p.Got))
	}
	for _, part := range []struct{ name, text string }{{"stdin", c.Stdin}, {"stdout", c.Stdout}, {"stderr", c.Stderr}} {
		if part.text != "" {
			fmt.Fprintf(w, "    %s\n      %s\n", part.name, indent(part.text))
		}
	}
	fmt.Fprintf(w, "    the case: agents-hooks conformance list --show %s\n\n", c.ID)
}

func indent(s string) string {
	return strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n              ")
}

func (r *Report) summary(w io.Writer) {
	claims := make([]string, len(r.Subject.Claims))
	for i, p := range r.Subject.Claims {
		claims[i] = string(p)
	}
	fmt.Fprintf(w, "%s claims %s\n", r.Subject.Name, strings.Join(claims, ", "))
	fmt.Fprintf(w, "%d passed, %d failed, %d skipped", r.Totals[Passed], r.Totals[Failed], r.Totals[Skipped])
	if r.Totals[Broken] > 0 {
		fmt.Fprintf(w, ", %d could not be run", r.Totals[Broken])
	}
	fmt.Fprintf(w, "; suite %s (%s), specification %s\n", r.Suite, r.Hash, r.Spec)
	for _, reason := range sortedKeys(r.Skips) {
		fmt.Fprintf(w, "  skipped %d: %s\n", r.Skips[reason], reason)
	}
}
