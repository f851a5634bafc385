package store

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A PageLine is a line of MEMORY.md that no longer holds, and what settles that.
type PageLine struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Text     string   `json:"text"`
	Why      string   `json:"why"`          // replaced, edited, over, deleted; contradicted: somebody wrote it there
	ID       string   `json:"id,omitempty"` // the fact that it stands there for
	By       string   `json:"by,omitempty"` // the fact that holds instead
	Proposed []string `json:"proposed"`     // commands, one of which should be run
}

// Strays are the lines of MEMORY.md that stand there for some facts, or for those whose place they
// took, and no longer hold; for nil all.
func (k Keeper) Strays(ids []string) (out []PageLine, err error) {
	list, err := k.place().Strays(k.Now)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	pages, err := k.corePages()
	for _, s := range list {
		if ids != nil && !slices.Contains(ids, s.ID) && !slices.Contains(ids, s.By) {
			continue
		}
		p := PageLine{Text: s.Text, Why: s.Why, ID: s.ID, By: s.By}
		p.File, p.Line = lineOf(pages, s.Text)
		if s.By != "" {
			p.Proposed = append(p.Proposed, "agents-hooks memory promote "+s.By)
		}
		p.Proposed = append(p.Proposed, "agents-hooks memory promote "+s.ID+" --remove")
		out = append(out, p)
	}
	return out, err
}

// corePages is what each file of MEMORY.md says.
func (k Keeper) corePages() (map[string]string, error) {
	out := map[string]string{}
	for _, file := range memory.PageFiles(memory.CoreFile) {
		b, err := k.Read(file)
		if err != nil {
			return out, err
		}
		out[file] = string(b)
	}
	return out, nil
}

// lineOf is the file of a page that has an item, and the number of its line there, from 1.
func lineOf(pages map[string]string, item string) (file string, n int) {
	for _, file := range memory.PageFiles(memory.CoreFile) {
		n := 0
		for line := range strings.Lines(pages[file]) {
			if n++; memory.PageItem(line) == item {
				return file, n
			}
		}
	}
	return memory.CoreFile, 0
}

// byHandOnPage are the items of MEMORY.md that somebody wrote there and that are meant: none that a
// fact stands for that holds, or that is known to hold no longer.
func (k Keeper) byHandOnPage(meant func(item string) bool) (items []string, pages map[string]string, err error) {
	for _, file := range memory.PageFiles(memory.CoreFile) {
		parts, err := k.place().Page(file)
		if err != nil {
			return nil, nil, err
		}
		for line := range strings.Lines(parts.Own) {
			if item := memory.PageItem(line); item != "" && meant(item) && !slices.Contains(items, item) {
				items = append(items, item)
			}
		}
	}
	if pages, err = k.corePages(); err != nil || len(items) == 0 {
		return nil, pages, err // and nobody asks which of them hold no longer
	}
	strays, err := k.place().Strays(k.Now)
	if err != nil {
		return nil, pages, err
	}
	items = slices.DeleteFunc(items, func(item string) bool {
		return slices.ContainsFunc(strays, func(s memory.Stray) bool { return s.Text == item })
	})
	return items, pages, nil
}

// against are the lines of MEMORY.md that somebody wrote, and that a new fact says is otherwise.
func (k Keeper) against(f memory.Fact, known ...[]Before) (out []PageLine, err error) {
	if f.Kind == "S" || k.Now.Before(f.Since) {
		return nil, nil
	}
	facts, newer := slices.Concat(known...), k.read(&Entry{Fact: f})
	items, pages, err := k.byHandOnPage(func(item string) bool {
		return !slices.ContainsFunc(facts, func(b Before) bool { return text.OneLine(b.Content) == item }) && k.otherwise(item, newer)
	})
	for _, item := range items {
		out = append(out, k.contradictedLine(pages, item, f.ID))
	}
	return out, err
}

// otherwise reports whether a fact says that an item of a page is not so.
func (k Keeper) otherwise(item string, newer *reading) bool {
	v := relate(k.read(&Entry{Fact: memory.Fact{Kind: newer.Kind, Content: item}}), newer)
	return v == truth.Update || v == truth.Conflict
}

func (k Keeper) contradictedLine(pages map[string]string, item, id string) PageLine {
	p := PageLine{Text: item, Why: Contradicted, By: id, Proposed: []string{"agents-hooks memory delete " + id}}
	if p.File, p.Line = lineOf(pages, item); p.File == k.Core() { // promote writes no other file
		p.Proposed = slices.Insert(p.Proposed, 0, "agents-hooks memory promote "+id+" --line "+strconv.Itoa(p.Line)+" --mark "+LineMark(item))
	}
	return p
}

// afterSave are the lines of MEMORY.md that a fact which was just saved makes untrue.
func (k Keeper) afterSave(f memory.Fact, s Saved) (lines []PageLine, err error) {
	if len(s.Supersedes) > 0 {
		lines, err = k.Strays(append(slices.Clone(s.Supersedes), s.ID))
	}
	if err != nil || s.Status != "ok" {
		return lines, err
	}
	byHand, err := k.against(f, s.Before, s.Conflicts, s.Near)
	return append(lines, byHand...), err
}

// strays are the lines of MEMORY.md that no longer hold; and what somebody wrote there is
// gathered, to be compared with the facts.
func (r *review) strays(every, living []Entry) error {
	lines, err := r.k.Strays(nil)
	if err != nil {
		return err
	}
	of := map[string]Entry{}
	for _, e := range every {
		of[e.ID] = e
	}
	for _, p := range lines {
		f := r.add(OnPage, of[p.ID], p.Proposed...)
		f.Page = &p
		if p.By != "" && p.By != p.ID {
			f.beside(of[p.By])
		}
	}
	said := map[string]bool{}
	for _, e := range living {
		said[text.OneLine(e.Content)] = true
	}
	items, pages, err := r.k.byHandOnPage(func(item string) bool { return !said[item] })
	r.pages = pages
	for _, item := range items {
		r.byHand = append(r.byHand, Entry{Fact: memory.Fact{Kind: "W", Content: item}, File: memory.CoreFile})
	}
	return err
}

// onPage is a fact that says otherwise than a line of MEMORY.md which somebody wrote there.
func (r *review) onPage(item string, e Entry) {
	if of := [2]string{item, e.ID}; !r.paired[of] {
		r.paired[of] = true
		p := r.k.contradictedLine(r.pages, item, e.ID)
		r.add(OnPage, e, p.Proposed...).Page = &p
	}
}
