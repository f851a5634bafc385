package discovery

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A rewrite replaces a part of a file.
type rewrite struct {
	start, end int
	text       string
	problem    Problem // the problem that it repairs
}

// Fix rewrites what has one clear meaning in a HOOK.md. It returns the new content, or
// the old one if nothing was repaired, and the problems that it repaired, with their
// places in the old content:
//
//   - double-quoted texts with escapes that YAML does not know, and regular
//     expressions in which "\b" became a backspace: to single quotes;
//   - plain texts that contain ": ": into quotes;
//   - event names from drafts or in another spelling, and agents' own names for
//     events: to the format's names;
//   - numbers outside their range: to the bound that is used anyway; but a timeout
//     that was probably meant in seconds is converted only if Mending.Seconds says so;
//   - blanks before the first line: removed.
//
// All other bytes stay as they are.
func Fix(file []byte, how Mending) ([]byte, []Problem) {
	var mended []Problem
	// One rewrite can uncover problems that the YAML parser could not reach before.
	for range 100 {
		r, ok := firstRewrite(file, how)
		if !ok {
			break
		}
		file = slices.Concat(file[:r.start], []byte(r.text), file[r.end:])
		mended = append(mended, r.problem)
	}
	return file, mended
}

// A Mending provides facts that this package does not know.
type Mending struct {
	// Event is the event that an agent calls by this name, "" if there is none.
	Event func(name string) protocol.EventType
	// Seconds says whether a timeout was meant in seconds; nil: it was not.
	Seconds func(at Problem) bool
}

func firstRewrite(file []byte, how Mending) (rewrite, bool) {
	bom := len(file) - len(bytes.TrimPrefix(file, []byte("\xef\xbb\xbf")))
	block, ok := CutFront(file)
	if !ok {
		problem := uncut(file)
		rest := bytes.TrimLeft(file[bom:], " \t\r\n")
		if problem.Fix != "remove the blanks before it" {
			return rewrite{}, false
		}
		return rewrite{bom, len(file) - len(rest), "", *problem}, true
	}
	s := string(block)
	if _, bad := badByte(s, frontLine); bad {
		return rewrite{}, false
	}
	start := len(file) - len(bytes.TrimPrefix(file[bom:], []byte("---")))
	start += bytes.IndexByte(file[start:], '\n') + 1
	r, ok := blockRewrite(s, frontLine, how)
	r.start, r.end = r.start+start, r.end+start
	return r, ok
}

// blockRewrite finds the first thing to repair in a front matter.
func blockRewrite(block string, line int, how Mending) (rewrite, bool) {
	for _, s := range doubleQuotedScalars(block) {
		if bad, _ := unknownEscape(s.source[1 : len(s.source)-1]); bad != "" && !strings.Contains(s.source, "\n") {
			return s.rewrite(line, s.source+" holds "+bad+", which is no escape of YAML"), true
		}
	}
	if _, err := decodeYAML(block); err != nil {
		s, ok := bareText(block)
		if !ok || !strings.Contains(err.Error(), "mapping values are not allowed") {
			return rewrite{}, false
		}
		return s.rewrite(line, quoted(s.source)+` holds ": ", which plain text must not`), true
	}
	f := parseYAML(block, line)
	if anyFatal(f.problems) {
		return rewrite{}, false
	}
	for _, k := range []key{keyTrigger, keyTimeout, keyPriority, keyTool, keyPattern, keyCommand, keyPath, keyContent} {
		if r, ok := f.rewrite(k, block, line, how); ok {
			return r, true
		}
	}
	return rewrite{}, false
}

// rewrite puts a scalar into single quotes.
func (s spot) rewrite(line int, message string) rewrite {
	at := field{kind: text, text: s.source, line: s.line + line - 1, col: s.col}
	return rewrite{s.start, s.end, s.single(), wrong(at, s.key, "written in single quotes", "%s", message)}
}

// rewrite repairs the value of one key.
func (f *front) rewrite(k key, block string, line int, how Mending) (r rewrite, ok bool) {
	v := f.fields[k]
	source, start := sourceOf(block, v, line)
	if source == "" {
		return r, false
	}
	better := ""
	switch k {
	case keyTrigger:
		if v.kind == text {
			if better = eventMeant(v.text); better == "" && how.Event != nil && !protocol.EventType(v.text).Known() {
				better = string(how.Event(v.text))
			}
		}
	case keyTimeout, keyPriority:
		if m, err := strconv.Atoi(v.text); k == keyTimeout && err == nil && secondsMeant(m) {
			if how.Seconds != nil && how.Seconds(wrong(v, keyNames[k], "", "%s", v.text)) {
				better = strconv.Itoa(m * 1000)
			}
			break
		}
		if n, ok := spanOf(k).clamp(v); ok && strings.TrimLeft(v.text, "+0") != strings.TrimLeft(strconv.Itoa(n), "0") {
			better = strconv.Itoa(n)
		}
	default:
		if strings.HasPrefix(source, `"`) && strings.ContainsRune(v.text, '\b') && !strings.Contains(source, "\n") {
			better = spot{source: source}.single()
		}
	}
	if better == "" || better == source {
		return r, false
	}
	return rewrite{start, start + len(source), better, wrong(v, keyNames[k], "written as "+better, "%s", source)}, true
}

// eventMeant is the event that a trigger means in another spelling, "" if it is already
// an event or means none.
func eventMeant(s string) string {
	if protocol.EventType(s).Known() {
		return ""
	}
	if t, ok := oldEvent(s); ok {
		return string(t)
	}
	if t := protocol.EventType(kebab(s)); t.Known() {
		return string(t)
	}
	if t, ok := oldEvent(kebab(s)); ok {
		return string(t)
	}
	return ""
}

// sourceOf is a one-line scalar as written in the block, and its offset there; "" if
// that cannot be told simply.
func sourceOf(block string, v field, line int) (source string, start int) {
	if v.kind == absent || v.line < line {
		return "", 0
	}
	for range v.line - line {
		n := strings.IndexByte(block[start:], '\n')
		if n < 0 {
			return "", 0
		}
		start += n + 1
	}
	rest, _, _ := strings.Cut(block[start:], "\n")
	for range v.col - 1 {
		_, n := utf8.DecodeRuneInString(rest)
		rest, start = rest[n:], start+n
	}
	if strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "'") {
		quote := rest[0]
		for i := 1; i < len(rest); i++ {
			switch {
			case quote == '"' && rest[i] == '\\', quote == '\'' && strings.HasPrefix(rest[i:], "''"):
				i++
			case rest[i] == quote:
				return rest[:i+1], start
			}
		}
		return "", 0
	}
	if !strings.HasPrefix(rest, v.text) {
		return "", 0
	}
	return v.text, start
}
