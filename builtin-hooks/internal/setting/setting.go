// Package setting describes the settings of a built-in behaviour: one table of
// [Setting], from which the documentation and hooks.toml are checked, and which
// [Resolve] reads.
//
// A value comes from the first of these that has a valid one: the environment, the
// project's hooks.toml, the user's, the system's, the configuration file of the program
// that the behaviour is compatible with, the default. A value that is out of range or
// of the wrong type is ignored: a setting never breaks a behaviour, and validate
// reports it.
package setting

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Kind is what a value may be.
type Kind uint8

const (
	Bool   Kind = iota
	Int         // int64, from Min to Max
	Number      // float64, from Min to Max
	Text        // string
	Choice      // one of Words
	List        // of strings; in the environment parted by commas
)

// A Reach is what a project's hooks.toml may do with a setting. The project is
// somebody else's, also where its hooks were approved: it may not send anything of
// a person anywhere.
type Reach uint8

const (
	Sets     Reach = iota
	Tightens       // to the default and to nothing else
	Nothing        // it is the person's own
	Below          // to a folder below the project
)

// A Setting is one key of [builtin.NAME].
type Setting struct {
	Key      string
	Kind     Kind
	Default  string   // as the environment would write it
	Min, Max float64  // of Int and Number
	Words    []string // of Choice
	Env      string   // the variable that wins over all files, "" if there is none
	// Also is where the same thing stands in the compatible program's own
	// configuration, dotted; "" if it has none.
	Also    string
	Project Reach
	Meaning string
}

// Reached reports whether a project's hooks.toml may set a value that
// [Setting.Check] lets through. A setting that it may tighten is no list.
func (s *Setting) Reached(raw any) bool {
	switch s.Project {
	case Sets:
		return true
	case Tightens:
		v, _ := s.Check(raw)
		d, ok := s.Parse(s.Default)
		return ok && v.Bool == d.Bool && v.Int == d.Int && v.Number == d.Number && v.Text == d.Text
	case Below:
		v, _ := s.Check(raw)
		return v.Text == "" || below(v.Text)
	}
	return false
}

// below reports whether a path is one below the folder that it is relative to, and out of what is
// git's and of the project's hooks. A short name of Windows, as GIT~1, may be any folder's.
func below(path string) bool {
	path = filepath.Clean(filepath.FromSlash(path))
	if path == "." || !filepath.IsLocal(path) {
		return false
	}
	parts := strings.Split(path, string(filepath.Separator))
	for i, part := range parts {
		parts[i] = strings.ToLower(strings.TrimRight(part, ". "))
	}
	if len(parts) > 1 && parts[0] == ".agents" && parts[1] == "hooks" {
		return false
	}
	return !slices.ContainsFunc(parts, func(part string) bool {
		_, number, short := strings.Cut(part, "~")
		return part == ".git" || short && number != "" && number[0] >= '0' && number[0] <= '9'
	})
}

// A Key is one that settings hold, and the server that it goes to.
type Key struct {
	Setting string // that holds it
	Key     string
	Server  string
}

// Values are the settings of a behaviour as they hold. The zero value of a Value
// that nobody knows is a bug of the caller and reads as nothing.
type Values []Value

// A Value is one setting as it holds, and where it is from.
type Value struct {
	Setting *Setting
	From    string // "environment", "hooks.toml", "own" (the compatible program's file), "default"
	Bool    bool
	Int     int
	Number  float64
	Text    string
	List    []string
}

// Raw is the value as [Setting.Check] takes it, lists as []string.
func (v Value) Raw() any {
	switch v.Setting.Kind {
	case Bool:
		return v.Bool
	case Int:
		return int64(v.Int)
	case Number:
		return v.Number
	case List:
		return v.List
	}
	return v.Text
}

// Of is the value of a key.
func (v Values) Of(key string) Value {
	for _, x := range v {
		if x.Setting.Key == key {
			return x
		}
	}
	return Value{}
}

// Sources are where values may come from; each may be nil.
type Sources struct {
	Env   func(name string) string
	Files map[string]any          // [builtin.NAME] as hooks.toml has it, project over user over system
	Own   func(dotted string) any // the compatible program's file, by dotted key
}

// Resolve finds the value of each setting of a table.
func Resolve(table []Setting, from Sources) Values {
	out := make(Values, len(table))
	for i := range table {
		out[i] = resolve(&table[i], from)
	}
	return out
}

func resolve(s *Setting, from Sources) Value {
	if s.Env != "" && from.Env != nil {
		if text := strings.TrimSpace(from.Env(s.Env)); text != "" {
			if v, ok := s.Parse(text); ok {
				v.From = "environment"
				return v
			}
		}
	}
	if raw, ok := from.Files[s.Key]; ok {
		if v, ok := s.Check(raw); ok {
			v.From = "hooks.toml"
			return v
		}
	}
	if s.Also != "" && from.Own != nil {
		if v, ok := s.Check(from.Own(s.Also)); ok {
			v.From = "own"
			return v
		}
	}
	v, _ := s.Parse(s.Default)
	v.From = "default"
	return v
}

// Parse reads a value as it stands in the environment or a table.
func (s *Setting) Parse(text string) (Value, bool) {
	v := Value{Setting: s}
	switch s.Kind {
	case Bool:
		switch strings.ToLower(text) {
		case "1", "true", "yes", "on":
			v.Bool = true
		case "0", "false", "no", "off":
		default:
			return v, false
		}
		return v, true
	case Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return v, false
		}
		return s.Check(int64(n))
	case Number:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return v, false
		}
		return s.Check(n)
	case List:
		for _, e := range strings.Split(text, ",") {
			if e = strings.TrimSpace(e); e != "" {
				v.List = append(v.List, e)
			}
		}
		return v, true
	}
	return s.Check(text)
}

// Check takes a value as TOML or JSON gives it: string, int64, float64, bool or
// []any; false if it is not one that may stand here.
func (s *Setting) Check(raw any) (Value, bool) {
	v := Value{Setting: s}
	ok := false
	switch s.Kind {
	case Bool:
		v.Bool, ok = raw.(bool)
	case Int:
		var n float64
		n, ok = number(raw)
		ok = ok && n == math.Trunc(n) && n >= s.Min && n <= s.Max
		v.Int = int(n)
	case Number:
		v.Number, ok = number(raw)
		ok = ok && v.Number >= s.Min && v.Number <= s.Max
	case Text:
		v.Text, ok = raw.(string)
	case Choice:
		v.Text, ok = raw.(string)
		ok = ok && slices.Contains(s.Words, v.Text)
	case List:
		var list []any
		list, ok = raw.([]any)
		for _, e := range list {
			text, is := e.(string)
			if !is {
				return v, false
			}
			v.List = append(v.List, text)
		}
	}
	return v, ok
}

func number(raw any) (float64, bool) {
	switch n := raw.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, !math.IsNaN(n)
	}
	return 0, false
}

// Want says in words what a value has to be: "a whole number from 1 to 90".
func (s *Setting) Want() string {
	switch s.Kind {
	case Bool:
		return "true or false"
	case Int:
		return "a whole number from " + short(s.Min) + " to " + short(s.Max)
	case Number:
		return "a number from " + short(s.Min) + " to " + short(s.Max)
	case Choice:
		return `"` + strings.Join(s.Words, `" or "`) + `"`
	case List:
		return "an array of texts"
	}
	return "a text"
}

func short(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
