package workspace

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// An Info is what Info.md says about a node.
type Info struct {
	Title, Requirement, Notes, Conclusion string
	Docs                                  []Doc
	Acceptance                            []Criterion
}

// A Criterion says what has to happen when.
type Criterion struct{ When, Then string }

// Info reads the Info.md of a node. A node without one has an empty Info.
func (s *Store) Info(n *Node) Info {
	page, err := s.read.page(filepath.Join(s.NodeDir(n), InfoFile))
	if err != nil {
		return Info{Conclusion: n.Conclusion()}
	}
	in := Info{
		Title: page.Field("title"), Requirement: page.Section(secNeed), Notes: page.Section(secNotes),
		Conclusion: page.Section(secConclusion), Docs: parseDocs(page.Section(secNodeDocs)),
		Acceptance: parseCriteria(page.Section(secAcceptance)),
	}
	if c := n.Conclusion(); c != "" {
		in.Conclusion = c
	}
	return in
}

// Title is that of a node; its id if there is none.
func (s *Store) Title(n *Node) string {
	if t := s.Info(n).Title; t != "" {
		return t
	}
	return n.id
}

func parseCriteria(text string) []Criterion {
	var out []Criterion
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || strings.Trim(line, "|-: ") == "" {
			continue
		}
		parts := strings.Split(strings.Trim(line, "|"), "|")
		if len(parts) < 2 || strings.Contains(parts[0], "(WHEN)") {
			continue
		}
		out = append(out, Criterion{uncell(strings.TrimSpace(parts[0])), uncell(strings.TrimSpace(parts[1]))})
	}
	return out
}

// NewInfo makes the folder of a new node with its three files.
func (s *Store) NewInfo(n *Node, in Info) error {
	stamp := n.Text("createdAt")
	label := labelExecution
	if n.Type() == Planning {
		label = labelPlanning
	}
	var b strings.Builder
	b.WriteString("---\nid: " + n.id + "\ntype: " + n.Type() + "\ntitle: \nstatus: " + n.Status() + "\ncreatedAt: " + stamp + "\nupdatedAt: " + stamp + "\n---\n\n")
	b.WriteString("## " + secType + "\n\n" + label + "\n\n## " + secNeed + "\n\n" + in.Requirement + "\n\n")
	if len(in.Acceptance) > 0 {
		b.WriteString("## " + secAcceptance + "\n\n" + acceptanceHead)
		for _, c := range in.Acceptance {
			b.WriteString("| " + cell(c.When) + " | " + cell(c.Then) + " |\n")
		}
		b.WriteString("\n")
	}
	b.WriteString("## " + secNodeDocs + "\n\n" + noteNodeDocs + "\n\n" + docLines(in.Docs) + "\n\n")
	b.WriteString("## " + secNotes + "\n\n" + in.Notes + "\n\n## " + secConclusion + "\n\n" + noteConclusion + "\n\n\n")
	page := ParsePage([]byte(b.String()))
	page.was = ""
	page.SetField("title", in.Title)
	dir := s.NodeDir(n)
	for _, f := range []struct {
		name string
		text []byte
	}{{InfoFile, s.read.noted(page)}, {LogFile, []byte(logHead)}, {ProblemFile, []byte(emptyProblem)}} {
		if err := s.Files().ReplaceHeld(filepath.Join(dir, f.name), false, f.text); err != nil {
			return err
		}
	}
	return nil
}

const emptyProblem = "## " + secProblem + "\n\n" + none + "\n\n## " + secNext + "\n\n" + none + "\n"

func docLines(docs []Doc) string {
	var lines []string
	for _, d := range docs {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// SetInfo changes the Info.md of a node; change gets the page, whose sections are
// set by the functions below. The front matter follows the graph.
func (s *Store) SetInfo(n *Node, change func(*Page)) error {
	path := filepath.Join(s.NodeDir(n), InfoFile)
	page, err := s.read.whole(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.NewInfo(n, Info{Title: n.id}); err != nil {
			return err
		}
		page, err = s.read.whole(path)
	}
	if err != nil {
		return err
	}
	page.SetField("status", n.Status())
	page.SetField("type", n.Type())
	page.SetField("updatedAt", Stamp(s.Now))
	if page.Has(secType) {
		label := labelExecution
		if n.Type() == Planning {
			label = labelPlanning
		}
		page.SetSection(secType, label)
	}
	if change != nil {
		change(page)
	}
	return s.Files().ReplaceHeld(path, false, s.read.noted(page))
}

// Parts of Info.md that are set.
func (p *Page) SetTitle(s string)       { p.SetField("title", s) }
func (p *Page) SetRequirement(s string) { p.SetSection(secNeed, s) }
func (p *Page) SetNotes(s string)       { p.SetSection(secNotes, s) }
func (p *Page) AddNotes(s string)       { p.SetNotes(strings.TrimSpace(p.Section(secNotes) + "\n\n" + s)) }
func (p *Page) SetConclusion(s string)  { p.SetSection(secConclusion, s) }

// Docs are the documents of an Info.md or a Workspace.md.
func (p *Page) Docs() []Doc {
	if p.Has(secNodeDocs) {
		return parseDocs(p.shown(p.Section(secNodeDocs)))
	}
	return parseDocs(p.shown(p.Section(secDocs)))
}

// SetDocs changes the lines of documents, and leaves what else stands between
// them alone.
func (p *Page) SetDocs(docs []Doc) {
	name := secDocs
	if p.Has(secNodeDocs) || !p.Has(secDocs) {
		name = secNodeDocs
	}
	p.setItems(name, func(item string) bool { _, ok := parseDoc(item); return ok && !p.hidden["- "+item] }, strings.Split(docLines(docs), "\n"))
}

// Rules are those of a Workspace.md.
func (p *Page) Rules() []string { return items(p.shown(p.Section(secRules))) }

// shown is a text without the items that are hidden.
func (p *Page) shown(text string) string {
	if p.hidden == nil {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !p.hidden[strings.TrimSpace(line)] {
			b.WriteString(line)
		}
	}
	return b.String()
}

// SetRules changes them, and leaves what else stands between them alone.
func (p *Page) SetRules(rules []string) {
	var lines []string
	for _, r := range rules {
		lines = append(lines, "- "+r)
	}
	p.setItems(secRules, func(item string) bool { return !p.hidden["- "+item] }, lines)
}

// setItems replaces the chosen items of a section with lines.
func (p *Page) setItems(section string, meant func(item string) bool, lines []string) {
	var kept []string
	at := -1
	for line := range strings.Lines(p.Section(section)) {
		line = strings.TrimRight(line, "\n")
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && meant(strings.TrimSpace(item)) {
			if at < 0 {
				at = len(kept)
			}
			continue
		}
		kept = append(kept, line)
	}
	if at < 0 {
		at = len(kept)
	}
	all := append(append(append([]string{}, kept[:at]...), lines...), kept[at:]...)
	p.SetSection(section, strings.Join(all, "\n"))
}
