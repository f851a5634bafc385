package screen

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A block of a file of testdata is a gene.
type block struct {
	name   string
	fields []Field
}

var escaped = regexp.MustCompile(`\{U\+([0-9A-F]+)\}`)

// blocks reads a file of genes; attacks.txt says how they are written.
func blocks(t *testing.T, name string) (out []block) {
	t.Helper()
	text := escaped.ReplaceAllStringFunc(must.Read(t, filepath.Join("testdata", name)), func(m string) string {
		n, err := strconv.ParseUint(escaped.FindStringSubmatch(m)[1], 16, 32)
		must.Do(t, err)
		return string(rune(n))
	})
	for _, part := range strings.Split("\n"+text, "\n=== ")[1:] {
		lines := strings.Split(strings.TrimRight(part, "\n"), "\n")
		g := block{name: lines[0], fields: []Field{{"title", lines[1]}}}
		steps := 0
		for _, l := range lines[2:] {
			if rest, is := strings.CutPrefix(l, "pre: "); is {
				g.fields = append(g.fields, Field{"preconditions[0]", rest})
			} else if rest, is := strings.CutPrefix(l, "desc: "); is {
				g.fields = append(g.fields, Field{"description", rest})
			} else if last := &g.fields[len(g.fields)-1]; strings.HasPrefix(l, " ") {
				last.Text += "\n" + l
			} else {
				g.fields = append(g.fields, Field{fmt.Sprintf("strategy[%d]", steps), l})
				steps++
			}
		}
		out = append(out, g)
	}
	if len(out) < 100 {
		t.Fatalf("%s: %d blocks", name, len(out))
	}
	return out
}

// EV-SHR-08, EV-SHR-13: what somebody wrote who wanted to get through is held, also where it
// is encoded, assembled, taken apart over steps, written in letters that look the same, or said in another
// language; what works with the same words and harms nobody is not.
func TestAttacksAreHeld(t *testing.T) {
	t.Parallel()
	for _, g := range blocks(t, "attacks.txt") {
		if len(Texts(g.fields)) == 0 {
			t.Errorf("%s: %q is not held", g.name, g.fields)
		}
	}
	for _, g := range blocks(t, "harmless.txt") {
		if found := Texts(g.fields); len(found) > 0 {
			t.Errorf("%s: %v", g.name, found)
		}
	}
}

// An expression is searched for wherever it can be found: each phrase of the rules is found in what it needs.
func TestNeedsLeaveNoMatchOut(t *testing.T) {
	t.Parallel()
	var rules []phrase
	rules = append(append(append(rules, injections()...), piped()...), prose()...)
	found := 0
	for _, g := range blocks(t, "attacks.txt") {
		for _, f := range g.fields {
			for _, text := range append(append([]string{plain(f.Text)}, readings(plain(f.Text))...), disguises(plain(f.Text))...) {
				for _, p := range rules {
					if p.re.MatchString(text) {
						if found++; !p.may(strings.ToLower(text)) {
							t.Errorf("%s: %q has none of %q", p.re, text, p.needs)
						}
					}
				}
			}
		}
	}
	if found < 150 {
		t.Errorf("%d matches: nothing was proved", found)
	}
}
