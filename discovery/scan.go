package discovery

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// frontLine is the line of a file where its front matter begins.
const frontLine = 2

// readFront reads the front matter at the start of a file: by the pre-scan if that is
// sure, else by the YAML parser.
func readFront(b []byte) front {
	block, ok := CutFront(b)
	if !ok {
		return front{problems: []Problem{*uncut(b)}}
	}
	s := string(block)
	f, sure := prescan(s, frontLine)
	if !sure {
		f = parseYAML(s, frontLine)
	}
	f.block = s
	return f
}

// CutFront finds the front matter in the start of a file: the lines between a first
// line of three hyphens and the next one (HM-FMT-08 to 10). ok is false if there
// is none, or if it is not closed.
func CutFront(file []byte) (block []byte, ok bool) {
	first, rest, _ := bytes.Cut(bytes.TrimPrefix(file, []byte("\xef\xbb\xbf")), []byte("\n"))
	if !delimiter(first) {
		return nil, false
	}
	for at := 0; at < len(rest); {
		n := bytes.IndexByte(rest[at:], '\n')
		end := at + n
		if n < 0 {
			end = len(rest)
		}
		if delimiter(rest[at:end]) {
			return rest[:at], true
		}
		at = end + 1
	}
	return nil, false
}

// uncut says why no front matter was found in a file.
func uncut(b []byte) *Problem {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	first, _, _ := bytes.Cut(b, []byte("\n"))
	if !delimiter(first) {
		return noFront(b)
	}
	p := fatal(field{line: 1, col: 1}, "", `close it with a line that holds nothing but "---"`,
		"the front matter is not closed")
	if len(b) >= maxFrontMatter {
		p.Message += " within its first 64 KiB"
	}
	return &p
}

// delimiter reports whether a line is three hyphens, followed by nothing but blanks.
func delimiter(line []byte) bool {
	return len(line) >= 3 && line[0] == '-' && line[1] == '-' && line[2] == '-' &&
		len(bytes.TrimRight(line[3:], " \t\r")) == 0
}

// prescan reads plain front matter, as nearly all is, without the YAML parser, which
// took 70 % of the time of discovery. It is sound, as a fuzz test checks: it is never
// sure of anything that the YAML parser would read differently, down to the places. It
// knows one value per line, in the plain, single-quoted or (nearly) escape-free
// double-quoted style, and one level of matcher and metadata. It is not sure of
// anything else.
func prescan(block string, line int) (f front, sure bool) {
	if !plainBytes(block) {
		return f, false
	}
	s := prescanner{front: &f, line: line}
	for len(block) > 0 {
		var text string
		text, block, _ = strings.Cut(block, "\n")
		text = strings.TrimSuffix(text, "\r")
		rest := strings.TrimLeft(text, " ")
		if rest != "" && rest[0] != '#' && !s.entry(rest, len(text)-len(rest)) {
			return f, false
		}
		s.line++
	}
	return f, s.endSection()
}

// plainBytes reports whether a text has only characters that YAML and a line reader
// treat alike: no tabs, no controls, no other line breaks.
func plainBytes(s string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= ' ' && c < 0x7f || c == '\n':
			i++
		case c == '\r' && i+1 < len(s) && s[i+1] == '\n':
			i += 2
		case c < utf8.RuneSelf:
			return false
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 || r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff {
				return false
			}
			i += n
		}
	}
	return true
}

type prescanner struct {
	*front
	line    int
	section key // keyMatcher or keyMetadata, whose entries are being read; 0 for none
	indent  int // of the section's entries, 0 before the first
	names   [16]string
	count   int // names of metadata so far
}

// entry reads one line that is not blank, without its indentation.
func (s *prescanner) entry(rest string, indent int) bool {
	colon := strings.IndexByte(rest, ':')
	if colon <= 0 || colon+1 < len(rest) && rest[colon+1] != ' ' {
		return false
	}
	name, value := rest[:colon], strings.TrimLeft(rest[colon+1:], " ")
	value, col := strings.TrimRight(value, " "), indent+len(rest)-len(value)+1
	if indent == 0 {
		return s.top(name, value, col)
	}
	if s.section == 0 || s.indent != 0 && s.indent != indent {
		return false
	}
	if s.indent == 0 {
		s.indent = indent
		s.fields[s.section] = field{kind: mapping, line: s.line, col: indent + 1}
	}
	if s.section == keyMatcher {
		k, ok := matcherKey(name)
		return ok && s.set(k, value, col)
	}
	return s.metadata(name, value, col)
}

func (s *prescanner) top(name, value string, col int) bool {
	k, ok := topKey(name)
	if !ok || !s.endSection() {
		return false
	}
	if k != keyMatcher && k != keyMetadata {
		return s.set(k, value, col)
	}
	if value != "" || s.fields[k].kind != absent {
		return false
	}
	s.section, s.indent = k, 0
	return true
}

