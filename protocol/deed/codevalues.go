package deed

import (
	"path"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// What the names and the expressions of a program stand for.

// A value is what an expression of a program is, as far as that is plain.
type value struct {
	text  string
	list  []string
	file  bool // it is a path, or an open file, and not only a text
	known bool
	means [2]string // a function that is given to another one: its module and name
}

// joinedPath is a path made of several texts, of which each must be known; several paths
// if one of them is a name that may have several.
func joinedPath(parts []value) value {
	at := slices.IndexFunc(parts, func(p value) bool { return len(p.list) > 1 && len(p.list) <= maxBraces })
	if at < 0 {
		return onePath(parts)
	}
	all, parts := value{file: true}, slices.Clone(parts)
	for _, text := range parts[at].list {
		parts[at] = value{text: text, known: true}
		one := onePath(parts)
		if !one.known {
			return value{}
		}
		all.list = append(all.list, one.text)
	}
	all.text, all.known = all.list[0], true
	return all
}

func onePath(parts []value) value {
	var names []string
	for _, p := range parts {
		if !p.known {
			return value{}
		}
		if strings.HasPrefix(p.text, "/") || p.text == "~" || strings.HasPrefix(p.text, "~/") {
			names = nil
		}
		names = append(names, p.text)
	}
	if len(names) == 0 {
		return value{text: ".", file: true, known: true}
	}
	joined := path.Join(names...)
	if len(joined) > maxFolder {
		return value{}
	}
	return value{text: joined, file: true, known: true}
}

// grow adds to what a name has: a text, or elements of a list.
func (p *coded) grow(name string, v value) {
	have := p.values[name]
	switch {
	case !have.known || !v.known || len(have.text)+len(v.text) > maxFolder || len(have.list)+len(v.list) > maxList:
		have = value{}
	case have.list != nil:
		have.list = append(slices.Clip(have.list), v.list...)
	default:
		have.text += v.text
	}
	p.give(name, have)
}

// added are two values that are put together: two texts, two lists, or a text and each of
// those that a name may have.
func added(v, w value) value {
	sum := value{text: v.text + w.text, known: v.known && w.known}
	switch {
	case !sum.known || len(sum.text) > maxFolder || len(v.list)+len(w.list) > maxList:
		return value{}
	case v.list != nil && w.list != nil:
		sum.list = slices.Concat(v.list, w.list)
	case len(v.list)+len(w.list) > maxBraces:
		return value{}
	case v.list != nil:
		for _, text := range v.list {
			sum.list = append(sum.list, text+w.text)
		}
	case w.list != nil:
		for _, text := range w.list {
			sum.list = append(sum.list, v.text+text)
		}
	}
	if slices.ContainsFunc(sum.list, func(text string) bool { return len(text) > maxFolder }) {
		return value{}
	}
	return sum
}

// give notes the value of a name. What all of them come to is limited.
func (p *coded) give(name string, v value) {
	for _, text := range v.list {
		p.given += len(text)
	}
	if p.given += len(v.text); p.given > maxListed {
		p.unread = "a program whose texts come to over 1 MiB"
		return
	}
	p.values[name] = v
}

// listedValues is a list of values, of which those that are not plain stay out.
func listedValues(args []value) (v value) {
	for _, a := range args {
		if a.known && a.list == nil {
			v.list = append(v.list, a.text)
		} else {
			v.list = append(v.list, "")
		}
	}
	v.known = len(v.list) > 0
	if v.known {
		v.text = v.list[0]
	}
	return v
}

// filled is a text with the values of the names in it: one for each that a name may have.
func (p *coded) filled(t lexeme) value {
	v, name := p.fill(t, "", "")
	if name != "" && v.known {
		for _, text := range p.values[name].list {
			one, _ := p.fill(t, name, text)
			v.list = append(v.list, one.text)
		}
	}
	return v
}

// fill is a text with the values of the names in it: f"{d}/x", `${d}/x`, "$d/x",
// "#{d}/x". It is unknown if one of them is. The name as stands for a text; several is a
// name that may have more than one.
func (p *coded) fill(t lexeme, as, text string) (made value, several string) {
	if !t.loose {
		return value{text: t.text, known: true}, ""
	}
	of := func(name string) (string, bool) {
		v := p.values[name]
		switch {
		case name == as && as != "":
			return text, true
		case several == "" && len(v.list) > 1 && len(v.list) <= maxBraces:
			several = name
		}
		return v.text, v.known
	}
	var b strings.Builder
	for i := 0; i < len(t.text); i++ {
		c := t.text[i]
		opens := p.language == protocol.Python && c == '{' || strings.HasPrefix(t.text[i:], "${") || p.language == protocol.Ruby && strings.HasPrefix(t.text[i:], "#{")
		bare := (p.language == protocol.Perl || p.language == protocol.PHP) && c == '$' && !opens
		switch {
		case opens:
			end := strings.IndexByte(t.text[i:], '}')
			if end < 0 {
				return value{}, ""
			}
			text, known := of(strings.Trim(t.text[i:i+end], "{}$# "))
			if !known {
				return value{}, ""
			}
			b.WriteString(text)
			i += end
		case bare:
			end := i + 1
			for end < len(t.text) && (isLetter(t.text[end]) || t.text[end] == '_') {
				end++
			}
			text, known := of(t.text[i+1 : end])
			if !known {
				return value{}, ""
			}
			b.WriteString(text)
			i = end - 1
		default:
			b.WriteByte(c)
		}
		if b.Len() > maxFolder {
			return value{}, ""
		}
	}
	return value{text: b.String(), known: true}, several
}
