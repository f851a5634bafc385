package search

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/fence"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Where an entry comes from, if not from this machine.
const (
	FromRepository = "this repository"
	Unapproved     = "this repository, not approved"
)

// Theirs reports whether an origin is somebody else than the user: the repository, or its team.
func Theirs(origin string) bool {
	return origin == FromRepository || origin == Unapproved || memory.Shared(origin)
}

// OriginOf is the origin of an entry as it is told: whose it is, or where its owner has it from.
func OriginOf(whose ledger.Whose, said string) string {
	switch whose {
	case ledger.Own:
		return said
	case ledger.Nobody:
		return Unapproved
	}
	return FromRepository
}

// Harmless is the text of an entry, by its origin, as an agent gets it outside of a fence.
func Harmless(text, origin string) string {
	if Theirs(origin) {
		return fence.Foreign(text)
	}
	return fence.Harmless(text)
}

// Names are the entities of an entry, in the same way.
func Names(entities []string, origin string) []string {
	names := make([]string, len(entities))
	for i, e := range entities {
		names[i] = Harmless(e, origin)
	}
	return names
}

// Sources are the files of a memory folder. Unapproved parts are not read, and approved parts
// of a repository have that as their origin.
func Sources(p memory.Place) []Source {
	s := shown{p.Ledger, p.Waiting}
	var out []Source
	for _, file := range p.FactFiles() {
		out = append(out, Source{Name: file, Path: p.Path(file), In: p.Within, Lines: true, Read: s.facts})
	}
	for _, file := range p.SummaryFiles() {
		out = append(out, Source{Name: file, Path: p.Path(file), In: p.Within, Lines: true, Read: s.summaries})
	}
	for _, page := range []struct{ file, kind string }{{memory.CoreFile, "core"}, {memory.NotesFile, "notes"}} {
		for _, file := range memory.PageFiles(page.file) {
			id := page.kind
			if file != page.file {
				id = "own-" + page.kind
			}
			out = append(out, Source{Name: file, Path: p.Path(file), In: p.Within, Read: func(text []byte) []Doc { return s.page(text, page.kind, id) }})
		}
	}
	return out
}

// shown says which parts of a folder are shown.
type shown struct {
	ledger  *ledger.Ledger
	waiting bool
}

// objects calls f with each object that is shown, and its origin.
func (s shown) objects(part []byte, f func(o protocol.Object, origin string)) {
	s.ledger.About()
	for line := range bytes.Lines(part) {
		whose, line := memory.InUse(s.ledger, line)
		if whose == ledger.Nobody && (!s.waiting || s.ledger.Purged(ledger.LineKey(line))) {
			continue
		}
		if o, err := protocol.ParseObject(bytes.TrimRight(line, "\r\n")); err == nil {
			f(o, OriginOf(whose, ""))
		}
	}
}

// page are the parts of a page: those written here, then the others.
func (s shown) page(text []byte, kind, id string) []Doc {
	parts := s.ledger.Page(string(memory.Both(text)), memory.Templates()...)
	out := pageDocs(nil, parts.Own, kind, id, "")
	out = pageDocs(out, parts.Let, kind, id, FromRepository)
	if s.waiting {
		out = pageDocs(out, parts.Rest, kind, id, Unapproved)
	}
	return out
}

// facts are the facts in a part of a file. A deleted one hides its id in every file.
func (s shown) facts(part []byte) (out []Doc) {
	s.objects(part, func(o protocol.Object, origin string) {
		f, ok := memory.ParseFact(o)
		if !ok {
			return
		}
		d := Doc{ID: f.ID, Kind: "fact", Type: f.Kind, Content: f.Content, Entities: f.Entities, Confidence: f.Confidence,
			Time: f.Time, Session: f.Session, Origin: cmp.Or(origin, f.Origin), Replaces: f.Supersedes, Topic: o.Text("topic_key"), Since: f.Since, Until: f.Until, Updated: f.Updated}
		if f.Deleted {
			// What it had replaced is kept: a successor stands for that, too.
			d.Content, d.Entities, d.Replaces, d.Updated = "", nil, append([]string{f.ID}, f.Supersedes...), f.DeletedAt
		}
		out = append(out, d)
	})
	return out
}

// compiled is the confidence of a summary that nobody wrote: it is mostly the prompts of its session.
const compiled = 0.5

func (s shown) summaries(part []byte) (out []Doc) {
	last := map[string]int{} // a later summary of a session replaces the earlier one
	s.objects(part, func(o protocol.Object, origin string) {
		s := memory.ParseSummary(o)
		d := Doc{ID: s.ID, Kind: "summary", Content: strings.TrimSpace(s.Topic + "\n" + s.Text), Time: s.Time, Session: s.Session, Origin: origin, Confidence: 1}
		if s.Auto {
			d.Confidence = compiled
			if s.Text != "" {
				d.Content = s.Text // it begins with its topic
			}
		}
		for _, decision := range s.Decisions {
			if !s.Auto || !strings.Contains(s.Text, decision) {
				d.Content += "\n" + decision
			}
		}
		if s.Deleted || d.Content == "" {
			d.Content, d.Replaces = "", []string{s.ID}
		}
		if i, ok := last[s.Session]; ok && s.Session != "" && !s.Deleted {
			d.Replaces = append(d.Replaces, out[i].ID)
		}
		last[s.Session] = len(out)
		out = append(out, d)
	})
	return out
}

// How a page is split (the original's numbers): windows of 400 tokens, 80 of which overlap with
// the previous window, at four characters per token.
const (
	windowChars  = 400 * 4
	overlapChars = 80 * 4
)

// pageDocs splits a page at its headings, and long parts into windows, and adds them.
func pageDocs(out []Doc, page, kind, id, origin string) []Doc {
	text := strings.TrimPrefix(page, "\ufeff")
	var parts []string
	start := 0
	for i := 0; i < len(text); {
		line := text[i:]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		if strings.HasPrefix(line, "## ") && i > start {
			parts = append(parts, text[start:i])
			start = i
		}
		i += len(line)
	}
	parts = append(parts, text[start:])
	for _, p := range parts {
		if body := withoutHeadings(p); body == "" {
			continue
		}
		for _, w := range windows([]rune(strings.TrimSpace(p))) {
			out = append(out, Doc{ID: id + "-" + strconv.Itoa(len(out)), Kind: kind, Content: w, Origin: origin, Confidence: 1})
		}
	}
	return out
}

func withoutHeadings(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String())
}

func windows(text []rune) (out []string) {
	for start := 0; ; start += windowChars - overlapChars {
		end := min(start+windowChars, len(text))
		out = append(out, string(text[start:end]))
		if end == len(text) {
			return out
		}
	}
}
