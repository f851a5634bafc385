package spec

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// The form of the pages with rules: every id once, an anchor that is the id, one
// sentence and one level a line (Requirements panics on the rest), and no binding word
// anywhere else.
func TestRequirementsHaveTheirForm(t *testing.T) {
	for _, b := range books() {
		reqs := RequirementsOf(b.page)
		if least := map[string]int{"spec": 200}[b.page]; len(reqs) < max(least, 30) {
			t.Fatalf("%s: %d requirements found, want at least %d: has the form of the lines changed?", b.page, len(reqs), max(least, 30))
		}
		subject := regexp.MustCompile(`^(An? (` + b.subjects + `)|Memory|Evolution) (MUST|SHOULD)`)
		count := map[string]int{}
		for _, r := range reqs {
			count[r.Area()]++
			if s := inner(r.Text); strings.Contains(s, ". ") || strings.Contains(s, "; ") {
				t.Errorf("%s:%d: %s is more than one sentence: %s", b.page, r.Line, r.ID, r.Text)
			}
			if !subject.MatchString(r.Text) {
				t.Errorf("%s:%d: %s does not begin with whom it binds: %s", b.page, r.Line, r.ID, r.Text)
			}
			if r.Section == "" {
				t.Errorf("%s:%d: %s stands in no section", b.page, r.Line, r.ID)
			}
			if found, ok := Find(strings.ToLower(r.ID)); !ok || found != r {
				t.Errorf("Find(%s) = %v, %v", r.ID, found, ok)
			}
		}
		for area, n := range count {
			for i := 1; i <= n; i++ {
				if _, ok := Find(fmt.Sprintf("%s-%s-%02d", b.prefix, area, i)); !ok {
					t.Errorf("area %s has %d requirements but no number %02d: a withdrawn id belongs in CHANGES.md and this test", area, n, i)
				}
			}
		}
	}
}

// inner is a sentence without its code spans, brackets and final stop.
func inner(text string) string {
	text = codeSpan.ReplaceAllString(text, "code")
	return strings.TrimSuffix(text, ".")
}

var codeSpan = regexp.MustCompile("`[^`]*`")

func TestNothingBindsOutsideARequirement(t *testing.T) {
	for _, d := range Pages() {
		text, _ := Page(d.Name)
		open := "no line begins so"
		for _, b := range books() {
			if b.page == d.Name {
				open = b.anchorOpen()
			}
		}
		section := ""
		for i, line := range strings.Split(text, "\n") {
			if title, ok := heading(line); ok {
				section = title
			}
			if strings.HasPrefix(line, open) || section == "How to read this" {
				continue
			}
			if levels := levelsIn(line); len(levels) > 0 {
				t.Errorf("%s:%d: %q binds but has no id: %s", d.File, i+1, levels, line)
			}
			if strings.Contains(line, "<a id=") {
				t.Errorf("%s:%d: an anchor that is not read as a requirement: %s", d.File, i+1, line)
			}
		}
	}
}

func TestParseRequirement(t *testing.T) {
	good := "- <a id=\"hm-io-07\"></a>**HM-IO-07** *interpretation* A runner MUST NOT eat `\"a\"`."
	reqs, err := books()[0].parse("# Title\n\n## Input\n\n" + good + "\n")
	want := Requirement{ID: "HM-IO-07", Level: MustNot, Text: "A runner MUST NOT eat `\"a\"`.", Section: "Input", Interpretation: true, Line: 5}
	if err != nil || len(reqs) != 1 || reqs[0] != want {
		t.Fatalf("have %+v, %v\nwant %+v", reqs, err, want)
	}
	if !want.Level.Binding() || Should.Binding() || want.Anchor() != "hm-io-07" || want.Area() != "IO" {
		t.Errorf("level, anchor or area of %+v", want)
	}
	for name, line := range map[string]string{
		"anchor of another id": strings.Replace(good, "hm-io-07", "hm-io-08", 1),
		"unknown area":         strings.NewReplacer("HM-IO", "HM-XX", "hm-io", "hm-xx").Replace(good),
		"one digit":            strings.NewReplacer("IO-07", "IO-7", "io-07", "io-7").Replace(good),
		"no level":             strings.Replace(good, "MUST NOT", "does not", 1),
		"two levels":           strings.Replace(good, "eat", "eat and SHOULD like", 1),
		"no full stop":         strings.TrimSuffix(good, "."),
		"id not bold":          strings.Replace(good, "**HM", "HM", 1),
		"twice":                good + "\n" + good,
	} {
		t.Run(name, func(t *testing.T) {
			if reqs, err := books()[0].parse(line); err == nil {
				t.Errorf("%s: accepted as %+v", name, reqs)
			}
		})
	}
}

func TestLevelsIn(t *testing.T) {
	for text, want := range map[string]string{
		"A runner MUST do":            "[MUST]",
		"It MUST NOT, and SHOULD NOT": "[MUST NOT SHOULD NOT]",
		"MUSTARD must should":         "[]",
		"(SHOULD)":                    "[SHOULD]",
	} {
		t.Run(text, func(t *testing.T) {
			if have := fmt.Sprint(levelsIn(text)); have != want {
				t.Errorf("%q: have %s, want %s", text, have, want)
			}
		})
	}
}
