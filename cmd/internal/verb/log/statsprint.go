package log

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func printStats(sh *shell.Shell, s *stats) {
	for _, file := range s.NotRead {
		sh.Say("stats: could not be read: %s", file)
	}
	sh.Printf("%s to %s: %s in %s, %d blocked, %d asked\n", s.Since.Local().Format(time.DateOnly), lastDay(s).Format(time.DateOnly),
		text.Count(s.Events, "event"), text.Count(s.Sessions, "session"), s.Blocked, s.Asked)
	if s.LogFrom != nil && s.LogFrom.After(s.Since) {
		sh.Printf("%s\n", sh.Paint(shell.Dim, "the log begins with "+s.LogFrom.Format(time.DateOnly)))
	}
	width := min(sh.Width(), 120)
	printHooks(sh, s.Hooks, width)
	printCounts(sh, "agent", s.Agents, width, func(name string) string { return cmp.Or(name, "spec") })
	const mostProjects = 10
	if len(s.Projects) > 1 {
		printCounts(sh, "project", s.Projects[:min(len(s.Projects), mostProjects)], width, func(dir string) string { return tail(cmp.Or(sh.Short(dir), "none"), 14) })
	}
	printCounts(sh, "day", s.Days, width, func(day string) string {
		at, _ := time.Parse(time.DateOnly, day)
		return at.Format("2006-01-02 Mon")
	})
	if len(s.Slowest) > 0 {
		sh.Printf("\n%s\n", sh.Paint(shell.Bold, "slowest runs"))
		for _, r := range s.Slowest {
			line := fmt.Sprintf("%9s  %s  ", took(r.Took), r.At.Local().Format(time.DateTime))
			rest := width - text.Width(line+", ")
			where := text.Fit(shell.Plain(cmp.Or(r.Agent, "spec")+" "+r.Event), max(1, rest-8))
			sh.Printf("%s%s, %s\n", line, text.Fit(shell.Plain(r.Hook), min(40, max(1, rest-text.Width(where)))), where)
		}
	}
	printStrange(sh, s.Strange, width)
	if len(s.Never) > 0 {
		var names []string
		for _, h := range s.Never {
			names = append(names, shell.Plain(h.Name))
		}
		sh.Printf("\n%s\n  %s\n", sh.Paint(shell.Bold, "not once since "+s.Since.Local().Format(time.DateOnly)+", of those that could run here"),
			text.Wrap(strings.Join(names, ", "), width-3, "  "))
		sh.Hints([]string{"why one does not run: agents-hooks explain --last, docs/troubleshooting.md"})
	}
}

// lastDay is the last day of the period.
func lastDay(s *stats) time.Time { return s.Until.Add(-1).Local() }

// A column of figures, shown if the screen has at least so many columns.
type column[T any] struct {
	title  string
	places int
	least  int
	value  func(T) string
}

// printHooks prints the table of hooks; its bars show each hook's total time.
func printHooks(sh *shell.Shell, hooks []hookStats, width int) {
	most, longest := ms(1), len("hook")
	for _, h := range hooks {
		most, longest = max(most, h.Total), max(longest, text.Width(shell.Plain(h.Name)))
	}
	table(sh, hooks, width, "hook", longest, func(h hookStats) (string, float64) { return h.Name, float64(h.Total) / float64(most) }, []column[hookStats]{
		{"runs", 5, 0, func(h hookStats) string { return number(h.Runs) }},
		{"block", 5, 0, func(h hookStats) string { return number(h.Blocks) }},
		{"ask", 5, 76, func(h hookStats) string { return number(h.Asks) }},
		{"fail", 5, 60, func(h hookStats) string { return number(h.Failures) }},
		{"late", 5, 60, func(h hookStats) string { return number(h.TimeOuts) }},
		{"median", 8, 76, func(h hookStats) string { return took(h.Median) }},
		{"p95", 8, 0, func(h hookStats) string { return took(h.P95) }},
		{"total", 8, 0, func(h hookStats) string { return took(h.Total) }},
	})
}

