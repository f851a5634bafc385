//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
)

// A Row is one cell of the table: an agent, its version, a capability, and the result
// of the suite.
type Row struct {
	Agent      string `json:"agent"`
	Version    string `json:"version"`
	Capability string `json:"capability"`
	Result     string `json:"result"` // yes, no, cannot, skipped
	Note       string `json:"note,omitempty"`
}

// A Report collects the rows of a run.
type Report struct {
	mu   sync.Mutex
	rows []Row
}

func (r *Report) add(row Row) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows = append(r.rows, row)
}

// Sort sorts the rows in the order of the recipes and of the capabilities.
func (r *Report) Sort(agents []*Agent, capabilities []string) {
	place := func(row Row) int {
		a := slices.IndexFunc(agents, func(a *Agent) bool { return a.Column() == row.Agent })
		return a*(len(capabilities)+1) + slices.Index(capabilities, row.Capability)
	}
	slices.SortStableFunc(r.rows, func(x, y Row) int { return place(x) - place(y) })
}

// Write prints the table: a line for each capability, a column for each agent.
func (r *Report) Write(w io.Writer) {
	var agents, capabilities []string
	cell, heads, seen := map[string]Row{}, map[string]string{}, map[string]bool{}
	for _, row := range r.rows {
		if heads[row.Agent] == "" {
			agents = append(agents, row.Agent)
			heads[row.Agent] = row.Agent + " " + row.Version
		}
		if !seen[row.Capability] {
			seen[row.Capability] = true
			capabilities = append(capabilities, row.Capability)
		}
		cell[row.Capability+"\x00"+row.Agent] = row
	}
	if len(agents) == 0 {
		return
	}
	table := [][]string{{"capability"}}
	for _, a := range agents {
		table[0] = append(table[0], heads[a])
	}
	var notes []note
	for _, c := range capabilities {
		line := []string{c}
		for _, a := range agents {
			row, ok := cell[c+"\x00"+a]
			if !ok {
				row.Result = "-"
			}
			line = append(line, row.Result)
			if row.Note != "" {
				notes = addNote(notes, c, row.Note, a)
			}
		}
		table = append(table, line)
	}
	writeTable(w, table)
	if len(notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, n := range notes {
		fmt.Fprintf(w, "%s: %s: %s\n", n.capability, strings.Join(n.agents, ", "), n.text)
	}
}

// A note says why a cell is not a plain "yes", for all agents to which it applies.
type note struct {
	capability, text string
	agents           []string
}

func addNote(notes []note, capability, text, agent string) []note {
	for i, n := range notes {
		if n.capability == capability && n.text == text {
			notes[i].agents = append(n.agents, agent)
			return notes
		}
	}
	return append(notes, note{capability, text, []string{agent}})
}

// writeTable prints lines as a Markdown table with even columns.
func writeTable(w io.Writer, table [][]string) {
	width := make([]int, len(table[0]))
	for _, line := range table {
		for i, c := range line {
			width[i] = max(width[i], len(c))
		}
	}
	fmt.Fprintln(w)
	for n, line := range table {
		for i, c := range line {
			fmt.Fprintf(w, "| %-*s ", width[i], c)
		}
		fmt.Fprintln(w, "|")
		if n == 0 {
			for _, k := range width {
				fmt.Fprintf(w, "|%s", strings.Repeat("-", k+2))
			}
			fmt.Fprintln(w, "|")
		}
	}
}

// Save writes the rows as JSON.
func (r *Report) Save(name string) error {
	data, err := json.MarshalIndent(map[string]any{"schema": 1, "rows": r.rows, "not_run": Unruns()}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(data, '\n'), 0o644)
}
