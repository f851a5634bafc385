package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
)

// A Case is a session, and what should have been suggested in it.
type Case struct {
	Name    string
	About   string
	Journal journal.Journal
	Wants   []Want
}

// A Want is a suggestion that should come.
type Want struct {
	At      int // before this entry, counted from 0
	Signals []string
	Genes   []string // any of them
}

// Read reads a case.
func Read(name, text string) (Case, error) {
	c := Case{Name: name, Journal: journal.Parse(text)}
	said := false
	for line := range strings.Lines(text) {
		note, ok := strings.CutPrefix(strings.TrimSpace(line), "<!-- ")
		if !ok {
			break
		}
		note = strings.TrimSuffix(note, " -->")
		want, ok := strings.CutPrefix(note, "want: ")
		if !ok {
			c.About = note
			continue
		}
		said = true
		if want == "none" {
			continue
		}
		f := strings.Fields(want)
		at, err := strconv.Atoi(f[0])
		if err != nil || len(f) < 3 || at < 1 || at > len(c.Journal.Entries) {
			return c, fmt.Errorf("%s: %q: want an entry, a signal and genes", name, line)
		}
		c.Wants = append(c.Wants, Want{at - 1, strings.Split(f[1], ","), f[2:]})
	}
	if !said || c.About == "" || len(c.Journal.Entries) == 0 {
		return c, fmt.Errorf("%s: want what it is about, what is wanted, and entries", name)
	}
	return c, nil
}

// A Policy says for which signals to look for a gene before a command that follows some
// entries; none if the agent is left alone.
type Policy struct {
	Name string
	Asks func(before journal.Journal, command string) []string
}

// A Report is the result of a policy.
type Report struct {
	Policy      string
	Wants       int
	Hits        int // wants that were met in time
	Suggestions int
	Wrong       int // suggestions that nobody wanted
	Early       int // suggestions that were wanted, but not yet
	Entries     int // from the first failure to the suggestion, for all hits together
	Notes       []string
}

// HitRate is the share of the wants that were met.
func (r Report) HitRate() float64 { return part(r.Hits, r.Wants) }

// WrongRate is the share of the suggestions that nobody wanted.
func (r Report) WrongRate() float64 { return part(r.Wrong, r.Suggestions) }

// EarlyRate is the share of the suggestions that came before anybody was stuck.
func (r Report) EarlyRate() float64 { return part(r.Early, r.Suggestions) }

// Time is the mean number of entries from the first failure to the suggestion.
func (r Report) Time() float64 { return part(r.Entries, r.Hits) }

func part(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Table formats reports as a Markdown table.
func Table(list []Report) string {
	var b strings.Builder
	b.WriteString("| policy | hit rate | wrong suggestions | too early | time to suggestion |\n|---|---|---|---|---|\n")
	for _, r := range list {
		fmt.Fprintf(&b, "| %s | %.0f %% (%d of %d) | %.0f %% (%d of %d) | %.0f %% | %.1f entries |\n",
			r.Policy, 100*r.HitRate(), r.Hits, r.Wants, 100*r.WrongRate(), r.Wrong, r.Suggestions, 100*r.EarlyRate(), r.Time())
	}
	return b.String()
}

// Run plays cases to a policy.
func Run(cases []Case, p Policy, genes []gene.Gene) Report {
	r := Report{Policy: p.Name}
	for i := range cases {
		r.play(&cases[i], p, genes)
	}
	return r
}

// pause is how long a gene is not offered again.
const pause = 10 * time.Minute

func (r *Report) play(c *Case, p Policy, genes []gene.Gene) {
	met := make([]bool, len(c.Wants))
	asked, offered := -1, map[string]time.Duration{}
	for i := range c.Journal.Entries {
		e := &c.Journal.Entries[i]
		failures := failuresIn(c.Journal.Entries[:i])
		if e.Tool != "bash" || failures == asked {
			continue
		}
		signals := p.Asks(journal.Journal{Entries: c.Journal.Entries[:i]}, e.Command)
		if len(signals) == 0 {
			continue
		}
		asked = failures
		id := suggestion(signals, e.Command, genes)
		now := clock(e.At)
		if last, ok := offered[id]; id == "" || ok && now-last < pause {
			continue
		}
		offered[id] = now
		r.judge(c, met, i, id)
	}
	r.Wants += len(c.Wants)
	for k, w := range c.Wants {
		if !met[k] {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: nothing useful by entry %d (%s)", c.Name, w.At+1, strings.Join(w.Signals, ", ")))
		}
	}
}

// judge counts a suggestion before entry i.
func (r *Report) judge(c *Case, met []bool, i int, id string) {
	r.Suggestions++
	from := 0
	for k, w := range c.Wants {
		if !met[k] && slices.Contains(w.Genes, id) {
			first := firstFailure(c.Journal.Entries[:i], from, w.Signals)
			if first >= 0 && i <= w.At {
				met[k] = true
				r.Hits++
				r.Entries += i - first
				if i < w.At {
					r.Early++
				}
				return
			}
		}
		from = w.At
	}
	r.Wrong++
	r.Notes = append(r.Notes, fmt.Sprintf("%s: %s before entry %d was not wanted", c.Name, id, i+1))
}

// suggestion is the gene that is offered, "" if none is about the signals.
func suggestion(signals []string, command string, genes []gene.Gene) string {
	stack, stage := ops.Situation(command)
	event := gene.Signals(signals...)
	for i := range event {
		event[i].TechStack, event[i].Stage = stack, stage
	}
	var list []selector.Candidate
	for _, g := range genes {
		list = append(list, selector.Candidate{Gene: g})
	}
	c := selector.Choose(event, list, selector.Options{Creativity: selector.Creativity})
	if g := c.Chosen(); g != nil {
		return g.Gene.ID
	}
	return ""
}

func failuresIn(list []journal.Entry) (n int) {
	for i := range list {
		n += len(list[i].Signals)
	}
	return n
}

// firstFailure is the index of the first entry with one of the signals, from an index
// on; -1 if there is none.
func firstFailure(list []journal.Entry, from int, signals []string) int {
	for i := from; i < len(list); i++ {
		if slices.ContainsFunc(list[i].Signals, func(s journal.Signal) bool { return slices.Contains(signals, string(s.Key)) }) {
			return i
		}
	}
	return -1
}

// clock is the time since midnight, from HH:MM.
func clock(at string) time.Duration {
	t, err := time.Parse("15:04", at)
	if err != nil {
		return 0
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute
}
