package search

import (
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// A Doc is a memory that can be found.
type Doc struct {
	ID         string
	Kind       string // fact, summary, core, notes
	Type       string // a fact's: W, B, O, S
	Content    string
	Entities   []string
	Confidence float64
	Time       time.Time // zero if it has none, such as MEMORY.md
	Session    string
	Origin     string    // where it was imported from
	Replaces   []string  // ids of facts that it replaces; its own is the first if it is deleted
	Since      time.Time // a fact's: it holds from then on; zero: always
	Until      time.Time // and until then; zero: always
	Topic      string    // a fact's: only one fact has it
	File       string    // set by Sync
	Updated    time.Time // a fact's line: when it was edited, or deleted; only [LastOfEach] reads it
}

// Auto reports whether it is a summary that nobody wrote.
func (d Doc) Auto() bool { return d.Kind == "summary" && d.Confidence <= compiled }

// A Source is one file, and how to read it.
type Source struct {
	Name string // as results show it: daily/2026-02-17.jsonl
	Path string
	In   *beneath.Root // the root that contains Path; nil: any

	// Lines is set if the file only ever grows by whole lines, unless a user or a command
	// rewrites it: then what was read once is not read again.
	Lines bool

	// Read returns the entries in a part of the file: the whole, or its last lines.
	Read func(part []byte) []Doc
}

// LastOfEach keeps the last of several entries with the same id: a later line of a file
// replaces an earlier one, unless that was edited after it. A deleted entry stays deleted, wherever
// a merge put it, unless it was edited after that.
func LastOfEach(docs []Doc) []Doc {
	at := map[string]int{}
	for i, d := range docs {
		have, is := at[d.ID]
		switch was := docs[have]; {
		case !is:
		case was.Content == "" && d.Content != "" && !d.Updated.After(was.Updated):
			continue
		case was.Content != "" && d.Content == "" && was.Updated.After(d.Updated):
			continue
		case (was.Content == "") == (d.Content == "") && d.Updated.Before(was.Updated):
			continue
		}
		at[d.ID] = i
	}
	var out []Doc
	for i, d := range docs {
		if at[d.ID] == i {
			out = append(out, d)
		}
	}
	return out
}

// Text is the text by which an entry is found.
func (d Doc) Text() string {
	if len(d.Entities) == 0 {
		return d.Content
	}
	return d.Content + "\n" + strings.Join(d.Entities, " ")
}

// Fact is what decides whether an entry stands for others: see [memory.Replaced].
func (d Doc) Fact() memory.Fact {
	f := memory.Fact{ID: d.ID, Time: d.Time, Since: d.Since, Until: d.Until, Supersedes: d.Replaces, Deleted: d.Content == ""}
	if f.Deleted && len(f.Supersedes) > 0 {
		f.Supersedes = f.Supersedes[1:] // the first is its own id
	}
	return f
}

// same reports whether an entry is another one, but for its file.
func (d Doc) same(o Doc) bool {
	return d.ID == o.ID && d.Kind == o.Kind && d.Type == o.Type && d.Content == o.Content && slices.Equal(d.Entities, o.Entities) &&
		d.Confidence == o.Confidence && nanos(d.Time) == nanos(o.Time) && d.Session == o.Session && d.Origin == o.Origin &&
		slices.Equal(d.Replaces, o.Replaces) && nanos(d.Since) == nanos(o.Since) && nanos(d.Until) == nanos(o.Until) && d.Topic == o.Topic
}
