package truth_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func newSense(t *testing.T) *search.Sense {
	t.Helper()
	var all bytes.Buffer
	if err := words.Unpack(&all); err != nil {
		t.Fatal(err)
	}
	l, err := lexicon.Read(all.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return search.NewSense(l)
}

func fields(t *testing.T, file string) (out [][]string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, strings.Split(line, " | "))
		}
	}
	return out
}

// A step is a fact that is saved into a memory: one that stands there already (host), one
// that holds beside all others (fact, distinct), or one that updates another, which is gone
// after it. An older one that is not there stands there for that step alone. Where a memory
// ends, all is forgotten (end).
type step struct{ kind, older, text string }

// A moment is a step as it is weighed: the rivals of what is saved, and which of them it updates.
type moment struct {
	step
	rivals []truth.Rival
	of     int // -1: none
	many   int
}

// saves plays steps, and gives those of them that are no hosts.
func saves(t *testing.T, steps []step) (out []moment) {
	t.Helper()
	dir, cache := t.TempDir(), t.TempDir()
	if err := lexicon.Lay(cache, words.Unpack); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 4, 5, 6, 0, time.UTC)
	place, shelf := memory.Place{Dir: filepath.Join(dir, "data")}, search.Folder{Scope: "project", Dir: filepath.Join(dir, "data"), Cache: cache}
	serial := uint64(0)
	put := func(text string) string {
		serial++
		f := memory.Fact{ID: memory.NewID("log", now, serial), Kind: "W", Content: text, Time: now, Confidence: 0.9}
		if err := place.KeepFact(f, ""); err != nil {
			t.Fatal(err)
		}
		return f.ID
	}
	drop := func(id string) {
		for _, file := range place.FactFiles() {
			err := place.Rewrite(file, func(o *protocol.Object) (bool, bool, error) { return false, o.Text("id") != id, nil })
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	ids := map[string]string{}
	for _, s := range steps {
		if s.kind == "end" {
			for text, id := range ids {
				drop(id)
				delete(ids, text)
			}
			continue
		}
		older := ""
		if s.older != "" && ids[s.older] == "" {
			older = put(s.older)
		}
		if s.kind != "host" {
			near, many, err := shelf.Near(s.text, "", now)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, weigh(s, near, many))
		}
		if older != "" {
			drop(older)
			continue
		}
		ids[s.text] = put(s.text)
		if s.kind == "update" {
			drop(ids[s.older])
		}
	}
	return out
}

func weigh(s step, near []search.Neighbour, many int) moment {
	m := moment{step: s, of: -1, many: many}
	for _, n := range near {
		if n.Score == 0 && !n.Weak && truth.Compare(n.Content, s.text) == truth.Distinct {
			continue
		}
		if s.kind == "update" && n.Content == s.older {
			m.of = len(m.rivals)
		}
		m.rivals = append(m.rivals, truth.Rival{Text: n.Content, Score: n.Score, Shares: n.Shares, Only: n.Only, Other: n.Other, Weak: n.Weak})
	}
	return m
}

// inOrder are the facts of a file and what is said of them, as they stand.
func inOrder(t *testing.T, file string) (out []step) {
	of := map[string]string{}
	for _, f := range fields(t, file) {
		if f[0] == "fact" {
			of[f[1]] = f[2]
			out = append(out, step{kind: "fact", text: f[2]})
		} else {
			out = append(out, step{f[0], of[f[1]], f[2]})
		}
	}
	return out
}

// mixed are the same steps with each saying somewhere behind its fact, and the facts as hosts.
func mixed(steps []step) (out []step) {
	var said []step
	for _, s := range steps {
		if s.kind == "fact" {
			out = append(out, step{kind: "host", text: s.text})
		} else {
			said = append(said, s)
		}
	}
	for i, s := range said {
		at := slices.IndexFunc(out, func(o step) bool { return o.text == s.older }) + 1
		out = slices.Insert(out, at+(i*37)%(len(out)-at+1), s)
	}
	return out
}

// pairsOf are the pairs of a file, or what a memory's file says of its facts.
func pairsOf(t *testing.T, file string) (out []step) {
	of := map[string]string{}
	for _, f := range fields(t, file) {
		switch {
		case f[0] == "fact":
			of[f[1]] = f[2]
		case of[f[1]] != "":
			out = append(out, step{f[0], of[f[1]], f[2]})
		case f[0] != "same":
			out = append(out, step{f[0], f[1], f[2]})
		}
	}
	return out
}

// among puts pairs between the facts of a memory.
func among(pairs []step, hosts []string) (out []step) {
	for i, p := range pairs {
		for _, h := range hosts[len(hosts)*i/len(pairs) : len(hosts)*(i+1)/len(pairs)] {
			out = append(out, step{kind: "host", text: h})
		}
		out = append(out, p)
	}
	return out
}

// factsOf are the facts of a file of package search, without those that say which other they update.
func factsOf(t *testing.T, file string, column int) (out []string) {
	for _, f := range fields(t, file) {
		if column < 2 || len(f) < 4 {
			out = append(out, f[column])
		}
	}
	return out
}

// asFacts are facts of a memory, one after another.
func asFacts(list []string) (out []step) {
	for _, f := range list {
		out = append(out, step{kind: "fact", text: f})
	}
	return out
}

// inSmall are facts in memories of a few, one after another.
func inSmall(list []string) (out []step) {
	const few = 5
	for i, f := range list {
		if i%few == 0 {
			out = append(out, step{kind: "end"})
		}
		out = append(out, step{kind: "fact", text: f})
	}
	return out
}
