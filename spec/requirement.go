package spec

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Level says how much a requirement binds.
type Level string

const (
	Must      Level = "MUST"
	MustNot   Level = "MUST NOT"
	Should    Level = "SHOULD"
	ShouldNot Level = "SHOULD NOT"
)

// Binding reports whether a program that does otherwise does not conform.
func (l Level) Binding() bool { return l == Must || l == MustNot }

// A Requirement is one binding sentence of SPEC.md.
type Requirement struct {
	ID             string `json:"id"`    // "HM-IO-15"
	Level          Level  `json:"level"` // "MUST"
	Text           string `json:"text"`  // the sentence, as Markdown, without id and mark
	Section        string `json:"section"`
	Interpretation bool   `json:"interpretation"` // a ruling on a gap of the original format
	Line           int    `json:"line"`           // in SPEC.md, from 1
}

// Area is the second part of the id: FMT, DIS, MAT, ACT, ORD, IO, ASY, ERR, ENV, SEC, BOX, FIL,
// CFG, AGT, RUN, PER, DIA, SRC or PCK.
func (r Requirement) Area() string { return strings.Split(r.ID, "-")[1] }

// Anchor is the fragment that leads to the sentence: SPEC.md#hm-io-15.
func (r Requirement) Anchor() string { return strings.ToLower(r.ID) }

// Requirements returns the binding sentences of SPEC.md in their order there.
func Requirements() []Requirement { return slices.Clone(requirements()) }

var requirements = sync.OnceValue(func() []Requirement {
	text, _ := Page("spec")
	reqs, err := parseRequirements(text)
	if err != nil {
		panic(err) // the page is embedded, and a test holds its form
	}
	return reqs
})

// Find returns the requirement with an id, in any case; ok is false if there is
// none.
func Find(id string) (r Requirement, ok bool) {
	for _, r := range requirements() {
		if strings.EqualFold(r.ID, id) {
			return r, true
		}
	}
	return Requirement{}, false
}

// anchorOpen begins every requirement line and no other.
const anchorOpen = `- <a id="hm-`

func parseRequirements(text string) ([]Requirement, error) {
	var reqs []Requirement
	seen := map[string]bool{}
	section := ""
	for i, line := range strings.Split(text, "\n") {
		if title, ok := heading(line); ok {
			section = title
		}
		if !strings.HasPrefix(line, anchorOpen) {
			continue
		}
		r, err := parseRequirement(line)
		if err != nil {
			return nil, fmt.Errorf("SPEC.md:%d: %w", i+1, err)
		}
		if seen[r.ID] {
			return nil, fmt.Errorf("SPEC.md:%d: id %s stands twice", i+1, r.ID)
		}
		seen[r.ID] = true
		r.Section, r.Line = section, i+1
		reqs = append(reqs, r)
	}
	return reqs, nil
}

// heading returns the title of a Markdown heading line.
func heading(line string) (string, bool) {
	title := strings.TrimLeft(line, "#")
	if level := len(line) - len(title); level == 0 || level > 6 || !strings.HasPrefix(title, " ") {
		return "", false
	}
	return strings.TrimSpace(title), true
}

// parseRequirement takes a line apart: anchor, id, mark, sentence.
func parseRequirement(line string) (Requirement, error) {
	var r Requirement
	rest := strings.TrimPrefix(line, `- <a id="`)
	anchor, rest, ok := strings.Cut(rest, `"></a>**`)
	if !ok {
		return r, fmt.Errorf("want an anchor and then the id in bold")
	}
	id, sentence, ok := strings.Cut(rest, "** ")
	if !ok {
		return r, fmt.Errorf("want the id in bold and then the sentence")
	}
	if !validID(id) || anchor != strings.ToLower(id) {
		return r, fmt.Errorf("id %q with anchor %q: want HM-AREA-nn and the same in small letters", id, anchor)
	}
	sentence, marked := strings.CutPrefix(sentence, "*interpretation* ")
	levels := levelsIn(sentence)
	if len(levels) != 1 {
		return r, fmt.Errorf("%s: want exactly one of MUST, MUST NOT, SHOULD, SHOULD NOT, have %q", id, levels)
	}
	if !strings.HasSuffix(sentence, ".") {
		return r, fmt.Errorf("%s: want a sentence that ends with a full stop", id)
	}
	r.ID, r.Level, r.Text, r.Interpretation = id, levels[0], sentence, marked
	return r, nil
}

func validID(id string) bool {
	parts := strings.Split(id, "-")
	if len(parts) != 3 || parts[0] != "HM" || len(parts[2]) != 2 || strings.Trim(parts[2], "0123456789") != "" {
		return false
	}
	switch parts[1] {
	case "FMT", "DIS", "MAT", "ACT", "ORD", "IO", "ASY", "ERR", "ENV", "SEC", "BOX", "FIL", "CFG", "AGT", "RUN", "PER", "DIA", "SRC", "PCK":
		return true
	}
	return false
}

// levelsIn finds the words that bind in a text, in their order.
func levelsIn(text string) []Level {
	var levels []Level
	words := strings.FieldsFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' && r < 'a' || r > 'z' })
	for i, w := range words {
		if w != "MUST" && w != "SHOULD" {
			continue
		}
		if i+1 < len(words) && words[i+1] == "NOT" {
			w += " NOT"
		}
		levels = append(levels, Level(w))
	}
	return levels
}
