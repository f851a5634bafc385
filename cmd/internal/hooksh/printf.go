package hooksh

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// printf writes its arguments by a format, which is repeated while there are more.
// Something that is not a number counts as 0, is reported, and makes the status 1, as
// in any shell.
func printf(out, errs io.Writer, args []string) (status int) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(errs, "printf: no format")
		return 1
	}
	p := printer{rest: args[1:]}
	for {
		before := len(p.rest)
		p.once(args[0])
		if p.stop || len(p.rest) == 0 || len(p.rest) == before {
			break
		}
	}
	io.WriteString(out, p.b.String())
	for _, wrong := range p.wrong {
		fmt.Fprintf(errs, "printf: %s\n", wrong)
		status = 1
	}
	return status
}

type printer struct {
	b     strings.Builder
	rest  []string
	wrong []string
	stop  bool // after \c, or a bad format
}

func (p *printer) next() string {
	if len(p.rest) == 0 {
		return ""
	}
	a := p.rest[0]
	p.rest = p.rest[1:]
	return a
}

func (p *printer) once(format string) {
	for len(format) > 0 && !p.stop {
		switch c := format[0]; {
		case c == '\\':
			var text string
			text, format, p.stop = escaped(format, false)
			p.b.WriteString(text)
		case c == '%' && strings.HasPrefix(format, "%%"):
			p.b.WriteByte('%')
			format = format[2:]
		case c == '%':
			format = p.verb(format)
		default:
			p.b.WriteByte(c)
			format = format[1:]
		}
	}
}

// verb writes one argument, by a % and its options, and returns the rest.
func (p *printer) verb(format string) string {
	spec, i := "%", 1
	for i < len(format) && strings.IndexByte("-+ #0", format[i]) >= 0 {
		spec += format[i : i+1]
		i++
	}
	precise := false
	for ; i < len(format); i++ {
		switch c := format[i]; {
		case c == '*':
			spec += strconv.FormatInt(p.number(p.next()), 10)
			continue
		case c == '.' && !precise:
			precise = true
			spec += "."
			continue
		case c >= '0' && c <= '9':
			spec += string(c)
			continue
		}
		break
	}
	if i == len(format) {
		p.wrong, p.stop = append(p.wrong, fmt.Sprintf("%q has no verb", format)), true
		return ""
	}
	switch c := format[i]; c {
	case 's':
		fmt.Fprintf(&p.b, spec+"s", p.next())
	case 'q':
		fmt.Fprintf(&p.b, spec+"s", quoted(p.next()))
	case 'b':
		text, stop := unescaped(p.next())
		fmt.Fprintf(&p.b, spec+"s", text)
		p.stop = stop
	case 'c':
		r, size := utf8.DecodeRuneInString(p.next())
		if size > 0 {
			fmt.Fprintf(&p.b, spec+"s", string(r))
		}
	case 'd', 'i':
		fmt.Fprintf(&p.b, strings.ReplaceAll(spec, "#", "")+"d", p.number(p.next()))
	case 'u':
		fmt.Fprintf(&p.b, strings.ReplaceAll(spec, "#", "")+"d", uint64(p.number(p.next())))
	case 'o', 'x', 'X':
		fmt.Fprintf(&p.b, spec+string(c), uint64(p.number(p.next())))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		text := strings.TrimSpace(p.next())
		n, err := strconv.ParseFloat(text, 64)
		if err != nil && text != "" {
			p.wrong = append(p.wrong, fmt.Sprintf("%q is not a number", text))
		}
		fmt.Fprintf(&p.b, spec+string(c), n)
	default:
		p.wrong, p.stop = append(p.wrong, fmt.Sprintf("%%%c is not a verb", c)), true
		return ""
	}
	return format[i+1:]
}

// number reads 12, -0x1f, 017, or 'c, whose number is that of the letter.
func (p *printer) number(text string) int64 {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0
	}
	if text[0] == '\'' || text[0] == '"' {
		r, _ := utf8.DecodeRuneInString(text[1:])
		return int64(r)
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		if u, uerr := strconv.ParseUint(text, 0, 64); uerr == nil {
			return int64(u)
		}
		p.wrong = append(p.wrong, fmt.Sprintf("%q is not a number", text))
	}
	return n
}

func unescaped(s string) (text string, stop bool) {
	var b strings.Builder
	for len(s) > 0 && !stop {
		if s[0] != '\\' {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		text, s, stop = escaped(s, true)
		b.WriteString(text)
	}
	return b.String(), stop
}

// escaped is what a backslash and the following characters mean. In an argument of %b
// an octal number begins with an additional 0.
func escaped(s string, argument bool) (text, rest string, stop bool) {
	if len(s) == 1 {
		return `\`, "", false
	}
	const names, bytes = `abefnrtv\"'`, "\a\b\x1b\f\n\r\t\v\\\"'"
	c := s[1]
	if i := strings.IndexByte(names, c); i >= 0 {
		return bytes[i : i+1], s[2:], false
	}
	digits, from, base := 3, 1, 8
	switch {
	case argument && c == 'c':
		return "", "", true
	case c == 'x':
		digits, from, base = 2, 2, 16
	case c == 'u':
		digits, from, base = 4, 2, 16
	case c == 'U':
		digits, from, base = 8, 2, 16
	case argument && c == '0':
		from = 2
	}
	end := from
	for end < len(s) && end < from+digits {
		if _, err := strconv.ParseUint(s[end:end+1], base, 8); err != nil {
			break
		}
		end++
	}
	if end == from {
		if argument && c == '0' {
			return "\x00", s[2:], false
		}
		return s[:2], s[2:], false
	}
	n, _ := strconv.ParseUint(s[from:end], base, 32)
	if c == 'u' || c == 'U' {
		return string(rune(n)), s[end:], false
	}
	return string([]byte{byte(n)}), s[end:], false
}

// quoted is a word that a shell reads back unchanged.
func quoted(s string) string {
	word, err := syntax.Quote(s, syntax.LangBash)
	if err != nil {
		return "''"
	}
	return word
}
