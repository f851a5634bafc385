package workspace

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// TrustName is what the workspaces of a repository are called among what needs an
// approval.
const TrustName = "workspace"

// forms are the pages that a program starts with: their text says nothing.
func forms() []string {
	return []string{
		"## " + secRules + "\n\n" + noteRules + "\n\n## " + secDocs + "\n\n" + noteDocs + "\n\n## " + secGoal + "\n",
		"## " + secType + "\n\n" + labelExecution + "\n\n" + labelPlanning + "\n\n## " + secNeed + "\n\n## " + secAcceptance + "\n\n" + acceptanceHead +
			"\n## " + secNodeDocs + "\n\n" + noteNodeDocs + "\n\n## " + secNotes + "\n\n## " + secConclusion + "\n\n" + noteConclusion + "\n",
		emptyProblem,
	}
}

// A reader reads the parts of a project's files that may be told.
type reader struct {
	in      *beneath.Root
	ledger  *ledger.Ledger
	foreign *Foreign
}

// Foreign is what was come across that is not the person's own.
type Foreign struct {
	Let     bool         // told: the user let it in from the repository
	Waiting []ledger.Key // not told: nobody has looked at it
}

// reader is that of a project.
func (p Place) reader(root string) reader {
	r := reader{in: p.Below(root), foreign: p.Foreign}
	if r.foreign == nil {
		r.foreign = new(Foreign)
	}
	if p.Known != nil {
		r.ledger = p.Known(root)
	}
	return r
}

// text is the part of a page that may be told.
func (r reader) text(path string) (string, error) {
	b, err := r.in.Read(path, 0)
	if err != nil {
		return "", err
	}
	parts := r.ledger.Page(string(b), forms()...)
	r.foreign.Let = r.foreign.Let || parts.Let != ""
	r.foreign.Waiting = append(r.foreign.Waiting, parts.Waiting...)
	return parts.Known, nil
}

// page is the same, as a Page.
func (r reader) page(path string) (*Page, error) {
	text, err := r.text(path)
	if err != nil {
		return nil, err
	}
	return ParsePage([]byte(text)), nil
}

// whole is a page as it is, to be changed: what may not be told is not listed, and
// stays where it is.
func (r reader) whole(path string) (*Page, error) {
	b, err := r.in.Read(path, 0)
	if err != nil {
		return nil, err
	}
	p := ParsePage(b)
	if r.ledger == nil {
		return p, nil
	}
	waiting := r.ledger.Page(p.text, forms()...).Waiting
	if len(waiting) == 0 {
		return p, nil
	}
	p.hidden = map[string]bool{}
	for _, piece := range ledger.Pieces(p.text) {
		if slices.Contains(waiting, piece.Key) {
			p.hidden[piece.Text] = true
		}
	}
	return p, nil
}

// noted remembers what is new in a page that is about to be written.
func (r reader) noted(p *Page) []byte {
	r.ledger.NotePage(p.was, p.text, forms()...)
	return p.Bytes()
}

// rows are the lines of a log that may be told.
func (r reader) rows(b []byte) []byte {
	return r.ledger.Lines(b)
}

// tells reports whether a node or a memo may be told of.
func (r reader) tells(key ledger.Key) bool {
	switch r.ledger.Of(key) {
	case ledger.Own:
	case ledger.Nobody:
		r.foreign.Waiting = append(r.foreign.Waiting, key)
		return false
	default:
		r.foreign.Let = true
	}
	return true
}

// nodeKey stands for what a node or a memo says. Its children, its state and its times
// belong to the structure of the graph, as long as they are no more than that.
func nodeKey(kind, id string, o protocol.Object) ledger.Key {
	said := []byte(kind + " " + id)
	for _, m := range o {
		switch m.Name {
		case "children", "status", "createdAt", "updatedAt", "startedAt", "isolate", memberAfter, memberPriority, memberNone:
			if plain(m.Value) {
				continue
			}
		}
		said = protocol.AppendString(append(said, ' '), m.Name)
		said = protocol.AppendValue(append(said, ':'), m.Value)
	}
	return ledger.LineKey(said)
}

// plain reports whether a value is not prose: a number, a word that programs use, or a
// list of such words.
func plain(raw protocol.Raw) bool {
	switch text := strings.TrimSpace(string(raw)); {
	case strings.HasPrefix(text, `"`):
		return ledger.Token(protocol.TextOf(raw))
	case strings.HasPrefix(text, "["):
		return !slices.ContainsFunc(protocol.ElementsOf(raw), func(e protocol.Raw) bool { return !plain(e) })
	default:
		return !strings.HasPrefix(text, "{") && ledger.Token(text)
	}
}

// Unapproved are the files of a workspace that hold what this machine did not write
// and nobody has looked at.
func (p Place) Unapproved(e Entry) (files []ledger.File, err error) {
	dir := p.Dir(e)
	r := p.reader(e.ProjectRoot)
	if dir == "" || r.ledger == nil {
		return nil, nil
	}
	g, err := readGraph(r.in, dir)
	if err != nil {
		return nil, nil // what cannot be read is told to nobody, and keeps nothing else from being looked at
	}
	base := filepath.Base(dir) + "/"
	if f, ok := r.graphFile(base+GraphFile, g); ok {
		files = append(files, f)
	}
	pages := []string{PageFile, LogFile, ProblemFile}
	for _, n := range g.nodes {
		folder, err := filepath.Rel(dir, FolderOf(r.in, dir, n))
		if err != nil {
			return nil, err
		}
		for _, name := range []string{InfoFile, LogFile, ProblemFile} {
			pages = append(pages, filepath.ToSlash(folder)+"/"+name)
		}
	}
	for _, m := range g.doc.Sub("memos") {
		if name := protocol.ObjectOf(m.Value).Text("dirName"); safe(name) {
			pages = append(pages, MemosDir+"/"+name+"/"+MemoFile)
		}
	}
	for _, name := range pages {
		b, err := r.in.Read(filepath.Join(dir, filepath.FromSlash(name)), 0)
		if err != nil {
			continue // as for whoever reads it: it has nothing to tell
		}
		read := func() (ledger.File, bool) { return r.ledger.PageFile(base+name, string(b), forms()...) }
		if filepath.Base(name) == LogFile {
			read = func() (ledger.File, bool) { return r.ledger.LinesFile(base+name, string(b), isRow) }
		}
		if f, ok := read(); ok {
			files = append(files, f)
		}
	}
	return files, nil
}

func isRow(line string) bool {
	_, ok := parseRow(line, time.UTC)
	return ok
}

// graphFile shows the nodes and memos of a graph, one a line.
func (r reader) graphFile(name string, g *Graph) (f ledger.File, waits bool) {
	f.Name = name
	add := func(kind, id string, o protocol.Object) {
		line := kind + " " + strings.Join(strings.Fields(id), " ") + " " + string(o.Append(nil)) + "\n"
		f.Text += line
		if key := nodeKey(kind, id, o); r.ledger.Of(key) == ledger.Nobody {
			f.Keys = append(f.Keys, key)
		} else {
			f.Known += line
		}
	}
	for _, n := range g.nodes {
		add("node", n.id, n.Object)
	}
	for _, m := range g.doc.Sub("memos") {
		add("memo", m.Name, protocol.ObjectOf(m.Value))
	}
	return f, len(f.Keys) > 0
}
