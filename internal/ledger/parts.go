package ledger

import (
	"slices"
	"strings"
)

// Parts are a text, taken apart by whose it is.
type Parts struct {
	Known   string // what may be told, in its order
	Own     string // of that, what was written here
	Let     string // and what was let in of the repository, under its headings
	Rest    string // what nobody has looked at, under its headings
	Waiting []Key  // the pieces of that
}

// Page takes a page of Markdown apart. forms are pages that programs begin with:
// what stands there as it does in them says nothing, and is known.
func (l *Ledger) Page(text string, forms ...string) Parts {
	if l == nil {
		return Parts{Known: text, Own: text}
	}
	l.About()
	pieces := Pieces(text)
	whose := l.whose(pieces, forms)
	if !slices.ContainsFunc(whose, func(w Whose) bool { return w != Own }) {
		return Parts{Known: text, Own: text}
	}
	var known, own strings.Builder
	var let, rest excerpt
	var parts Parts
	known.WriteString(text[:pieces[0].Start])
	own.WriteString(text[:pieces[0].Start])
	for i, p := range pieces {
		end := len(text)
		if i+1 < len(pieces) {
			end = pieces[i+1].Start
		}
		part := text[p.Start:end]
		if whose[i] == purged {
			continue
		}
		let.add(p.level, part, whose[i] != Own && whose[i] != Nobody, whose[i] != Nobody)
		rest.add(p.level, part, whose[i] == Nobody, true)
		if whose[i] == Nobody {
			parts.Waiting = append(parts.Waiting, p.Key)
			if part = ruler(part); p.level > 0 {
				part = ""
			}
		}
		known.WriteString(part)
		if whose[i] == Own || whose[i] == Nobody {
			own.WriteString(part)
		}
	}
	parts.Known, parts.Own = unlessBlank(known.String()), unlessBlank(own.String())
	parts.Let, parts.Rest = let.text.String(), rest.text.String()
	return parts
}

// An excerpt is some pieces of a page, each under its headings.
type excerpt struct {
	text  strings.Builder
	above [6]string // headings that the text does not have yet
}

// add takes a piece that is meant, and holds a heading for those below it if it
// may stand there.
func (e *excerpt) add(level int, part string, meant, may bool) {
	if level > 0 {
		clear(e.above[level-1:])
		if may && !meant {
			e.above[level-1] = part
		}
	}
	if !meant {
		return
	}
	for _, heading := range e.above {
		e.text.WriteString(heading)
	}
	clear(e.above[:])
	e.text.WriteString(part)
}

func unlessBlank(text string) string {
	if strings.Trim(text, "\ufeff \t\r\n") == "" {
		return ""
	}
	return text
}

// ruler is what parts a piece from the next one: the mark at the end of front
// matter, and an empty line.
func ruler(part string) string {
	var kept string
	for line := range strings.Lines(part) {
		switch bare := strings.TrimSpace(line); {
		case bare == "---":
			kept = line
		case bare != "":
			kept = ""
		case kept == "":
			kept = line
		}
	}
	return kept
}

// whose says of each piece whose it is.
func (l *Ledger) whose(pieces []Piece, forms []string) []Whose {
	list := make([]Whose, len(pieces))
	for i, p := range pieces {
		if list[i] = l.Of(p.Key); list[i] == Own {
			continue
		}
		if l.Purged(p.Key) {
			list[i] = purged
			continue
		}
		if p.form {
			list[i] = Own
			continue
		}
		if l.formed(p.Key, forms) {
			list[i] = Own
		}
	}
	return list
}

// formed reports whether a piece is one that pages begin with.
func (l *Ledger) formed(k Key, forms []string) bool {
	for _, form := range forms {
		if l.forms[form] == nil {
			if l.forms == nil {
				l.forms = map[string][]Key{}
			}
			l.forms[form] = PageKeys(form)
		}
		if slices.Contains(l.forms[form], k) {
			return true
		}
	}
	return false
}

// Lines leaves of a file of lines those that are known.
func (l *Ledger) Lines(text []byte) []byte {
	if l == nil {
		return text
	}
	l.About()
	out := make([]byte, 0, len(text))
	for line := range strings.Lines(string(text)) {
		if l.Of(LineKey([]byte(line))) != Nobody { // which purged ones are
			out = append(out, line...)
		}
	}
	return out
}

// NotePage remembers what is new in a page that is about to replace another one.
// What nobody has looked at stays that, wherever it stands now: a change around it
// lets nothing in.
func (l *Ledger) NotePage(before, now string, forms ...string) {
	if l == nil {
		return
	}
	l.About()
	old := Pieces(before)
	foreign := map[string]Whose{}
	for i, w := range l.whose(old, forms) {
		if w != Own {
			foreign[old[i].Text] = w
		}
	}
	pieces := Pieces(now)
	fresh := map[Whose][]Key{}
	for i, w := range l.whose(pieces, forms) {
		if w != Nobody {
			continue
		}
		if was, is := foreign[pieces[i].Text]; !is {
			fresh[Own] = append(fresh[Own], pieces[i].Key)
		} else if was != Nobody {
			fresh[was] = append(fresh[was], pieces[i].Key)
		}
	}
	for whose, keys := range fresh {
		l.tell(l.add(whose, keys))
	}
}

// NoteLine remembers a line of a file of lines that is about to replace another
// one, nil if it is a new one. Whose the old one was, the new one is.
func (l *Ledger) NoteLine(before, now []byte) {
	if l == nil {
		return
	}
	whose := Own
	if before != nil {
		whose = l.Of(LineKey(before))
	}
	if whose != Nobody {
		l.tell(l.add(whose, []Key{LineKey(now)}))
	}
}
