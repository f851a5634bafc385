package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/fence"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/wording"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Document is a memory folder as one file, for a backup or for somebody else.
type Document struct {
	Schema    int             `json:"schema"`
	Exported  string          `json:"exported_at"`
	Core      string          `json:"core,omitempty"`
	Facts     []SharedFact    `json:"facts"`
	Summaries []SharedSummary `json:"summaries"`
}

// A SharedFact is a fact of a document.
type SharedFact struct {
	ID         string   `json:"id"`
	Type       string   `json:"type"`
	Content    string   `json:"content"`
	Entities   []string `json:"entities"`
	Confidence float64  `json:"confidence"`
	Timestamp  string   `json:"timestamp"`
	TopicKey   string   `json:"topic_key,omitempty"`
	Origin     string   `json:"origin,omitempty"`
	Since      string   `json:"valid_from,omitempty"`
	Until      string   `json:"valid_until,omitempty"`
	Supersedes []string `json:"supersedes,omitempty"` // of one that begins later: what it will replace
}

// A SharedSummary is a summary of a document.
type SharedSummary struct {
	ID        string   `json:"id"`
	Session   string   `json:"session_id"`
	Topic     string   `json:"topic"`
	Summary   string   `json:"summary"`
	Decisions []string `json:"decisions"`
	Todos     []string `json:"todos"`
	Timestamp string   `json:"timestamp"`
}

// Export exports what holds in the folder.
func (k Keeper) Export() (Document, error) {
	doc := Document{Schema: 1, Exported: memory.Stamp(k.Now), Facts: []SharedFact{}, Summaries: []SharedSummary{}}
	for _, file := range memory.PageFiles(memory.CoreFile) {
		core, err := k.place().TrueNow(file, k.Now)
		if err != nil {
			return doc, err
		}
		doc.Core = memory.Below(doc.Core, core.Known)
	}
	all, err := k.Facts()
	if err != nil {
		return doc, err
	}
	for _, e := range Living(all, k.Now) {
		f := SharedFact{ID: e.ID, Type: e.Kind, Content: e.Content, Entities: filled(e.Entities), Confidence: e.Confidence, Timestamp: memory.Stamp(e.Time), TopicKey: e.TopicKey, Origin: e.Origin}
		f.Since, f.Until = stampOf(e.Since), stampOf(e.Until)
		if !e.Begun(k.Now) {
			f.Supersedes = e.Supersedes
		}
		doc.Facts = append(doc.Facts, f)
	}
	sums, err := k.Summaries()
	for _, s := range sums {
		doc.Summaries = append(doc.Summaries, SharedSummary{s.ID, s.Session, s.Topic, s.Text, filled(s.Decisions), filled(s.Todos), memory.Stamp(s.Time)})
	}
	return doc, err
}

// filled turns nil into an empty list, for JSON.
func filled(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// A Mode says what happens to existing entries in an import.
type Mode string

const (
	Merge   Mode = "merge"   // new ones are added; of two with the same id, the newer one counts
	Skip    Mode = "skip"    // new ones are added, except those whose id exists
	Replace Mode = "replace" // existing ones are hidden first
)

// An Imported is the result of an import.
type Imported struct {
	Added, Replaced, Skipped int
}

// Import imports a document. Everything in it is marked with its origin, which is shown
// wherever it is told (BM-WHO-10), and redacted like everything else.
func (k Keeper) Import(data []byte, mode Mode, origin string) (n Imported, err error) {
	var doc Document
	if err := json.Unmarshal(data, &doc); err != nil {
		return n, Refused{Reason: "want a document of memory export: " + err.Error()}
	}
	if doc.Schema != 1 {
		return n, Refused{Reason: fmt.Sprintf("schema %d: want 1", doc.Schema)}
	}
	if err := k.Backup(); err != nil {
		return n, err
	}
	if mode == Replace {
		if n.Replaced, err = k.hideAll(); err != nil {
			return n, err
		}
	}
	lines, err := k.coreLines(doc)
	if err != nil {
		return n, err
	}
	return n, errors.Join(k.importFacts(append(doc.Facts, lines...), mode, origin, &n), k.importSummaries(doc.Summaries, &n))
}

// coreLines are the lines of a document's core memory that the page here lacks, each as a fact, which
// keeps its origin: the page is the user's own.
func (k Keeper) coreLines(doc Document) (list []SharedFact, err error) {
	here := map[string]bool{}
	for _, file := range memory.PageFiles(memory.CoreFile) {
		parts, err := k.place().Page(file)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(parts.Known) {
			here[memory.Normal(line)] = true
		}
	}
	for line := range strings.Lines(doc.Core) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-*+ ")
		if said := memory.Normal(line); said != "" && !here[said] && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "<!--") {
			list = append(list, SharedFact{Type: "W", Content: line, Confidence: 0.9, Timestamp: doc.Exported})
		}
	}
	return list, nil
}

