package runner

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// How much the log keeps of an input that a hook changed, in bytes of each side: of one
// argument, and of all.
const (
	maxArgument  = 2 << 10
	maxArguments = 8 << 10
	aroundChange = 3 // lines before and behind what differs
)

// changeOf is what a hook changed in the input of a call, for a log that holds no
// inputs: the arguments that differ, without what looks like a secret; of a text
// the lines that differ and a few around them. What the hook left alone stays out.
func changeOf(before, after protocol.Object) (was, is protocol.Object) {
	cleanBefore, cleanAfter := whole(before), whole(after)
	names := make([]string, 0, len(before))
	for _, o := range []protocol.Object{before, after} {
		for _, m := range o {
			if !bytes.Equal(before.Get(m.Name), after.Get(m.Name)) && !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	sizes := 0
	for _, name := range names {
		a, b := argument(cleanBefore, before, name), argument(cleanAfter, after, name)
		a, b = apart(a, b)
		if sizes += max(len(a), len(b)); sizes > maxArguments {
			a, b = size(before.Get(name)), size(after.Get(name))
		}
		if a != nil {
			was.Set(name, a)
		}
		if b != nil {
			is.Set(name, b)
		}
	}
	return was, is
}

// whole is an input without its secrets. It is searched as a whole, because what gives
// a secret away may be on another line or in another argument. Arguments that are too
// large to be searched are left out.
func whole(o protocol.Object) protocol.Object {
	left, all := maxInput, make(protocol.Object, 0, len(o))
	for _, m := range o {
		if left -= len(m.Value); left < 0 {
			left += len(m.Value)
			continue
		}
		all = append(all, m)
	}
	clean, _ := redact.Log.JSON(all.Raw(), nil)
	return protocol.ObjectOf(clean)
}

// argument is an argument of an input without its secrets, nil if there is none. If its
// name was a secret itself, or nobody searched it, only its size is given.
func argument(clean, o protocol.Object, name string) protocol.Raw {
	switch {
	case !o.Has(name):
		return nil
	case clean.Has(name):
		return clean.Get(name)
	}
	return size(o.Get(name))
}

func size(raw protocol.Raw) protocol.Raw {
	if raw == nil {
		return nil
	}
	return protocol.Raw(`{"omitted_bytes": ` + strconv.Itoa(len(raw)) + "}")
}

// apart are two values without the lines that both begin with and both end with.
func apart(a, b protocol.Raw) (protocol.Raw, protocol.Raw) {
	if !isText(a) || !isText(b) {
		return short(a), short(b)
	}
	was, is := slices.Collect(strings.Lines(protocol.TextOf(a))), slices.Collect(strings.Lines(protocol.TextOf(b)))
	n := min(len(was), len(is))
	first := 0
	for first < n && was[first] == is[first] {
		first++
	}
	last := 0
	for last < n-first && was[len(was)-1-last] == is[len(is)-1-last] {
		last++
	}
	first, last = max(0, first-aroundChange), max(0, last-aroundChange)
	return hunk(was, first, last), hunk(is, first, last)
}

// hunk is a text without so many of its first and last lines.
func hunk(lines []string, first, last int) protocol.Raw {
	body := strings.Join(lines[first:len(lines)-last], "")
	if first > 0 {
		body = "… " + text.Count(first, "line") + "\n" + body
	}
	if len(body) > maxArgument {
		return short(protocol.Quote(body))
	}
	if last > 0 {
		body += "… " + text.Count(last, "line") + "\n"
	}
	return protocol.Quote(body)
}

func isText(raw protocol.Raw) bool { return bytes.HasPrefix(raw, []byte(`"`)) }

// short is a value as long as it may be: of a longer text its beginning.
func short(raw protocol.Raw) protocol.Raw {
	if len(raw) <= maxArgument {
		return raw
	}
	if !isText(raw) {
		return size(raw)
	}
	s := protocol.TextOf(raw)
	head := text.HeadBytes(s, maxArgument)
	return protocol.Quote(head + "… " + strconv.Itoa(len(s)-len(head)) + " more bytes")
}
