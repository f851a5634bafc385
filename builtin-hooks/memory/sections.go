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

// sections are those of MEMORY.md, then of NOTES.md, the project's before the user's, and of
// each page the user's own parts before the repository's.
func (l Loader) sections(about *Focus) (out []*piece) {
	for _, p := range l.places() {
		for _, name := range Pages() {
			parts, err := p.TrueNow(name, l.Now)
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
					out = append(out, &piece{text: s, let: part.let, whole: true, name: cmp.Or(headingOf(s), name), value: about.of(s) - float64(len(out))/1000})
				}
			}
		}
	}
	return out
}

// parted are the sections of a page, each with its heading. What precedes the first heading is
// a section, too; headings in code blocks do not count.
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

// headingOf is the last of the headings at the beginning of a section, "" if it has none.
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

// leastSection is the least part of a long section that is worth loading.
const leastSection = 500

// takeSections takes the sections that fit, and returns the size of what it took: those about the
// present work, those that need no more than an even share, and of the long ones as many as get
// enough of what is left, from the first page on.
func (b *budget) takeSections(room int) (took int) {
	each := evenly(costs(b.sections), room)
	var work, short, long []*piece
	for _, p := range b.byValue(b.sections) {
		switch {
		case p.value > 0:
			work = append(work, p)
		case p.cost() <= each:
			short = append(short, p)
		default:
			long = append(long, p)
		}
	}
	for _, p := range work {
		took += b.take(p, min(room-took, 2*max(each, leastSection)))
	}
	for _, p := range short {
		took += b.take(p, room-took)
	}
	first := long[:min(len(long), max((room-took)/leastSection, 1))]
	each = evenly(costs(first), room-took)
	for i, p := range long {
		if most := room - took; i < len(first) {
			took += b.take(p, min(most, each))
		} else if most >= leastSection/2 {
			took += b.take(p, most)
		}
	}
	return took
}

func costs(list []*piece) (out []int) {
	for _, p := range list {
		out = append(out, p.cost())
	}
	return out
}

// take takes a section or, if it is larger than that, its first lines, and returns the size of what
// it took.
func (b *budget) take(p *piece, most int) int {
	if p.cost() > most {
		p.text, p.whole = b.beginning(p.text, most-(p.cost()-utf8.RuneCountInString(p.text))), false
	}
	if p.text == "" {
		return 0
	}
	p.taken = true
	return p.cost()
}

// evenly is how much each of some may take so that together they fit: what short ones do not
// need goes to the long ones.
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

// beginning is as many of a section's first lines as fit, and the number of the others; "" if
// not even its heading and the beginning of its text fit.
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

// more says that so many lines follow.
func (l Loader) more(n int) string {
	return l.Lang.Pick("… ("+strconv.Itoa(n)+" more)", "…（还有 "+strconv.Itoa(n)+" 条）")
}

// leftOut says on one line how much was left out, and how to ask for it; "" if nothing was.
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
		if b.least { // not all older files are read
			least, zhLeast = "at least ", "至少 "
		}
		parts = append(parts, b.Lang.Pick(least+text.Count(facts, "more fact"), zhLeast+strconv.Itoa(facts)+" 条事实"))
	}
	if sections > 0 {
		list := b.Lang.Pick(" (", "（") + text.Clip(strings.Join(names, b.Lang.Pick(", ", "、")), 120) + b.Lang.Pick(")", "）")
		if b.brief > 0 {
			list = ""
		}
		parts = append(parts, b.Lang.Pick("parts of "+text.Count(sections, "section")+" of the pages"+list, "页面中 "+strconv.Itoa(sections)+" 节的内容"+list))
	}
	if b.fewer && b.brief < briefest {
		parts = append(parts, b.Lang.Pick("parts of the last session", "上次会话的部分内容"))
	}
	if b.unsaid > 0 {
		parts = append(parts, b.Lang.Pick(text.Count(b.unsaid, "session")+" noted automatically", strconv.Itoa(b.unsaid)+" 次自动记录的会话"))
	}
	if len(parts) == 0 {
		return ""
	}
	line := b.Lang.Pick("Not shown: ", "未列出：") + strings.Join(parts, b.Lang.Pick("; ", "；"))
	search := b.Search
	if _, words, ok := strings.Cut(search, " memory search"); ok && b.brief > 0 && b.Below {
		search = "… memory search" + words
	}
	if search != "" && b.brief < briefest {
		line += b.Lang.Pick(". Search: ", "。搜索：") + search
	}
	return line
}