// printCounts prints a table of agents, projects or days; its bars show their events.
func printCounts(sh *shell.Shell, what string, list []countedBy, width int, name func(string) string) {
	most := 1
	for _, c := range list {
		most = max(most, c.Events)
	}
	const longest = 14
	table(sh, list, width, what, longest, func(c countedBy) (string, float64) { return name(c.Name), float64(c.Events) / float64(most) }, []column[countedBy]{
		{"events", 7, 0, func(c countedBy) string { return number(c.Events) }},
		{"blocked", 7, 0, func(c countedBy) string { return number(c.Blocked) }},
		{"asked", 7, 76, func(c countedBy) string { return number(c.Asked) }},
		{"failed", 7, 60, func(c countedBy) string { return number(c.Failures) }},
		{"median", 8, 76, func(c countedBy) string { return took(c.Median) }},
		{"p95", 8, 60, func(c countedBy) string { return took(c.P95) }},
	})
}

// table prints rows: a name, figures, and a bar in the rest of the line.
func table[T any](sh *shell.Shell, rows []T, width int, what string, longest int, of func(T) (name string, part float64), columns []column[T]) {
	if len(rows) == 0 {
		return
	}
	columns = slices.DeleteFunc(columns, func(c column[T]) bool { return width < c.least })
	figures, titles := 0, ""
	for _, c := range columns {
		figures += 1 + c.places
		titles += fmt.Sprintf(" %*s", c.places, c.title)
	}
	const leastBar = 8
	name := max(8, min(longest, width-figures-leastBar))
	sh.Printf("\n%s\n", sh.Paint(shell.Bold, text.Pad(what, name)+titles))
	for _, r := range rows {
		called, part := of(r)
		line := text.Pad(text.Fit(shell.Plain(called), name), name)
		for _, c := range columns {
			line += fmt.Sprintf(" %*s", c.places, c.value(r))
		}
		ascii := plainLocale(sh)
		if ascii {
			line = strings.ReplaceAll(line, "·", "-")
		}
		sh.Printf("%s\n", strings.TrimRight(line+" "+bar(part, width-name-figures-1, ascii), " "))
	}
}

// tail is the end of a path, in at most so many columns.
func tail(path string, columns int) string {
	for text.Width(path) > columns {
		rest := strings.TrimPrefix(path, "…")
		_, n := utf8.DecodeRuneInString(rest)
		path = "…" + rest[n:]
	}
	return path
}

// number is a count in five columns; zero is a dot, so that the other figures stand out.
func number(n int) string {
	switch {
	case n == 0:
		return "·"
	case n < 100_000:
		return fmt.Sprint(n)
	case n < 10_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%dM", n/1_000_000)
}

// took is a duration in seven columns.
func took(d ms) string {
	switch t := time.Duration(d); {
	case t < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(t)/float64(time.Millisecond))
	case t < time.Second:
		return fmt.Sprintf("%d ms", t.Milliseconds())
	case t < 100*time.Second:
		return fmt.Sprintf("%.1f s", t.Seconds())
	case t < 100*time.Minute:
		return fmt.Sprintf("%.0f min", t.Minutes())
	}
	return fmt.Sprintf("%.1f h", time.Duration(d).Hours())
}

// plainLocale reports whether the user wants only ASCII, as with LC_ALL=C.
func plainLocale(sh *shell.Shell) bool {
	locale := cmp.Or(sh.Host.Getenv("LC_ALL"), sh.Host.Getenv("LC_CTYPE"), sh.Host.Getenv("LANG"))
	return locale == "C" || locale == "POSIX"
}

// bar shows a fraction in so many columns, to an eighth of a column, or to a whole one in
// ASCII. Any value above zero is visible.
func bar(part float64, columns int, ascii bool) string {
	if columns < 3 || part <= 0 {
		return ""
	}
	if ascii {
		return strings.Repeat("#", max(1, int(part*float64(columns)+0.5)))
	}
	eighths := max(1, int(part*float64(columns)*8+0.5))
	last := ""
	if rest := eighths % 8; rest > 0 {
		last = string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return strings.Repeat("█", eighths/8) + last
}
