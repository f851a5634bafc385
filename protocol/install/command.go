package install

import (
	"errors"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Quote spells a command for a shell. What needs no quotes gets none.
func Quote(argv []string, q protocol.Quoting) string {
	if q == protocol.QuoteNone {
		return argv[0]
	}
	words := make([]string, len(argv))
	quoted := false
	for i, arg := range argv {
		words[i] = quoteWord(arg, q)
		quoted = quoted || i == 0 && words[i] != arg
	}
	command := strings.Join(words, " ")
	if quoted && q == protocol.QuotePowerShell {
		return "& " + command // a quoted word alone is a text there, not a program
	}
	return command
}

func quoteWord(s string, q protocol.Quoting) string {
	safe := `_-./:=\`
	switch q {
	case protocol.QuoteSh:
		return text.ShellWord(s)
	case protocol.QuoteCmd:
		safe += "@+"
	}
	plain := s != ""
	for _, c := range s {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune(safe, c)) {
			plain = false
		}
	}
	switch {
	case plain:
		return s
	case q == protocol.QuoteCmd:
		return `"` + s + `"` // what holds a quote was refused before
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

var errQuote = errors.New("a quote is not closed")

// Split takes a command apart as a shell does, without expanding anything;
// operators come out as words.
func Split(command string, q protocol.Quoting) ([]string, error) {
	var words []string
	var word strings.Builder
	open := false // a word has begun
	end := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	escape := byte('\\')
	switch q {
	case protocol.QuotePowerShell:
		escape = '`'
	case protocol.QuoteCmd:
		escape = '^'
	}
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			end()
		case c == escape && i+1 < len(command):
			i++
			word.WriteByte(command[i])
			open = true
		case c == '"' || c == '\'' && q != protocol.QuoteCmd:
			n, err := quotedPart(command[i:], escape, &word)
			if err != nil {
				return nil, err
			}
			i += n - 1
			open = true
		default:
			word.WriteByte(c)
			open = true
		}
	}
	end()
	if q == protocol.QuotePowerShell && len(words) > 1 && words[0] == "&" {
		words = words[1:]
	}
	return words, nil
}

// quotedPart reads the quoted text at the start of s, and says how long it is with its
// quotes. In single quotes nothing is special except, in PowerShell, two of them for
// one; in double quotes the escape is.
func quotedPart(s string, escape byte, word *strings.Builder) (int, error) {
	quote := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == quote && escape == '`' && i+1 < len(s) && s[i+1] == quote:
			word.WriteByte(quote)
			i++
		case s[i] == quote:
			return i + 1, nil
		case quote == '"' && s[i] == escape && escape != '^' && i+1 < len(s) && (escape == '`' || strings.IndexByte("\"\\$`", s[i+1]) >= 0):
			i++
			word.WriteByte(s[i])
		default:
			word.WriteByte(s[i])
		}
	}
	return 0, errQuote
}

// Ours reports whether a command is our dispatcher for an agent, wherever it
// lies and whatever its further flags.
func Ours(argv []string, d *protocol.Dialect) bool {
	return Dispatcher(argv) && d.Is(flagOf(argv, "agent"))
}

// Dispatcher reports whether a command is our dispatcher for some agent.
func Dispatcher(argv []string) bool {
	for len(argv) > 0 && assignment(argv[0]) {
		argv = argv[1:]
	}
	if len(argv) < 3 || argv[1] != "run" {
		return false
	}
	name := programName(argv[0])
	return (name == "agents-hooks" || name == "agents-hooks-run") && flagOf(argv, "agent") != ""
}

// programName is the name of a program's file, on any system.
func programName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if len(name) > 4 && strings.EqualFold(name[len(name)-4:], ".exe") {
		name = name[:len(name)-4]
	}
	return name
}

// flagOf is the value of a flag among the arguments of run.
func flagOf(args []string, flag string) string {
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			continue
		}
		name, value, inline := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case name != flag:
		case inline:
			return value
		case i+1 < len(args):
			return args[i+1]
		}
	}
	return ""
}

// assignment reports whether a word sets a variable for the command after it.
func assignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, `/\-.:`)
}
