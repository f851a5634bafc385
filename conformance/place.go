package conformance

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A place is where one case is played: the throw-away directory and what lies
// in it. Cases name it by placeholders:
//
//	@ROOT@     the directory
//	@HOME@     the person's home directory
//	@PROJECT@  the project, @HOME@/project; the working directory unless said otherwise
//	@CONFIG@   …/agents of the user
//	@SYSTEM@   …/agents of the system
//	@OUT@      where hooks record what they saw
//	@APPROVE@  the command that approves project hooks, in scripts
//	@FILL:n@   n bytes of the letter x
//	@REPEAT:n:text@  the text n times
//	@OUT:word@ any of the paths as one quoted word of the shell, in a command that stands in another file
//
// How a path is written depends on the file: in scripts it is one quoted word
// of the shell, in .py a quoted string, in .json and .toml what may stand
// inside a quoted string, anywhere else the path itself.
type place struct {
	root    string
	approve []string
}

var placeholder = regexp.MustCompile(`@([A-Z]+)(?::([^@\n]*))?@`)

func (p place) home() string    { return filepath.Join(p.root, "home") }
func (p place) project() string { return filepath.Join(p.root, "home", "project") }
func (p place) out() string     { return filepath.Join(p.root, "out") }

func (p place) at(rel string) string { return filepath.Join(p.root, filepath.FromSlash(rel)) }

// path is the path that a placeholder names.
func (p place) path(name string) (string, bool) {
	switch name {
	case "ROOT":
		return p.root, true
	case "HOME":
		return p.home(), true
	case "PROJECT":
		return p.project(), true
	case "CONFIG":
		return p.at("home/.config/agents"), true
	case "SYSTEM":
		return p.at("etc/agents"), true
	case "OUT":
		return p.out(), true
	}
	return "", false
}

// A style is how a path is written.
type style func(string) string

func plainText(s string) string { return s }

func shellWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// jsonString is s in JSON without HTML escapes: the spelling that a hook is
// promised, which the exact cases compare.
func jsonString(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}

func insideJSON(s string) string { return strings.Trim(jsonString(s), `"`) }

// expand replaces the placeholders of a text. Their names were checked when the
// case was read.
func (p place) expand(text string, write style) string {
	if !strings.Contains(text, "@") {
		return text
	}
	return placeholder.ReplaceAllStringFunc(text, func(match string) string {
		m := placeholder.FindStringSubmatch(match)
		if path, ok := p.path(m[1]); ok {
			if m[2] == "word" {
				path = shellWord(path)
			}
			return write(path)
		}
		switch m[1] {
		case "FILL":
			n, _ := strconv.Atoi(m[2])
			return strings.Repeat("x", n)
		case "REPEAT":
			n, what, _ := strings.Cut(m[2], ":")
			count, _ := strconv.Atoi(n)
			return strings.Repeat(what, count)
		case "APPROVE":
			quoted := make([]string, len(p.approve))
			for i, w := range p.approve {
				quoted[i] = shellWord(w)
			}
			return strings.Join(quoted, " ")
		}
		return match
	})
}

// expandJSON replaces the placeholders in the strings of a JSON value.
func (p place) expandJSON(v any) any {
	switch v := v.(type) {
	case string:
		return p.expand(v, plainText)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = p.expandJSON(e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[p.expand(k, plainText)] = p.expandJSON(e)
		}
		return out
	}
	return v
}

// checkPlaceholders finds placeholders that do not exist.
func checkPlaceholders(text string) error {
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		var err error
		switch m[1] {
		case "ROOT", "HOME", "PROJECT", "CONFIG", "SYSTEM", "OUT":
			if m[2] != "" && m[2] != "word" {
				err = fmt.Errorf("takes only word")
			}
		case "APPROVE":
			if m[2] != "" {
				err = fmt.Errorf("takes no argument")
			}
		case "FILL":
			_, err = strconv.Atoi(m[2])
		case "REPEAT":
			n, what, _ := strings.Cut(m[2], ":")
			if _, err = strconv.Atoi(n); what == "" {
				err = fmt.Errorf("repeats nothing")
			}
		default:
			err = fmt.Errorf("no such placeholder")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m[0], err)
		}
	}
	return nil
}

// styleOf is how paths are written in a file.
func styleOf(path string) style {
	dir := filepath.Base(filepath.Dir(path))
	switch ext := filepath.Ext(path); {
	case ext == ".json" || ext == ".toml":
		return insideJSON
	case ext == ".py":
		return jsonString
	case dir == "scripts" || ext == ".sh":
		return shellWord
	}
	return plainText
}
