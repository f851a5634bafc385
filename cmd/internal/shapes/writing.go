package shapes

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A writing rewrites a payload: each text in it, each list of texts, and the names of
// members that may be paths. The functions say whether they put in what is wanted.
type writing struct {
	text func(string) (string, bool)
	list func([]string) ([]string, bool) // nil: lists are their texts
	name func(string) (string, bool)     // nil: names stay
	// program is given the words of a member command with those of args beside it.
	program func([]string) ([]string, bool)
	done    bool
}

func (w *writing) object(o protocol.Object) protocol.Object {
	if w.program != nil && o.Has("args") {
		words := []string{o.Text("command")}
		words = append(words, protocol.TextsOf(o.Get("args"))...)
		if better, ok := w.program(words); ok {
			o = o.Clone()
			o.SetText("command", better[0])
			o.Set("args", protocol.TextList(better[1:]))
			w.done = true
			return o
		}
	}
	out := make(protocol.Object, 0, len(o))
	for _, m := range o {
		if w.name != nil && strings.ContainsAny(m.Name, "./") {
			if name, ok := w.name(m.Name); ok {
				m.Name, w.done = name, true
			}
		}
		out = append(out, protocol.Member{Name: m.Name, Value: w.value(m.Value)})
	}
	return out
}

func (w *writing) value(v protocol.Raw) protocol.Raw {
	switch {
	case len(v) == 0:
	case v[0] == '{':
		return w.object(protocol.ObjectOf(v)).Raw()
	case v[0] == '[':
		return w.elements(v)
	case v[0] == '"':
		return protocol.Quote(w.string(protocol.TextOf(v)))
	}
	return v
}

func (w *writing) elements(v protocol.Raw) protocol.Raw {
	list := protocol.ElementsOf(v)
	var words []string
	for _, e := range list {
		if len(e) > 0 && e[0] == '"' {
			words = append(words, protocol.TextOf(e))
		}
	}
	if w.list != nil && len(words) == len(list) {
		if better, ok := w.list(words); ok {
			w.done = true
			return protocol.TextList(better)
		}
	}
	return protocol.ListOf(list, w.value)
}

// string writes a text, or the JSON that is in it.
func (w *writing) string(s string) string {
	if len(s) > 1 && (s[0] == '{' || s[0] == '[') && protocol.ValidValue([]byte(s)) == nil {
		return string(w.value(protocol.Raw(s)))
	}
	out, ok := w.text(s)
	w.done = w.done || ok
	return out
}

// patched is a patch of the same grammar that makes one change, where a text is a
// patch.
func patched(text string, c protocol.Change, dir string) (string, bool) {
	lines := func(mark, s string) string {
		return mark + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+mark) + "\n"
	}
	old := ""
	if c.HasOld {
		old = lines("-", c.Old)
	}
	path := Relative(c.Path, dir)
	switch {
	case strings.Contains(text, "*** Begin Patch"):
		body := "*** Add File: " + path + "\n" + lines("+", c.New)
		switch {
		case c.Action == protocol.Delete:
			body = "*** Delete File: " + path + "\n"
		case c.Action == protocol.Move:
			body = "*** Update File: " + path + ".old\n*** Move to: " + path + "\n"
		case c.HasOld:
			body = "*** Update File: " + path + "\n@@\n" + old + lines("+", c.New)
		}
		return "*** Begin Patch\n" + body + "*** End Patch", true
	case strings.Contains(text, "+++ ") && strings.Contains(text, "@@"):
		return "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n" + old + lines("+", c.New), true
	}
	for _, mark := range []string{"<<<<<<<", "-------"} {
		if strings.Contains(text, mark+" SEARCH") {
			end := ">>>>>>>"
			if mark == "-------" {
				end = "+++++++"
			}
			return mark + " SEARCH\n" + c.Old + "\n=======\n" + strings.TrimSuffix(c.New, "\n") + "\n" + end + " REPLACE\n", true
		}
	}
	return "", false
}
