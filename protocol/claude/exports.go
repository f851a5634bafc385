package claude

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// maxExports limits the variables of one hook.
const maxExports = 500

// exports are the variables that a hook wrote into the file that CLAUDE_ENV_FILE
// names. The program lets a shell read that file; we take only lines
//
//	export NAME=value
//
// with quotes, and $NAME for a variable. Nothing in it is run. Any other line is
// reported and left out.
func (h *ear) exports(e protocol.End) (env protocol.Object) {
	getenv := func(name string) string {
		if env.Has(name) {
			return env.Text(name)
		}
		if e.Getenv == nil {
			return ""
		}
		return e.Getenv(name)
	}
	other := 0
	for line := range strings.Lines(strings.ToValidUTF8(string(e.EnvFile), "\uFFFD")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		rest, exported := strings.CutPrefix(line, "export ")
		name, word, assigned := strings.Cut(strings.TrimLeft(rest, " \t"), "=")
		value, ok := unquoted(word, getenv)
		if !exported || !assigned || !ok || !variableName(name) || len(env) >= maxExports {
			other++
			continue
		}
		env.SetText(name, value)
	}
	if other > 0 {
		h.note("CLAUDE_ENV_FILE: %d lines of another form than export NAME=value; left out", other)
	}
	return env
}

func variableName(name string) bool {
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', i > 0 && c >= '0' && c <= '9':
		default:
			return false
		}
	}
	return name != ""
}

// unquoted is a shell word as text; false if the shell would have to run something
// for it, or if it is more than one word.
func unquoted(word string, getenv func(string) string) (string, bool) {
	var b strings.Builder
	double := false
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c == '\'' && !double:
			end := strings.IndexByte(word[i+1:], '\'')
			if end < 0 {
				return "", false
			}
			b.WriteString(word[i+1 : i+1+end])
			i += end + 1
		case c == '"':
			double = !double
		case c == '\\':
			if i++; i == len(word) {
				return "", false
			}
			if double && strings.IndexByte("$`\"\\", word[i]) < 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(word[i])
		case c == '$':
			name, size := reference(word[i+1:])
			if name == "" {
				return "", false
			}
			b.WriteString(getenv(name))
			i += size
		case c == '`', !double && strings.IndexByte(" \t;&|<>()*?[~#", c) >= 0 && !(c == '#' && i > 0):
			rest := strings.TrimLeft(word[i:], " \t")
			if c != '`' && (rest == "" || rest[0] == '#') && (c == ' ' || c == '\t') {
				return b.String(), true // a comment
			}
			return "", false
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), !double
}

// reference is the variable after a dollar sign, and the length of that reference.
func reference(s string) (name string, size int) {
	if strings.HasPrefix(s, "{") {
		end := strings.IndexByte(s, '}')
		if end < 0 || !variableName(s[1:end]) {
			return "", 0 // mutant: without a name nothing is read of the rest
		}
		return s[1:end], end + 1
	}
	for size < len(s) && variableName(s[:size+1]) {
		size++
	}
	return s[:size], size
}
