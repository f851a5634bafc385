package conformance

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/spec"
)

// Markdown writes the results of one or more subjects as a page: each
// requirement with its cases, and what became of each. specURL leads to SPEC.md.
func Markdown(w io.Writer, cases []Case, specURL string, reports ...*Report) {
	fmt.Fprintf(w, "Suite %s, specification %s, %d cases for %d requirements.\n\n", Version, spec.Version, len(cases), len(spec.Requirements()))
	fmt.Fprintf(w, "| subject | claims | passed | failed | skipped |\n|---|---|---|---|---|\n")
	for _, r := range reports {
		claims := make([]string, len(r.Subject.Claims))
		for i, p := range r.Subject.Claims {
			claims[i] = string(p)
		}
		marks := map[string]int{}
		for _, c := range r.Cases {
			marks[mark(c)]++
		}
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d |\n", r.Subject.Name, strings.Join(claims, ", "), marks["pass"], marks["**fail**"], marks["–"])
	}
	for _, r := range reports {
		without(w, r)
	}
	fmt.Fprintf(w, "\n– stands for what a subject does not claim. A case with a need (*needs …*) is played where the\nmachine has that, and counts as passed here.\n")
	section := ""
	byID := make([]map[string]Result, len(reports))
	for i, r := range reports {
		byID[i] = map[string]Result{}
		for _, c := range r.Cases {
			byID[i][c.ID] = c
		}
	}
	for _, q := range Cover(cases) {
		if q.Section != section {
			section = q.Section
			fmt.Fprintf(w, "\n## %s\n\n| requirement | case |", section)
			for _, r := range reports {
				fmt.Fprintf(w, " %s |", r.Subject.Name)
			}
			fmt.Fprintf(w, "\n|---|---|%s\n", strings.Repeat("---|", len(reports)))
		}
		rows(w, cases, q, specURL, byID)
	}
}

func without(w io.Writer, r *Report) {
	if len(r.Subject.Without) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s does not claim:\n\n", r.Subject.Name)
	for _, key := range sortedKeys(r.Subject.Without) {
		fmt.Fprintf(w, "- %s: %s\n", key, r.Subject.Without[key])
	}
}

// rows are the lines of one requirement.
func rows(w io.Writer, cases []Case, q Coverage, specURL string, byID []map[string]Result) {
	head := fmt.Sprintf("[%s](%s#%s) %s", q.ID, specURL, q.Anchor(), q.Level)
	if len(q.Cases) == 0 {
		fmt.Fprintf(w, "| %s | %s |%s\n", head, noCase(q.ID), strings.Repeat(" |", len(byID)))
	}
	for _, id := range q.Cases {
		i := slices.IndexFunc(cases, func(c Case) bool { return c.ID == id })
		need := ""
		for _, n := range cases[i].Needs {
			if n == "unprivileged" || n == "case-sensitive" || n == "sh-syntax-2" {
				need = " *needs " + n + "*"
			}
		}
		fmt.Fprintf(w, "| %s | %s%s |", head, id, need)
		for _, results := range byID {
			fmt.Fprintf(w, " %s |", mark(results[id]))
		}
		fmt.Fprintln(w)
		head = ""
	}
}

// mark is a result in one word. What this machine lacks is no matter of the
// subject.
func mark(r Result) string {
	switch {
	case r.Result == Skipped && strings.HasPrefix(r.Reason, lacks):
		return "pass"
	case r.Result == Skipped:
		return "–"
	case r.Result == Passed:
		return "pass"
	}
	return "**fail**"
}

// noCase says what looks at a requirement that has no case.
func noCase(id string) string {
	if how, ok := checkedByHooks[id]; ok {
		return "`conformance hook`: " + how
	}
	return "none"
}

// checkedByHooks are the sentences about hooks that `conformance hook` looks at
// and no case of a runner can.
var checkedByHooks = map[string]string{
	"HM-IO-07":  "hostile set, trial unknown",
	"HM-IO-35":  "a test that wants no stdout",
	"HM-ENV-07": "hostile set, trial elsewhere",
}