// replacing are those of the ids that an imported fact replaces, from when it is, that may be: what
// was saved here after it stays.
func replacing(ids []string, at time.Time, have map[string]Entry) (list []string) {
	for _, id := range ids {
		if e, here := have[id]; !here || at.After(e.Time) {
			list = append(list, id)
		}
	}
	return list
}

func (k Keeper) hideAll() (int, error) {
	all, err := k.Facts()
	if err != nil {
		return 0, err
	}
	var ids []string
	for _, e := range Living(all, k.Now) {
		ids = append(ids, e.ID)
	}
	if len(ids) == 0 {
		return 0, nil
	}
	return k.Delete(ids)
}

func (k Keeper) importFacts(facts []SharedFact, mode Mode, origin string, n *Imported) error {
	return k.place().Locked(func() error {
		all, err := k.Facts()
		if err != nil {
			return err
		}
		have, texts := map[string]Entry{}, map[string]bool{}
		for _, e := range Living(all, k.Now) {
			have[e.ID], texts[wording.Of(e.Content)] = e, true
		}
		for _, s := range facts {
			at, _ := time.Parse(time.RFC3339Nano, s.Timestamp)
			s.ID, s.Supersedes = importedID(s.ID), memory.OurIDs(s.Supersedes)
			f := memory.Fact{ID: s.ID, Kind: s.Type, Content: s.Content, Entities: s.Entities, Confidence: s.Confidence, Time: at, Origin: origin, Supersedes: s.Supersedes}
			f.Since, _ = time.Parse(time.RFC3339Nano, s.Since)
			f.Until, _ = time.Parse(time.RFC3339Nano, s.Until)
			if s.Origin != "" {
				f.Origin = text.Clip(text.OneLine(fence.Foreign(s.Origin)), originMost)
			}
			f.Supersedes = replacing(f.Supersedes, at, have)
			old, known := have[s.ID]
			if check(&f) != nil || f.Over(k.Now) || known && (mode == Skip || !at.After(old.Time)) || !known && texts[wording.Of(f.Content)] {
				n.Skipped++
				continue
			}
			if at.IsZero() {
				f.Time = k.Now
			}
			if known {
				f.ID, f.Supersedes = memory.NewID("log", k.Now, k.Random()), append([]string{s.ID}, f.Supersedes...)
				n.Replaced++
			} else {
				if f.ID == "" {
					f.ID = memory.NewID("log", k.Now, k.Random())
				}
				n.Added++
			}
			texts[wording.Of(f.Content)] = true
			if err := k.place().KeepFact(f, redact.Memory.Text(s.TopicKey)); err != nil {
				return err
			}
		}
		return nil
	})
}

// originMost is how long the origin of an imported fact may be, which stands beside it on its line.
const originMost = 80

// importedID is the id that an imported entry has here, "" if it needs a new one: there is none, or a
// secret in it.
func importedID(id string) string {
	if redact.Memory.Text(id) != id {
		return ""
	}
	return memory.OurID(id)
}

func (k Keeper) importSummaries(sums []SharedSummary, n *Imported) error {
	have := map[string]bool{}
	for _, file := range k.place().SummaryFiles() {
		err := k.place().Lines(file, func(o protocol.Object, _ ledger.Whose) { have[memory.IDOf(o)] = true })
		if err != nil {
			return err
		}
	}
	for _, s := range sums {
		if s.ID = importedID(s.ID); s.ID != "" && have[s.ID] {
			n.Skipped++
			continue
		}
		at, bad := time.Parse(time.RFC3339Nano, s.Timestamp)
		if bad != nil {
			at = k.Now
		}
		if s.ID == "" {
			s.ID = memory.NewID("sum", k.Now, k.Random())
		}
		for _, list := range [][]string{s.Decisions, s.Todos} {
			for i, item := range list {
				list[i] = redact.Memory.Text(item)
			}
		}
		err := k.place().KeepSummary(memory.Summary{
			ID: s.ID, Session: redact.Memory.Text(s.Session), Topic: redact.Memory.Text(s.Topic), Text: redact.Memory.Text(s.Summary),
			Decisions: s.Decisions, Todos: s.Todos, Time: at, Source: "import",
		}, true)
		if err != nil {
			return err
		}
		n.Added++
	}
	return nil
}
