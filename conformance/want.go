package conformance

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Want is what a step has to end with. A zero field is not looked at, but for
// the exit code, which is 0 unless said otherwise.
type Want struct {
	Exit      string   // "0", "2", "not 2", "killed"
	Stdout    *stdout  // nil: nothing, or an empty object
	Has       []text   // in stdout or stderr
	Lacks     []text   // in neither
	Match     []text   // regular expressions
	Warns     [][]text // for each, one line of stderr that has all the words
	StdoutMax int      // bytes
	StderrMax int      // bytes
	StderrNil bool     // stderr is empty
	Ran       []string // hooks that signed, in order; nil: not looked at
	Later     []string // async hooks that sign, in any order
	Saw       []saw
	Files     []fileWant
	Nowhere   []string // texts that no file below the home directory holds
	Untouched []string // paths below which nothing is read or written
	Log       []any    // for each, a line of the run log that it is a part of
	Within    time.Duration
	Survivors bool // processes may be left behind
}

// stdout is what the subject prints.
type stdout struct {
	exact []byte
	json  any   // subset
	lines []any // subset of each line
	any   bool
}

// A text is looked for in a stream.
type text struct {
	stream string // "stdout", "stderr", or the name of a hook's input
	text   string
}

// saw is what a hook read on stdin.
type saw struct {
	hook  string
	exact []byte
	json  any
	has   string
	lacks string
}

// fileWant is about a file, below the root or among what hooks recorded.
type fileWant struct {
	path  string
	gone  bool
	exact []byte
	has   string
	lacks string
}

// parse reads one of the files that say what is wanted.
func (w *Want) parse(name string, data []byte, line int) error {
	top, rest, _ := strings.Cut(name, "/")
	switch {
	case name == "want":
		return eachPair(data, line, w.set)
	case name == "want.json":
		v, err := parseWant(data)
		w.Stdout = &stdout{json: v}
		return err
	case name == "want.lines":
		w.Stdout = &stdout{}
		for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			v, err := parseWant([]byte(line))
			if err != nil {
				return err
			}
			w.Stdout.lines = append(w.Stdout.lines, v)
		}
		return nil
	case name == "want.log":
		v, err := parseWant(data)
		w.Log = append(w.Log, v)
		return err
	case name == "want.stdout":
		w.Stdout = &stdout{exact: data}
		return nil
	case top == "saw" && rest != "":
		w.Saw = append(w.Saw, saw{hook: rest, exact: data})
		return nil
	case top == "saw.json" && rest != "":
		v, err := parseWant(data)
		w.Saw = append(w.Saw, saw{hook: rest, json: v})
		return err
	case top == "out" && rest != "":
		w.Files = append(w.Files, fileWant{path: path.Join("out", rest), exact: data})
		return nil
	}
	return fmt.Errorf("%q: want one of want, want.json, want.lines, want.stdout, want.log, saw/HOOK, saw.json/HOOK, out/FILE", name)
}

// parseWant reads JSON that is wanted. Placeholders inside strings stay as they
// are until the case runs.
func parseWant(data []byte) (any, error) {
	v, err := decodeJSON(data)
	if err != nil {
		return nil, err
	}
	return v, checkOperators(v)
}

// set reads one wanted thing. The keys are a closed set.
func (w *Want) set(key, value string) error {
	value, err := unquote(value)
	if err != nil {
		return err
	}
	stream, check, _ := strings.Cut(key, "-")
	switch key {
	case "exit":
		w.Exit = value
		return validExit(value)
	case "stdout":
		w.Stdout = &stdout{any: value == "any"}
		return oneOf(value, "empty", "any")
	case "stderr":
		w.StderrNil = true
		return oneOf(value, "empty")
	case "stdout-at-most":
		w.StdoutMax, err = strconv.Atoi(value)
		return err
	case "stderr-at-most":
		w.StderrMax, err = strconv.Atoi(value)
		return err
	case "stdout-has", "stderr-has":
		w.Has = append(w.Has, text{stream, value})
	case "stdout-lacks", "stderr-lacks":
		w.Lacks = append(w.Lacks, text{stream, value})
	case "stdout-match", "stderr-match":
		w.Match = append(w.Match, text{stream, value})
		_, err = regexp.Compile(value)
		return err
	case "warns":
		var all []text
		for _, word := range strings.Fields(value) {
			all = append(all, text{"stderr", word})
		}
		w.Warns = append(w.Warns, all)
	case "ran", "later":
		return w.hooks(key, value)
	case "saw-has", "saw-lacks":
		return w.sawText(check, value)
	case "has-file", "no-file", "file-has", "file-lacks":
		return w.file(key, value)
	case "nowhere":
		w.Nowhere = append(w.Nowhere, value)
	case "untouched":
		p, err := treePath(value)
		w.Untouched = append(w.Untouched, p)
		return err
	case "within":
		w.Within, err = time.ParseDuration(value)
		return err
	case "survivors":
		w.Survivors = true
		return oneOf(value, "yes")
	default:
		return fmt.Errorf("unknown key")
	}
	return nil
}

// unquote takes a value that begins with a quotation mark as a JSON string, for
// control characters and blanks at the ends.
func unquote(value string) (string, error) {
	if !strings.HasPrefix(value, `"`) {
		return value, nil
	}
	var out string
	if err := json.Unmarshal([]byte(value), &out); err != nil {
		return "", fmt.Errorf("%s is not a JSON string: %w", value, err)
	}
	return out, nil
}

func validExit(value string) error {
	if value == "killed" {
		return nil
	}
	_, err := strconv.Atoi(strings.TrimPrefix(value, "not "))
	return err
}

func (w *Want) hooks(key, value string) error {
	names := words(value)
	if value == "none" {
		names = []string{}
	} else if len(names) == 0 {
		return fmt.Errorf("want hooks as LAYER/FOLDER, or none")
	}
	if key == "ran" {
		w.Ran = names
	} else {
		w.Later = names
	}
	return nil
}

func (w *Want) sawText(check, value string) error {
	hook, text, ok := strings.Cut(value, " ")
	if !ok {
		return fmt.Errorf("want LAYER/FOLDER TEXT")
	}
	s := saw{hook: hook}
	if check == "has" {
		s.has = text
	} else {
		s.lacks = text
	}
	w.Saw = append(w.Saw, s)
	return nil
}

// file reads a line about a file: "out/NAME" is what a hook recorded, any other
// path is as in the tree of the case.
func (w *Want) file(key, value string) error {
	name, text, _ := strings.Cut(value, " ")
	f := fileWant{path: name, gone: key == "no-file"}
	if !strings.HasPrefix(name, "out/") {
		p, err := treePath(name)
		if err != nil {
			return err
		}
		f.path = p
	}
	switch key {
	case "file-has":
		f.has = text
	case "file-lacks":
		f.lacks = text
	}
	if strings.HasPrefix(key, "file-") && text == "" {
		return fmt.Errorf("want PATH TEXT")
	}
	w.Files = append(w.Files, f)
	return nil
}
