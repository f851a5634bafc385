package journal

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// A Journal is the content of a session's file.
type Journal struct {
	Started  time.Time // zero if the file does not say
	Entries  []Entry
	Reviewed time.Time // when a review was last requested; zero if never

	before int // entries before that
}

// An Entry is one action of the agent.
type Entry struct {
	Tool     string // bash, edit or write
	Command  string // the command line, or the file
	At       string // HH:MM
	Tagged   bool   // [FAILED]: according to its agent
	Signals  []Signal
	Failure  failure.Failure // without an ID in journals from before failures had one
	Feedback []Feedback
	Hints    []string
}

// Failed reports whether the action failed, according to its agent or its output.
func (e *Entry) Failed() bool { return e.Tagged || len(e.Signals) > 0 }

// A Signal is one signal of an entry.
type Signal struct {
	Key       signal.Key
	Count     int // how often it has come up in this session, including this time
	At        string
	TechStack string
}

// A Feedback is what became of a suggestion.
type Feedback struct {
	Title   string
	Gene    string // id; "" in journals from before genes had one
	Outcome string // Success or Failed
}

// What became of a suggestion.
const (
	Success = "success"
	Failed  = "failed"
)

// Parse reads a journal. It skips what it does not understand: somebody may be writing
// the last line right now, and a person may have edited it.
func Parse(text string) Journal {
	var j Journal
	for raw := range strings.Lines(text) {
		l := strings.TrimRight(raw, "\r\n")
		switch {
		case strings.HasPrefix(l, "- "):
			if e, ok := entry(l[2:]); ok {
				j.Entries = append(j.Entries, e)
			}
		case strings.HasPrefix(strings.TrimLeft(l, " \t"), "- "):
			if n := len(j.Entries); n > 0 {
				j.Entries[n-1].detail(strings.TrimSpace(l)[2:])
			}
		case strings.HasPrefix(l, "Started: "):
			j.Started, _ = time.Parse(time.RFC3339, strings.TrimSpace(l[len("Started: "):]))
		case strings.HasPrefix(l, marker):
			if _, at, ok := strings.Cut(l, "(at: "); ok {
				at, _, _ = strings.Cut(at, ")")
				if t, err := time.Parse(time.RFC3339, at); err == nil {
					j.Reviewed, j.before = t, len(j.Entries)
				}
			}
		}
	}
	return j
}

const marker = "[evolution-review-triggered]"

// entry reads bash: `command` (HH:MM) [FAILED].
func entry(s string) (e Entry, ok bool) {
	tool, rest, ok := strings.Cut(s, ": `")
	if !ok || tool != "bash" && tool != "edit" && tool != "write" {
		return e, false
	}
	end := strings.LastIndex(rest, "` (")
	if end < 0 {
		return e, false
	}
	at, tag, ok := strings.Cut(rest[end+len("` ("):], ")")
	return Entry{Tool: tool, Command: rest[:end], At: at, Tagged: strings.Contains(tag, "[FAILED]")}, ok
}

// detail reads a line below an entry.
func (e *Entry) detail(s string) {
	switch {
	case strings.HasPrefix(s, "signal:"):
		key, rest, ok := strings.Cut(s[len("signal:"):], " (")
		if !ok || key == "" {
			return
		}
		n := Signal{Key: signal.Key(key), Count: 1}
		rest = strings.TrimSuffix(rest, ")")
		rest, n.TechStack, _ = strings.Cut(rest, " techStack=")
		for _, f := range strings.Split(rest, ", ") {
			if v, ok := strings.CutPrefix(f, "count: "); ok {
				if c, err := strconv.Atoi(strings.TrimSpace(v)); err == nil && c > 0 {
					n.Count = c
				}
			} else if v, ok := strings.CutPrefix(f, "at: "); ok {
				n.At = v
			}
		}
		e.Signals = append(e.Signals, n)
	case strings.HasPrefix(s, "failure: "):
		e.Failure = ReadFailure(s[len("failure: "):])
	case strings.HasPrefix(s, "gene_feedback:"):
		if f, ok := feedback(strings.TrimSpace(s[len("gene_feedback:"):])); ok {
			e.Feedback = append(e.Feedback, f)
		}
	case strings.HasPrefix(s, "hint:"):
		e.Hints = append(e.Hints, strings.TrimSpace(s[len("hint:"):]))
	}
}

// feedback reads "title" gene_id=id outcome=success|failed|failure. The title may
// contain quotes: the last one ends it.
func feedback(s string) (f Feedback, ok bool) {
	head, outcome, ok := cutLast(s, "outcome=")
	if !ok {
		return f, false
	}
	switch strings.TrimSpace(outcome) {
	case Success:
		f.Outcome = Success
	case Failed, "failure":
		f.Outcome = Failed
	default:
		return f, false
	}
	if before, id, ok := cutLast(head, "gene_id="); ok {
		head, f.Gene = before, strings.TrimSpace(id)
	}
	head = strings.TrimSpace(head)
	f.Title = strings.TrimSuffix(strings.TrimPrefix(head, `"`), `"`)
	return f, f.Title != "" || f.Gene != ""
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// A Count is how often a signal came up.
type Count struct {
	Key     signal.Key
	N       int
	Failure failure.Failure // the last one that had this signal
}

// Name identifies a count: by the failure, else by the signal.
func (c *Count) Name() string {
	if c.Failure.ID != "" {
		return c.Failure.ID
	}
	return string(c.Key)
}

// Signals are the signals of a session, the most frequent first, then in the order of
// [signal.Keys].
func (j *Journal) Signals() []Count {
	var list []Count
	for i := range j.Entries {
		for _, s := range j.Entries[i].Signals {
			list = add(list, s.Key)
		}
	}
	sortCounts(list)
	return list
}

// Feedback is what became of all suggestions of a session: the latest for each gene, in
// the order in which the genes came up.
func (j *Journal) Feedback() []Feedback {
	var list []Feedback
	for i := range j.Entries {
		for _, f := range j.Entries[i].Feedback {
			same := func(g Feedback) bool { return g.Gene == f.Gene && (f.Gene != "" || g.Title == f.Title) }
			if at := slices.IndexFunc(list, same); at >= 0 {
				list[at] = f
			} else {
				list = append(list, f)
			}
		}
	}
	return list
}

// Worth reports whether a session deserves a review: it met a signal, or got a
// suggestion. Much activity alone is no reason.
func (j *Journal) Worth() bool {
	return slices.ContainsFunc(j.Entries, func(e Entry) bool { return len(e.Signals)+len(e.Feedback) > 0 })
}

func add(list []Count, k signal.Key) []Count {
	for i := range list {
		if list[i].Key == k {
			list[i].N++
			return list
		}
	}
	return append(list, Count{Key: k, N: 1})
}

func sortCounts(list []Count) {
	keys := signal.Keys()
	order.By(list, func(a, b Count) int {
		if a.N != b.N {
			return b.N - a.N
		}
		return slices.Index(keys, a.Key) - slices.Index(keys, b.Key)
	})
}

// Since is what happened after the last request for a review, or all of it.
func (j *Journal) Since() Journal {
	return Journal{Started: j.Started, Entries: j.Entries[j.before:]}
}
