package agents

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// canLetters are the letters of a table cell, one for each capability, in the order of
// [protocol.Can].
var canLetters = [...]struct{ letter, word, means string }{
	{"B", "block", "keep it from happening; at a stop, make the agent go on"},
	{"A", "ask", "have the user asked"},
	{"M", "modify", "replace the tool's input"},
	{"C", "context", "give the model a text"},
	{"G", "continue", "make the agent go on after a stop, with a text"},
	{"P", "message", "show the user a text"},
	{"Y", "allow", "give a permission in the user's place"},
	{"R", "output", "replace what the model reads of a result"},
}

// cells say what a hook can do at each event of an agent.
func cells(d *protocol.Dialect) []string {
	events := eventsOf(d)
	var row []string
	for _, e := range protocol.EventTypes() {
		row = append(row, cell(events, e))
	}
	return row
}

// cell says what a hook can do at an event, over all native events that map to it: letters,
// lower-case ones if that was documented or read in the source and not observed; a dot if a
// hook can only observe, a dash if there is no such event.
func cell(events []event, want protocol.EventType) string {
	found, out := false, ""
	for _, l := range canLetters {
		can, observed := false, false
		for _, e := range events {
			if e.Event != string(want) {
				continue
			}
			found = true
			if slices.Contains(e.Can, l.word) {
				can = true
				observed = observed || e.Source == "observed"
			}
		}
		switch {
		case can && observed:
			out += l.letter
		case can:
			out += strings.ToLower(l.letter)
		}
	}
	switch {
	case !found:
		return "-"
	case out == "":
		return "."
	}
	return out
}

// printMatrix prints the agents side by side, with events as numbered columns.
func printMatrix(sh *shell.Shell, list []*protocol.Dialect) {
	events := protocol.EventTypes()
	rows := [][]string{{"agent"}}
	for i := range events {
		rows[0] = append(rows[0], fmt.Sprint(i+1))
	}
	for _, d := range list {
		rows = append(rows, append([]string{d.ID}, cells(d)...))
	}
	width := make([]int, len(events)+1)
	for _, row := range rows {
		for i, c := range row {
			width[i] = max(width[i], len(c))
		}
	}
	sh.Printf("What a hook can do in each agent: a row an agent, a column an event.\n\n")
	for i, e := range events {
		if i%3 == 2 || i+1 == len(events) {
			sh.Printf("%2d %s\n", i+1, e)
			continue
		}
		sh.Printf("%2d %-22s", i+1, e)
	}
	sh.Printf("\n")
	for _, row := range rows {
		line := ""
		for i, c := range row {
			line += fmt.Sprintf("%-*s ", width[i], c)
		}
		sh.Printf("%s\n", strings.TrimRight(line, " "))
	}
	sh.Printf("\n")
	for _, l := range canLetters {
		sh.Printf("%s  %-8s  %s\n", l.letter, l.word, l.means)
	}
	sh.Printf("\nA small letter was not observed, but documented or read in the agent's source.\n" +
		". a hook can only observe, - the agent has no such event\n" +
		"agents-hooks agents AGENT tells more.\n")
}
