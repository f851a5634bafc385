package search

import (
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// A Doc is one memory that can be found.
type Doc struct {
	ID         string
	Kind       string // fact, summary, core, notes
	Type       string // W, B, O, S of a fact
	Content    string
	Entities   []string
	Confidence float64
	Time       time.Time // zero for what has none, such as MEMORY.md
	Session    string
	Origin     string    // where it was imported from
	Replaces   []string  // ids of facts that this one stands for
	Until      time.Time // of a fact: what it says holds until then; zero: always
	Topic      string    // of a fact: there is only one of it
	File       string    // set by Sync
}

// A Source is one file, and how it is read.
type Source struct {
	Name string // as results show it: daily/2026-02-17.jsonl
	Path string
	In   *beneath.Root // what Path lies in; nil: anywhere

	// Lines is set if the file only ever grows by whole lines, unless a person
	// or a command rewrites it: then what was read once is not read again.
	Lines bool

	// Read gives what a part of the file holds: the whole, or its last lines.
	Read func(part []byte) []Doc
}

// LastOfEach keeps the last of several entries with one id: a later line of a
// file replaces an earlier one. One that is deleted stays so, wherever a merge put it.
func LastOfEach(docs []Doc) []Doc {
	at := map[string]int{}
	for i, d := range docs {
		if first, have := at[d.ID]; !have || docs[first].Content != "" {
			at[d.ID] = i
		}
	}
	return slices.DeleteFunc(slices.Clone(docs), func(d Doc) bool {
		keep := at[d.ID]
		return docs[keep].Content != d.Content || !docs[keep].Time.Equal(d.Time)
	})
}

// Text is what an entry is found by.
func (d Doc) Text() string {
	if len(d.Entities) == 0 {
		return d.Content
	}
	return d.Content + "\n" + strings.Join(d.Entities, " ")
}
