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

// A Requirement is one binding sentence of SPEC.md, or of the page of a behaviour.
type Requirement struct {
	ID             string `json:"id"`    // "HM-IO-15"
	Level          Level  `json:"level"` // "MUST"
	Text           string `json:"text"`  // the sentence, as Markdown, without id and mark
	Section        string `json:"section"`
	Interpretation bool   `json:"interpretation"` // a ruling on a gap of the original format
	Line           int    `json:"line"`           // in its page, from 1
}

// A book is a page that has rules: how their ids begin, what areas they come in, and
// whom they bind.
type book struct {
	page     string
	prefix   string
	areas    string
	subjects string // an expression
}

// books are the pages with rules, the format's first.
func books() []book {
	return []book{
		{"spec", "HM", "FMT DIS MAT ACT ORD IO ASY ERR ENV SEC BOX FIL CFG AGT RUN LOP PER DIA SRC PCK",
			"agent|runner|runner in spec form|runner with a sandbox|runner that answers an agent|runner on Windows|validator|hook|dispatcher|dispatcher in spec form|dispatcher for an agent"},
		{"memory", "BM", "STO LOD RCL ASK SAV FBK TRU HND GIT WHO SHR SEC FND MDL VIE CMD", "memory|session|recall|hook|save|search|command|view|service"},
		{"evolution", "EV", "FAI FND TEL JRN SHR SRV", "search|gene|command|journal|server"},
		{"workspace", "BW", "SES TEL REM NOD NXT PAR TRV CMD STO EVI BRD",
			"(session|binding|hook|prompt|reminder|problem|node|transition|workspace|plan|dependency|claim|file|folder|tool|command|name|token|text|change|branch|merge|subagent|worktree|clone|criterion|gate|board|person|call|member|process|task)( [^,.;]*)?"},
		{"skills", "BS", "FIL FLT LST EVT TXT TRU", "(reader|manager|loop|hook|prompt|name|mistake|filter|expression|command|skill|step|session|notice|event)( [^.;]*)?"},
	}
}

// Area is the second part of the id, as the head of its page lists them.
func (r Requirement) Area() string { return strings.Split(r.ID, "-")[1] }

// Anchor is the fragment that leads to the sentence: SPEC.md#hm-io-15.
func (r Requirement) Anchor() string { return strings.ToLower(r.ID) }

// Requirements returns the binding sentences of SPEC.md in their order there.
func Requirements() []Requirement { return RequirementsOf("spec") }

// RequirementsOf returns the binding sentences of a page in their order there; none
// of a page that has none.
func RequirementsOf(page string) []Requirement {
	return slices.Clone(requirements()[strings.ToLower(page)])
}

var requirements = sync.OnceValue(func() map[string][]Requirement {
	of := map[string][]Requirement{}
	for _, b := range books() {
		text, _ := Page(b.page)
		reqs, err := b.parse(text)
		if err != nil {
			panic(err) // the page is embedded, and a test holds its form
		}
		of[b.page] = reqs
	}
	return of
})

// Find returns the requirement with an id, in any case; ok is false if there is
// none.
func Find(id string) (r Requirement, ok bool) {
	for _, r := range Rules() {
		if strings.EqualFold(r.ID, id) {
			return r, true
		}
	}
	return Requirement{}, false
}

// Rules are the binding sentences of all pages.
func Rules() (all []Requirement) {
	for _, b := range books() {
		all = append(all, requirements()[b.page]...)
	}
	return all
}

// anchorOpen begins every requirement line of the page and no other.
func (b book) anchorOpen() string { return `- <a id="` + strings.ToLower(b.prefix) + `-` }

func (b book) parse(text string) ([]Requirement, error) {
	var reqs []Requirement
	seen := map[string]bool{}
	section := ""
	for i, line := range strings.Split(text, "\n") {
		if title, ok := heading(line); ok {
			section = title
		}
		if !strings.HasPrefix(line, b.anchorOpen()) {
			continue
		}
		r, err := b.parseRequirement(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", b.page, i+1, err)
		}
		if seen[r.ID] {
			return nil, fmt.Errorf("%s:%d: id %s stands twice", b.page, i+1, r.ID)
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
func (b book) parseRequirement(line string) (Requirement, error) {
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
	if !b.validID(id) || anchor != strings.ToLower(id) {
		return r, fmt.Errorf("id %q with anchor %q: want %s-AREA-nn and the same in small letters", id, anchor, b.prefix)
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

func (b book) validID(id string) bool {
	parts := strings.Split(id, "-")
	return len(parts) == 3 && parts[0] == b.prefix && slices.Contains(strings.Fields(b.areas), parts[1]) &&
		len(parts[2]) == 2 && strings.Trim(parts[2], "0123456789") == ""
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
