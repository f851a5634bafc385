package merge

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Config merges three versions of a workspace.json.
func Config(base, ours, theirs []byte) ([]byte, error) {
	var docs [3]protocol.Object
	for i, b := range [][]byte{base, ours, theirs} {
		if b == nil {
			continue
		}
		o, err := protocol.ParseObject(b)
		if err != nil {
			return nil, err
		}
		docs[i] = o
	}
	return workspace.Pretty((&merger{}).object(docs[0], docs[1], docs[2]).Raw()), nil
}

// A page is front matter and sections.
type page struct {
	fields, sections []part
}

type part struct{ name, text string }

func (p page) get(list func(page) []part, name string) (string, bool) {
	for _, s := range list(p) {
		if s.name == name {
			return s.text, true
		}
	}
	return "", false
}

func fields(p page) []part   { return p.fields }
func sections(p page) []part { return p.sections }

// split takes a page apart. What comes before the first section has no name.
func split(text string) (p page) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if head, body, ok := strings.Cut(rest, "\n---\n"); ok {
			for line := range strings.Lines(head) {
				name, value, _ := strings.Cut(strings.TrimRight(line, "\n"), ":")
				p.fields = append(p.fields, part{name, value})
			}
			text = body
		}
	}
	at := part{}
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			p.sections = append(p.sections, at)
			at = part{name: strings.TrimSpace(name)}
			continue
		}
		at.text += line
	}
	p.sections = append(p.sections, at)
	return p
}

// Page merges three versions of a page. Where both changed a text, both stand there.
func Page(base, ours, theirs string) string {
	b, o, t := split(base), split(ours), split(theirs)
	later, _ := o.get(fields, "updatedAt")
	if other, _ := t.get(fields, "updatedAt"); other > later {
		later = other
	}
	var out strings.Builder
	if len(o.fields)+len(t.fields) > 0 {
		out.WriteString("---\n")
		for _, name := range named(o, t, fields) {
			x, xok := o.get(fields, name)
			y, yok := t.get(fields, name)
			was, _ := b.get(fields, name)
			switch mine, _ := o.get(fields, "updatedAt"); {
			case name == "updatedAt":
				x = later
			case !xok, yok && was == x, yok && was != y && mine != later:
				x = y
			}
			out.WriteString(name + ":" + x + "\n")
		}
		out.WriteString("---\n")
	}
	for _, name := range named(o, t, sections) {
		x, xok := o.get(sections, name)
		y, yok := t.get(sections, name)
		was, _ := b.get(sections, name)
		if name == "" { // what stands before the first section
			out.WriteString(Text(was, x, y))
			continue
		}
		out.WriteString("## " + name + "\n")
		switch {
		case !yok:
			out.WriteString(ended(x))
		case !xok:
			out.WriteString(ended(y))
		default:
			out.WriteString(ended(Text(was, x, y)))
		}
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// ended is a section as it is written before another one.
func ended(s string) string {
	if s != "" && !strings.HasSuffix(s, "\n\n") {
		return strings.TrimRight(s, "\n") + "\n\n"
	}
	return s
}

func named(a, b page, list func(page) []part) (out []string) {
	for _, s := range append(slices.Clone(list(a)), list(b)...) {
		if !slices.Contains(out, s.name) {
			out = append(out, s.name)
		}
	}
	return out
}

// Text merges three versions of a text: lists line by line; other texts stand there
// one after the other.
func Text(base, ours, theirs string) string {
	b, o, t := strings.TrimSpace(base), strings.TrimSpace(ours), strings.TrimSpace(theirs)
	switch {
	case o == t, b == t:
		return ours
	case b == o, o == "":
		return theirs
	case t == "":
		return ours
	}
	if listed(o) && listed(t) {
		text := strings.Join(List(lines(b), lines(o), lines(t)), "\n")
		if remark, rest, ok := strings.Cut(text, "\n- "); ok && strings.HasPrefix(remark, ">") {
			text = remark + "\n\n- " + rest
		}
		return "\n" + text + "\n\n"
	}
	if strings.Contains(o, t) {
		return ours
	}
	if strings.Contains(t, o) {
		return theirs
	}
	return "\n" + o + "\n\n" + t + "\n\n"
}

// listed reports whether a text is a list, a table or remarks, and nothing else.
func listed(text string) bool {
	return !slices.ContainsFunc(lines(text), func(line string) bool {
		return !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, ">")
	})
}

// lines are the non-empty lines of a text.
func lines(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n \t"); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// Log merges two versions of a log: every row of both, by their times.
func Log(ours, theirs string) string {
	var head []string
	var rows []string
	for _, text := range []string{ours, theirs} {
		count := map[string]int{}
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\r\n")
			if !isRow(line) {
				if text == ours && len(rows) == 0 {
					head = append(head, line)
				}
				continue
			}
			// Two equal rows of one person are two; one of each is the same.
			if count[line]++; count[line] > counted(rows, line) {
				rows = append(rows, line)
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b string) int { return strings.Compare(when(a), when(b)) })
	return strings.Join(append(head, rows...), "\n") + "\n"
}

func counted(rows []string, line string) (n int) {
	for _, r := range rows {
		if r == line {
			n++
		}
	}
	return n
}

func isRow(line string) bool {
	return strings.HasPrefix(line, "| ") && len(line) > 12 && line[2] >= '0' && line[2] <= '9'
}

func when(row string) string { return strings.TrimSpace(row[2:min(len(row), 22)]) }
