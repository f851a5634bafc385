package memory

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/fence"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// sections are those of MEMORY.md, then of NOTES.md, the project's before the
// person's, and of each what is the person's own before what is the repository's.
func (l Loader) sections(about focus) (out []*piece) {
	for _, p := range l.places() {
		for _, name := range []string{coreFile, notesFile} {
			parts, err := p.Page(name)
			if err != nil {
				continue
			}
			for _, part := range []struct {
				page string
				let  bool
			}{{parts.Own, false}, {parts.Let, true}} {
				if blank(part.page) {
					continue
				}
				for _, s := range parted(strings.TrimSpace(strings.TrimPrefix(part.page, "\ufeff"))) {
					out = append(out, &piece{text: s, let: part.let, whole: true, name: cmp.Or(headingOf(s), name), value: about.of(s, nil) - float64(len(out))/1000})
				}
			}
		}
	}
	return out
}

// parted are the sections of a page, each with its heading. What stands before the
// first heading is one of its own; headings in blocks of code are none.
func parted(page string) (out []string) {
	var section []string
	code, body := false, false
	end := func() {
		if len(section) > 0 {
			out = append(out, strings.TrimRight(strings.Join(section, "\n"), "\n"))
		}
		section, body = nil, false
	}
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if heading := !code && strings.HasPrefix(line, "#"); heading && body {
			end()
		} else if !heading && strings.TrimSpace(line) != "" {
			body = true
		}
		section = append(section, line)
	}
	end()
	return out
}

// headingOf is the last of the headings that a section begins with, "" if it has
// none.
func headingOf(section string) (name string) {
	for line := range strings.Lines(section) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "#"):
			name = strings.TrimSpace(strings.TrimLeft(line, "#"))
		case line != "":
			return name
		}
	}
	return name
}

// leastSection is what of a long section is told at least, if it is told at all.
const leastSection = 500

// takeSections takes what fits of the sections: all of each, as long as none takes
// the room of the others; of a long one its first lines. It returns the room that
// they take.
func (b *budget) takeSections(room int) (took int) {
	var costs []int
	for _, p := range b.sections {
		costs = append(costs, p.cost())
	}
	each := max(evenly(costs, room), leastSection)
	for _, p := range b.byValue(b.sections) {
		most := min(room-took, each)
		if p.value > 0 {
			most = min(room-took, 2*each) // it is about what is being worked on
		}
		if p.cost() > most {
			p.text, p.whole = b.beginning(p.text, most-(p.cost()-utf8.RuneCountInString(p.text))), false
		}
		if p.text != "" {
			p.taken = true
			took += p.cost()
		}
	}
	return took
}

// evenly is how much each of some may take so that together they take no more than
// there is: what short ones do not need goes to the long ones.
func evenly(costs []int, room int) int {
	sorted := slices.Sorted(slices.Values(costs))
	for i, n := range sorted {
		if n*(len(sorted)-i) > room {
			return max(room, 0) / (len(sorted) - i)
		}
		room -= n
	}
	return room + 1<<20 // all of them fit
}

// beginning is a section's first lines in so much room, and how many more there
// are; "" if not even its heading and a beginning of what it says fit.
func (l Loader) beginning(section string, room int) string {
	lines := strings.Split(section, "\n")
	room -= utf8.RuneCountInString(l.more(len(lines))) + 3
	var kept []string
	said := false
	for i, line := range lines {
		size := utf8.RuneCountInString(line) + 1
		if size > room {
			if !said && room > 40 && !strings.HasPrefix(line, "#") {
				kept, said = append(kept, text.Clip(line, room-1)), true
				i++
			}
			if !said {
				return ""
			}
			if left := len(lines) - i; left > 0 {
				kept = append(kept, l.more(left))
			}
			return strings.Join(kept, "\n")
		}
		kept = append(kept, line)
		said = said || strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#")
		room -= size
	}
	return strings.Join(kept, "\n")
}

// more says that there are so many lines more.
func (l Loader) more(n int) string {
	return l.Lang.Pick("… ("+strconv.Itoa(n)+" more)", "…（还有 "+strconv.Itoa(n)+" 条）")
}

// leftOut says on one line how much is not told, and how to ask for it; "" if all
// of it is.
func (b *budget) leftOut() string {
	facts, sections := b.older, 0
	for _, p := range b.facts {
		if !p.taken && !p.again {
			facts++
		}
	}
	var names []string
	for _, p := range b.sections {
		if !p.taken || !p.whole {
			sections++
			names = append(names, fence.Foreign(text.Clip(p.name, 30)))
		}
	}
	var parts []string
	if facts > 0 {
		least, zhLeast := "", ""
		if b.older > 0 { // of older files not all are looked through
			least, zhLeast = "at least ", "至少 "
		}
		parts = append(parts, b.Lang.Pick(least+text.Count(facts, "more fact"), zhLeast+strconv.Itoa(facts)+" 条事实"))
	}
	if sections > 0 {
		list := text.Clip(strings.Join(names, b.Lang.Pick(", ", "、")), 120)
		parts = append(parts, b.Lang.Pick("parts of "+text.Count(sections, "section")+" of the pages ("+list+")", "页面中 "+strconv.Itoa(sections)+" 节的内容（"+list+"）"))
	}
	if len(parts) == 0 {
		return ""
	}
	line := b.Lang.Pick("Not shown: ", "未列出：") + strings.Join(parts, b.Lang.Pick("; ", "；"))
	if b.Search != "" {
		line += b.Lang.Pick(". Search: ", "。搜索：") + b.Search
	}
	return line
}
