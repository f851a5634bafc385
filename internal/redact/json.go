package redact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// JSON is a JSON value without its secrets, and whether it held any: the texts
// redacted like all others, and whatever the name of a member or the option
// before it in a list says to be one. The values of ids stay though they look
// drawn by lot. A secret may be the name of a member; two that become the same
// are told apart by a number. last, if not nil, has every text after that.
func (p Policy) JSON(raw protocol.Raw, last func(string) string) (clean protocol.Raw, changed bool) {
	var heard []string
	w := walk{rules: policies[p], last: last}
	w.rules.heard = &heard
	if clean = w.value("", raw); len(heard) == 0 {
		return clean, w.changed
	}
	w = walk{rules: policies[p], last: last, heard: heard}
	return w.value("", raw), true
}

type walk struct {
	rules   rules
	last    func(string) string
	changed bool
	heard   []string // what a program is told to read: echo says it in a command of its own
	said    []string // what goes from the command that is walked
}

func (w *walk) value(name string, raw protocol.Raw) protocol.Raw {
	if len(raw) == 0 {
		return raw
	}
	switch raw[0] {
	case '{':
		return w.object(raw)
	case '[':
		list := protocol.ElementsOf(raw)
		flag := "" // --token before its value
		for i, e := range list {
			list[i] = w.value(cmp.Or(flag, name), e)
			if flag = protocol.TextOf(e); !strings.HasPrefix(flag, "-") || w.rules.secret(flag) == nil || strings.Contains(flag, "=") {
				flag = ""
			}
		}
		if name == "argv" || slices.Contains(protocol.ArgumentMembers[:], name) || protocol.IsCommand(name) {
			w.words(list)
		}
		return protocol.ListOf(list, func(e protocol.Raw) protocol.Raw { return e })
	case '"':
		return protocol.Quote(w.text(name, protocol.TextOf(raw)))
	}
	if k := w.rules.secret(name); k != nil && string(raw) != "null" && !(name == "pass" && raw[0] != 't' && len(raw) <= 6) { // so many tests
		w.changed = true
		return protocol.Quote(w.rules.mark(k))
	}
	if k := w.rules.personal(name, string(raw)); k != nil {
		w.changed = true
		return protocol.Quote(w.rules.mark(k))
	}
	return raw
}

// words redacts the words of a command, of which one says what the next one is: -u, NAME:PASSWORD.
func (w *walk) words(list []protocol.Raw) {
	texts := make([]string, len(list))
	for i, e := range list {
		if texts[i] = protocol.TextOf(e); e[0] != '"' {
			return
		}
	}
	line := strings.Join(texts, " ")
	clean := w.rules.text(line, nil)
	if clean == line {
		return
	}
	w.changed = true
	for i, word := range texts {
		rest, same := strings.CutPrefix(clean, word)
		if same = same && (rest == "" || rest[0] == ' '); !same {
			word, rest, _ = strings.Cut(clean, " ")
			list[i] = protocol.Quote(word)
		} else {
			rest = strings.TrimPrefix(rest, " ")
		}
		clean = rest
	}
}

func (w *walk) object(raw protocol.Raw) protocol.Raw {
	o := protocol.ObjectOf(raw)
	out := make(protocol.Object, 0, len(o))
	if argv := protocol.ElementsOf(o.Get("argv")); len(argv) > 0 {
		outer := w.said
		w.said = append(w.heard[:len(w.heard):len(w.heard)], login(protocol.TextOf(argv[0]))...)
		defer func() { w.said = outer }()
	}
	pair := cmp.Or(w.rules.secret(o.Text("name")), w.rules.secret(o.Text("key"))) // {"name": "Authorization", "value": x}
	for _, m := range o {
		if pair != nil && m.Name == "value" {
			m.Value = w.value("secret", m.Value)
			out = append(out, m)
			continue
		}
		name := w.rules.text(m.Name, nil)
		if name != m.Name {
			w.changed = true
			for i, first := 2, name; out.Has(name); i++ {
				name = first + " " + strconv.Itoa(i)
			}
		}
		out = append(out, protocol.Member{Name: name, Value: w.value(m.Name, m.Value)})
	}
	return out.Raw()
}

func (w *walk) text(name, s string) string {
	clean := s
	k := w.rules.secret(name)
	switch {
	case k != nil && s != "":
		clean = w.rules.mark(k)
	case number(s) && anotherThing(name):
	case idName(name) && len(s) <= longestID:
		// What tells sessions and calls apart looks drawn by lot, and has to stay.
		named := w.rules
		named.random = false
		clean = named.text(s, nil)
	default:
		if clean = w.rules.text(s, nil); clean == s {
			if k := w.rules.personal(name, s); k != nil {
				clean = w.rules.mark(k)
			}
		}
	}
	for _, v := range w.said {
		clean = strings.ReplaceAll(clean, v, w.rules.mark(&wholes[urlInfo]))
	}
	w.changed = w.changed || clean != s
	if w.last != nil {
		clean = w.last(clean)
	}
	return clean
}

// login is the password of a command that is none but what stands behind the "://" of an
// address: name:password@host.
func login(word string) []string {
	at := strings.LastIndexByte(word, '@')
	name, password, ok := strings.Cut(word[:max(at, 0)], ":")
	host := word[at+1:]
	if !ok || len(password) < 2 || host == "" || strings.HasPrefix(host, "sha256") || strings.ContainsAny(name, "/ ") || strings.ContainsAny(password, "/ ") || reference(password) || strings.Contains(password, "[") {
		return nil
	}
	return []string{password}
}

// longestID is how long an id may be, in bytes.
const longestID = 200

// idName reports whether a member's name says that its value is an id.
func idName(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "-id") || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID") || strings.HasSuffix(name, "uuid")
}

func number(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// personal is what the name of a member says of its value, all of which has to look
// like a number or an address of a person; nil if nothing.
func (p *rules) personal(name, s string) *kind {
	if name == "" || len(name) > longest || len(s) > 200 || !hasDigit(s) && !strings.Contains(s, "@") {
		return nil
	}
	sc := scan{s: name + ": " + s, p: p}
	from := len(sc.s) - len(s)
	c := sc.home(len(name), 1)
	if at := strings.IndexByte(s, '@'); at > 0 {
		c = sc.mail(from + at)
	} else if !c.ok() {
		c = sc.figure(from)
	}
	if c.from != from || c.to != len(sc.s) {
		return nil
	}
	return c.kind
}

// secret is what the name of a member, a header or an option says of its value,
// whatever that looks like; nil if nothing for sure.
func (p *rules) secret(name string) *kind {
	name = strings.TrimLeft(name, "-")
	if name == "" || len(name) > longest || directory(name) {
		return nil
	}
	for k := range headers {
		if strings.EqualFold(headers[k].expr, name) && p.takes(&headers[k]) {
			return &headers[k]
		}
	}
	var buf [2 * longest]byte
	if k := (&scan{p: p}).kindOf(normal(buf[:0], name)); k != nil && k.expr[0] != '?' {
		return k
	}
	return nil
}
