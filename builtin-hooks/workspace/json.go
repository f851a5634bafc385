package workspace

import (
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// pretty spells a document as the original does: two spaces a level, a value a
// line. Strings and numbers stay as they are spelled.
func pretty(o protocol.Object) []byte {
	return appendPretty(make([]byte, 0, 4096), protocol.Raw(o.Raw()), "\n")
}

// Pretty is a value over several lines, as the files have it.
func Pretty(raw protocol.Raw) []byte { return appendPretty(nil, raw, "\n") }

func appendPretty(dst []byte, raw protocol.Raw, newline string) []byte {
	if len(raw) == 0 {
		return append(dst, "null"...)
	}
	deeper := newline + "  "
	switch raw[0] {
	case '{':
		o := protocol.ObjectOf(raw)
		if len(o) == 0 {
			return append(dst, "{}"...)
		}
		sep := byte('{')
		for _, m := range o {
			dst = append(append(dst, sep), deeper...)
			dst = append(protocol.AppendString(dst, m.Name), ": "...)
			dst = appendPretty(dst, m.Value, deeper)
			sep = ','
		}
		return append(append(dst, newline...), '}')
	case '[':
		list := protocol.ElementsOf(raw)
		if len(list) == 0 {
			return append(dst, "[]"...)
		}
		sep := byte('[')
		for _, v := range list {
			dst = append(append(dst, sep), deeper...)
			dst = appendPretty(dst, v, deeper)
			sep = ','
		}
		return append(append(dst, newline...), ']')
	}
	return append(dst, raw...)
}

// timeOf reads a time that is a number of milliseconds or a text of RFC 3339
// (BW-SES-10); zero if it is neither.
func timeOf(raw protocol.Raw) time.Time {
	if s := protocol.TextOf(raw); s != "" {
		return ParseStamp(s)
	}
	ms, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || ms <= 0 || ms > 1e15 {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms))
}

func millis(t time.Time) protocol.Raw { return strconv.AppendInt(nil, t.UnixMilli(), 10) }

// textsOf is a value that is an array of strings.
func textsOf(raw protocol.Raw) []string {
	var out []string
	for _, e := range protocol.ElementsOf(raw) {
		if s := protocol.TextOf(e); s != "" {
			out = append(out, s)
		}
	}
	return out
}