// endSection ends the entries of matcher or metadata; an empty section is a null, which
// is left to the YAML parser.
func (s *prescanner) endSection() bool {
	ok := s.section == 0 || s.indent > 0
	s.section = 0
	return ok
}

func (s *prescanner) metadata(name, value string, col int) bool {
	if s.count == len(s.names) || !plainName(name) {
		return false
	}
	if slices.Contains(s.names[:s.count], name) {
		return false
	}
	s.names[s.count] = name
	s.count++
	if k, ok := metadataKey(name); ok {
		return s.set(k, value, col)
	}
	s.foreign = s.foreign || foreignKey(name)
	_, _, ok := scalar(value)
	return ok
}

// plainName reports whether a key of metadata is beyond doubt.
func plainName(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return s != ""
}

func (s *prescanner) set(k key, value string, col int) bool {
	if s.fields[k].kind != absent {
		return false
	}
	text, plain, ok := scalar(value)
	if !ok {
		return false
	}
	kind := kindOf(text, plain)
	if kind == absent {
		return false
	}
	s.fields[k] = field{kind, text, s.line, col}
	return true
}

// scalar reads one value of one line, followed at most by a comment.
func scalar(s string) (value string, plain, ok bool) {
	if s == "" {
		return "", false, false
	}
	switch s[0] {
	case '\'':
		value, ok = singleQuoted(s[1:])
	case '"':
		value, ok = doubleQuoted(s[1:])
	default:
		value, ok = plainScalar(s)
		plain = true
	}
	return value, plain, ok
}

func plainScalar(s string) (string, bool) {
	switch c := s[0]; {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c >= utf8.RuneSelf:
	case c == '_', c == '/', c == '.', c == '^', c == '(', c == '\\', c == '$', c == '+':
	default:
		return "", false
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimRight(s[:i], " ")
	}
	if s[len(s)-1] == ':' || strings.Contains(s, ": ") {
		return "", false
	}
	return s, true
}

func singleQuoted(s string) (string, bool) {
	for i := 0; i < len(s); i++ {
		if s[i] != '\'' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			i++
			continue
		}
		return strings.ReplaceAll(s[:i], "''", "'"), comment(s[i+1:])
	}
	return "", false
}

// doubleQuoted knows only the escapes \\ and \".
func doubleQuoted(s string) (string, bool) {
	escapes := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i == len(s) || s[i] != '\\' && s[i] != '"' {
				return "", false
			}
			escapes = true
		case '"':
			value := s[:i]
			if escapes {
				value = unescape(value)
			}
			return value, comment(s[i+1:])
		}
	}
	return "", false
}

func unescape(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// comment reports whether only a comment follows a quoted value.
func comment(s string) bool {
	t := strings.TrimLeft(s, " ")
	return t == "" || t[0] == '#' && len(t) < len(s)
}

// kindOf is the type that YAML gives a scalar, absent if that is hard to tell.
func kindOf(s string, plain bool) kind {
	if !plain {
		return text
	}
	switch c := s[0]; {
	case c >= '0' && c <= '9':
		return plainInteger(s)
	case c == '+' || c == '.':
		return absent
	}
	switch s {
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return boolean
	case "null", "Null", "NULL":
		return absent
	}
	return text
}

func plainInteger(s string) kind {
	if len(s) > 9 || s[0] == '0' && len(s) > 1 {
		return absent
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return absent
		}
	}
	return integer
}

// topKey is a key of the front matter itself.
func topKey(s string) (key, bool) {
	switch s {
	case "name":
		return keyName, true
	case "description":
		return keyDescription, true
	case "trigger":
		return keyTrigger, true
	case "matcher":
		return keyMatcher, true
	case "timeout":
		return keyTimeout, true
	case "async":
		return keyAsync, true
	case "priority":
		return keyPriority, true
	case "metadata":
		return keyMetadata, true
	}
	return 0, false
}

func matcherKey(s string) (key, bool) {
	switch s {
	case "tool":
		return keyTool, true
	case "pattern":
		return keyPattern, true
	case "command":
		return keyCommand, true
	case "path":
		return keyPath, true
	case "content":
		return keyContent, true
	}
	return 0, false
}

func metadataKey(s string) (key, bool) {
	switch s {
	case "on_error":
		return keyOnError, true
	case "loop_limit":
		return keyLoopLimit, true
	case "may_allow":
		return keyMayAllow, true
	case "sandbox":
		return keySandbox, true
	case "on_unsupported":
		return keyOnUnsupported, true
	case "dialect":
		return keyDialect, true
	case "command":
		return keyRun, true
	case "plugin_root":
		return keyPluginRoot, true
	case "event":
		return keyEvent, true
	}
	return 0, false
}

// foreignKey reports whether a key of metadata marks a HOOK.md as OpenClaw's, under any
// of the names it has had.
func foreignKey(s string) bool { return s == "openclaw" || s == "moltbot" || s == "clawdbot" }
