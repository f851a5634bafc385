package conformance

import (
	"bytes"
	"fmt"
	"strings"
)

// An archive is a txtar file: a comment, then files, each headed by a line
// "-- NAME --". The format is that of golang.org/x/tools/txtar; it is read here
// because a mistake has to be shown with its line.
type archive struct {
	comment []byte
	files   []archived
}

type archived struct {
	name string
	data []byte
	line int // of the heading, from 1
}

func parseArchive(data []byte) (archive, error) {
	var a archive
	seen := map[string]int{}
	lines := bytes.SplitAfter(data, []byte("\n"))
	for i, line := range lines {
		name, ok := heading(line)
		switch {
		case ok:
			if first := seen[name]; first > 0 {
				return a, fmt.Errorf("line %d: %q is in line %d already", i+1, name, first)
			}
			seen[name] = i + 1
			a.files = append(a.files, archived{name: name, line: i + 1})
		case len(a.files) == 0:
			a.comment = append(a.comment, line...)
		default:
			last := &a.files[len(a.files)-1]
			last.data = append(last.data, line...)
		}
	}
	return a, nil
}

func heading(line []byte) (name string, ok bool) {
	text := strings.TrimRight(string(line), "\r\n")
	rest, ok := strings.CutPrefix(text, "-- ")
	if !ok {
		return "", false
	}
	name, ok = strings.CutSuffix(rest, " --")
	name = strings.TrimSpace(name)
	return name, ok && name != ""
}

// A pair is one line "key: value".
type pair struct {
	key, value string
	line       int
}

// parsePairs reads lines "key: value". Blank lines are left out; first is the
// number of the first line.
func parsePairs(data []byte, first int) ([]pair, error) {
	var pairs []pair
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimRight(line, "\r")
		if strings.TrimSpace(line) == "" {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || key == "" || strings.ContainsAny(key, " \t") {
			return nil, fmt.Errorf("line %d: want \"key: value\", have %q", first+i, line)
		}
		pairs = append(pairs, pair{key, strings.TrimSpace(value), first + i})
	}
	return pairs, nil
}

// eachPair hands the key and the value of each line to set, whose error gets the line.
func eachPair(data []byte, first int, set func(key, value string) error) error {
	pairs, err := parsePairs(data, first)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		if err := set(p.key, p.value); err != nil {
			return fmt.Errorf("line %d: %s: %w", p.line, p.key, err)
		}
	}
	return nil
}
