package ledger

import "strings"

// Parts are a text, taken apart by whose it is.
type Parts struct {
	Known   string // what may be told, in its order
	Own     string // of that, what was written here
	Let     string // and what was let in of the repository, under its headings
	Waiting []Key  // what nobody has looked at
}

// Page takes a page of Markdown apart. forms are pages that programs begin with:
// what stands there as it does in them says nothing, and is known.
func (l *Ledger) Page(text string, forms ...string) Parts {
	if l == nil {
		return Parts{Known: text, Own: text}
	}
	pieces := Pieces(text)
	whose := l.whose(pieces, forms)
	all := true
	for _, w := range whose {
		all = all && w == Own
	}
	if all {
		return Parts{Known: text, Own: text}
	}
	var parts Parts
	var known, own, let strings.Builder
	if len(pieces) > 0 {
		known.WriteString(text[:pieces[0].Start])
		own.WriteString(text[:pieces[0].Start])
	}
	var above [6]string // headings that let does not have yet
	for i, p := range pieces {
		end := len(text)
		if i+1 < len(pieces) {
			end = pieces[i+1].Start
		}
		part := text[p.Start:end]
		if whose[i] == Nobody {
			parts.Waiting = append(parts.Waiting, p.Key)
			if p.level == 0 {
				// What the piece leaves behind is what parted it from the next one.
				part = ruler(part)
				known.WriteString(part)
				own.WriteString(part)
			} else {
				clear(above[p.level-1:])
			}
			continue
		}
		known.WriteString(part)
		if whose[i] == Own {
			own.WriteString(part)
		}
		switch {
		case p.level > 0:
			clear(above[p.level-1:])
			above[p.level-1] = part
		case whose[i] != Own:
			for n := range above {
				let.WriteString(above[n])
			}
			clear(above[:])
			let.WriteString(part)
		}
	}
	parts.Known, parts.Own, parts.Let = unlessBlank(known.String()), unlessBlank(own.String()), let.String()
	return parts
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
	var known map[Key]bool
	for i, p := range pieces {
		if list[i] = l.Of(p.Key); list[i] == Own {
			continue
		}
		if p.form {
			list[i] = Own
			continue
		}
		if known == nil {
			known = map[Key]bool{}
			for _, form := range forms {
				for _, k := range PageKeys(form) {
					known[k] = true
				}
			}
		}
		if known[p.Key] {
			list[i] = Own
		}
	}
	return list
}

// Lines leaves of a file of lines those that are known.
func (l *Ledger) Lines(text []byte) []byte {
	if l == nil {
		return text
	}
	out := make([]byte, 0, len(text))
	for line := range strings.Lines(string(text)) {
		if l.Of(LineKey([]byte(line))) != Nobody {
			out = append(out, line...)
		}
	}
	return out
}

// NotePage remembers what is new in a page that is about to replace another one.
// What nobody has looked at stays that, wherever it stands now: a change around it
// lets nothing in.
func (l *Ledger) NotePage(before, now string, forms ...string) error {
	if l == nil {
		return nil
	}
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
		if err := l.add(whose, keys); err != nil {
			return err
		}
	}
	return nil
}

// NoteLine remembers a line of a file of lines that is about to replace another
// one, nil if it is a new one. Whose the old one was, the new one is.
func (l *Ledger) NoteLine(before, now []byte) error {
	if l == nil {
		return nil
	}
	whose := Own
	if before != nil {
		whose = l.Of(LineKey(before))
	}
	if whose == Nobody {
		return nil
	}
	return l.add(whose, []Key{LineKey(now)})
}
