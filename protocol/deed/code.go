package deed

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Programs in other languages that a call gives to an interpreter, split into tokens:
// the same way for Python, JavaScript, Perl, Ruby and PHP, which differ in comments and
// quotes.

// codeOf is a program in the words of an interpreter: python3 -c CODE. reads reports
// whether there is none, nor a file, so that its standard input is run; file is the one
// that is run.
func codeOf(language string, args []string) (code, file string, reads bool) {
	inline := map[string]string{protocol.Python: "c", protocol.JavaScript: "ep", protocol.Perl: "eE", protocol.Ruby: "e", protocol.PHP: "rBRE", protocol.Lua: "e", protocol.RLanguage: "e", protocol.AppleScript: "e"}[language]
	valued := map[string]string{protocol.Python: "WXQ", protocol.JavaScript: "rC", protocol.Perl: "IMmF", protocol.Ruby: "IrEFCK", protocol.PHP: "dczS", protocol.Lua: "l", protocol.AWK: "vFfil", protocol.AppleScript: "ls"}[language]
	var parts []string
	if language == protocol.AWK {
		if o := operands(args, "vFfilEe", "--file", "--include", "--assign", "--field-separator"); len(o.rest) > 0 && !o.has("f", "--file") {
			return o.rest[0], "", false
		}
		return "", "", false
	}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		long, value, is := strings.Cut(arg, "=")
		switch {
		case arg == "-" || isInput(arg):
			return strings.Join(parts, "\n"), "", len(parts) == 0
		case language == protocol.Python && arg == "-m":
			return "", "", false
		case language == protocol.JavaScript && (arg == "eval" || long == "--eval" || long == "--print"):
			if !is && i+1 < len(args) {
				i++
				value = args[i]
			}
			parts = append(parts, value)
		case arg == "--":
			if i+1 < len(args) && len(parts) == 0 {
				file = args[i+1]
			}
			return strings.Join(parts, "\n"), file, len(parts) == 0 && file == ""
		case strings.HasPrefix(arg, "--"):
		case len(arg) > 1 && arg[0] == '-':
			last := arg[len(arg)-1:]
			switch {
			case strings.Contains(inline, last) && i+1 < len(args):
				i++
				parts = append(parts, args[i])
				if language == protocol.Python {
					return args[i], "", false
				}
			case strings.Contains(valued, last) && len(arg) == 2:
				i++
			}
		case language == protocol.JavaScript && (arg == "run" || arg == "repl"):
		case len(parts) > 0:
			return strings.Join(parts, "\n"), "", false // its arguments
		default:
			return "", arg, false
		}
	}
	return strings.Join(parts, "\n"), "", len(parts) == 0
}

// A lexeme of a program.
type lexeme struct {
	kind  byte // 'i' a name, 's' a text, 'l' the words of a list, 'x' a line for a shell, 'n' the end of a statement, else the mark itself
	text  string
	loose bool // a text into which values are put
}

// tokens splits a program; a quote that is never closed is no quote.
func tokensOf(t, text string) (out []lexeme) {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n' || c == ';':
			out = append(out, lexeme{kind: 'n'})
			i++
		case c == '$' && t == protocol.JavaScript && strings.HasPrefix(text[i+1:], "`"): // what Bun and zx run
			made, next := quoted(t, text, i+1)
			if made.kind == 's' {
				made.kind = 'x'
			}
			out, i = append(out, made), next
		case c == ' ' || c == '\t' || c == '\r' || c == '\\' || c == '$' || c == '@':
			i++
		case c == '#' && t != protocol.JavaScript && t != protocol.Lua || c == '-' && t == protocol.Lua && strings.HasPrefix(text[i:], "--") || strings.HasPrefix(text[i:], "//") && (t == protocol.JavaScript || t == protocol.PHP):
			i += max(strings.IndexByte(text[i:], '\n'), 1)
			if end := strings.IndexByte(text[i-1:], '\n'); end < 0 {
				return out
			}
		case strings.HasPrefix(text[i:], "/*") && (t == protocol.JavaScript || t == protocol.PHP):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return out
			}
			i += end + 4
		case isLetter(c) || c == '_':
			end := i + 1
			for end < len(text) && (isLetter(text[end]) || text[end] >= '0' && text[end] <= '9' || text[end] == '_') {
				end++
			}
			name := text[i:end]
			if made, next, ok := prefixed(t, name, text, end); ok {
				out, i = append(out, made), next
				continue
			}
			out, i = append(out, lexeme{kind: 'i', text: name}), end
		case c == '"' || c == '\'' || c == '`':
			made, next := quoted(t, text, i)
			out, i = append(out, made), next
		case c == '%' && t == protocol.Ruby && i+2 < len(text) && strings.IndexByte("wxqQ", text[i+1]) >= 0 && !isLetter(text[i+2]):
			made, next := delimited(text[i+1], text, i+2)
			out, i = append(out, made), next
		default:
			out = append(out, lexeme{kind: c})
			i++
		}
	}
	return out
}

// prefixed is a text with letters before its quote: r'…' of Python, qw(…) of Perl.
func prefixed(t, name, text string, end int) (made lexeme, next int, ok bool) {
	if end >= len(text) {
		return made, 0, false
	}
	switch quote := text[end]; {
	case t == protocol.Python && len(name) < 3 && strings.Trim(strings.ToLower(name), "rbuf") == "" && (quote == '"' || quote == '\''):
		made, next = quoted(t, text, end)
		made.loose = strings.ContainsAny(name, "fF")
		return made, next, true
	case t == protocol.Perl && slices.Contains([]string{"q", "qq", "qw", "qx"}, name) && strings.IndexByte("({[/|!<", quote) >= 0:
		made, next = delimited(name[len(name)-1], text, end)
		return made, next, true
	}
	return made, 0, false
}

// delimited is a text between marks of the program's choice; the letter says what it is.
func delimited(letter byte, text string, at int) (lexeme, int) {
	closing := text[at]
	if i := strings.IndexByte("({[<", closing); i >= 0 {
		closing = ")}]>"[i]
	}
	end := strings.IndexByte(text[at+1:], closing)
	if end < 0 {
		return lexeme{kind: text[at]}, at + 1
	}
	made := lexeme{kind: 's', text: text[at+1 : at+1+end]}
	switch letter {
	case 'w':
		made.kind = 'l'
	case 'x':
		made.kind = 'x'
	}
	return made, at + end + 2
}

// quoted is the text in quotes that begins at a place.
func quoted(t, text string, at int) (lexeme, int) {
	quote := text[at : at+1]
	if t == protocol.Python && (strings.HasPrefix(text[at:], `"""`) || strings.HasPrefix(text[at:], `'''`)) {
		quote = text[at : at+3]
	}
	for i := at + len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '\n' && len(quote) == 1 && quote != "`" && (t == protocol.Python || t == protocol.JavaScript):
			return lexeme{kind: text[at]}, at + 1
		case strings.HasPrefix(text[i:], quote):
			made := lexeme{kind: 's', text: text[at+len(quote) : i], loose: quote == "`" || quote == `"` && t != protocol.Python && t != protocol.JavaScript}
			if strings.IndexByte(made.text, '\\') >= 0 {
				made.text = ansi(made.text)
			}
			if quote == "`" && t != protocol.JavaScript {
				made.kind = 'x'
			}
			return made, i + len(quote)
		}
	}
	return lexeme{kind: text[at]}, at + 1
}
