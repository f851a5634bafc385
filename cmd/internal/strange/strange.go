// Package strange records what agents sent that we do not know (an unknown event, or
// one without a field that guards need), and which of our answers they rejected. It
// counts by day: stats adds it up, doctor reports it, and the user can attach it to a
// bug report.
//
// In the state directory:
//
//	strange/AGENT.jsonl   one line for each kind, the newest last
//	strange/AGENT.late    transcripts that are written after their events, if the agent has such
//
// Only the shape of a payload is kept (redact.Shape), the first time, and so is that of
// a rejected answer. For a normal event nothing is written or read.
package strange

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	mostRows   = 24       // for one agent; the one not seen for longest is dropped
	keepDays   = 31       // like the run log
	mostShape  = 16 << 10 // bytes of one shape
	mostNative = 200      // bytes of an event's name
	lockWait   = 200 * time.Millisecond
)

// A Row is one kind of strangeness, and how often it occurred.
type Row struct {
	protocol.Strange
	Version string // the agent's, "" if it did not say
	First   time.Time
	Last    time.Time
	Days    map[string]int // by UTC date
	Shape   protocol.Raw   // of the first payload
}

// Count is how often it was seen since the day of a time.
func (r Row) Count(since time.Time) (n int) {
	from := since.UTC().Format(time.DateOnly)
	for day, times := range r.Days {
		if day >= from {
			n += times
		}
	}
	return n
}

// Sentence says what is strange about an agent, and its consequence.
func (r Row) Sentence() string {
	switch r.Kind {
	case "event":
		return "it sent " + r.Event + ", an event that is not known here: no hook was asked"
	case "answer":
		return "it could not use an answer to " + r.Event + amid(", for its ", r.Field) + ": what hooks said there did not count"
	}
	return "its " + r.Event + " had no " + r.Field + " where that used to be, or one of another type: a hook that looks at it saw nothing, or was not asked"
}

// amid is a text after words that introduce it, "" if the text is empty.
func amid(words, text string) string {
	if text == "" {
		return ""
	}
	return words + text
}

func dir(state string) string { return filepath.Join(state, "strange") }

// Note counts what an agent has just sent.
func Note(state string, agent *protocol.Dialect, s protocol.Strange, version string, payload protocol.Object, now time.Time) error {
	if state == "" || !protocol.ValidName(agent.ID) {
		return nil
	}
	if len(s.Event) > mostNative {
		s.Event = s.Event[:mostNative]
	}
	return statefile.Update(filepath.Join(dir(state), agent.ID+".jsonl"), lockWait, func(old []byte) ([]byte, error) {
		rows := parse(old)
		row := Row{Strange: s, First: now, Days: map[string]int{}}
		for i, r := range rows {
			if r.Strange == s {
				row = r
				rows = append(rows[:i], rows[i+1:]...)
				break
			}
		}
		row.Last = now
		row.Days[now.UTC().Format(time.DateOnly)]++
		if version != "" {
			row.Version = version
		}
		if row.Shape == nil {
			row.Shape = shapeOf(payload, agent.Tools)
		}
		rows = append(rows, row)
		rows = rows[max(0, len(rows)-mostRows):]
		return format(rows, now.AddDate(0, 0, -keepDays)), nil
	})
}

func shapeOf(payload protocol.Object, own protocol.Tools) protocol.Raw {
	if raw := redact.Shape(payload.Raw(), own); len(raw) <= mostShape {
		return raw
	}
	return protocol.Raw("{}")
}

// Rows are an agent's records, the newest last; none if nothing was strange.
func Rows(state, agent string) []Row {
	b, err := statefile.Read(filepath.Join(dir(state), agent+".jsonl"))
	if err != nil {
		return nil
	}
	return parse(b)
}

// Agents are those with records, sorted.
func Agents(state string) (ids []string) {
	entries, err := os.ReadDir(dir(state))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && protocol.ValidName(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// parse reads rows; an invalid line is left out, and so disappears with the next
// write.
func parse(b []byte) (rows []Row) {
	for line := range bytes.Lines(b) {
		o, err := protocol.ParseObject(line)
		if err != nil || o.Text("kind") == "" {
			continue
		}
		r := Row{Strange: protocol.Strange{Kind: o.Text("kind"), Event: o.Text("event"), Field: o.Text("field")}, Version: o.Text("version"), Days: map[string]int{}, Shape: o.Get("shape")}
		r.First, _ = time.Parse(time.RFC3339, o.Text("first"))
		r.Last, _ = time.Parse(time.RFC3339, o.Text("last"))
		for _, m := range o.Sub("days") {
			r.Days[m.Name], _ = strconv.Atoi(string(m.Value))
		}
		rows = append(rows, r)
	}
	return rows
}

// format is rows as they are stored, without those last seen before a time.
func format(rows []Row, before time.Time) (b []byte) {
	for _, r := range rows {
		if r.Last.Before(before) {
			continue
		}
		var o, days protocol.Object
		for _, day := range slices.Sorted(maps.Keys(r.Days)) {
			if day >= before.UTC().Format(time.DateOnly) {
				days.Set(day, protocol.Raw(strconv.Itoa(r.Days[day])))
			}
		}
		o.SetText("kind", r.Kind)
		o.SetText("event", r.Event)
		o.SetText("field", r.Field)
		o.SetText("version", r.Version)
		o.SetText("first", r.First.UTC().Format(time.RFC3339))
		o.SetText("last", r.Last.UTC().Format(time.RFC3339))
		o.Set("days", days.Raw())
		o.Set("shape", r.Shape)
		b = append(o.Append(b), '\n')
	}
	return b
}
