package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// The table of CONTRIBUTING.md says which part of this repository may import which
// other, and which modules of others. It is the rule, and this is what holds it:
// an arrow that the table does not have fails, and so does one that it has and
// nobody uses. A part is
//
//	a       that folder
//	a/*     each folder below a, with what lies in it: they do not know each other
//	a/...   what lies below a, as one
//
// and the first of these that fits a folder counts. The standard library is free.

// A rule is a row of the table.
type rule struct {
	part         string
	ours, theirs []string
}

// An arrow is one import: the folder it stands in, and what it imports.
type arrow struct{ from, to string }

// graph reads the table.
func graph(t *testing.T) []rule {
	t.Helper()
	_, rest, ok := strings.Cut(must.Read(t, filepath.Join("..", "..", "CONTRIBUTING.md")), "<!-- imports:begin -->\n")
	table, _, ok2 := strings.Cut(rest, "<!-- imports:end -->")
	if !ok || !ok2 {
		t.Fatal("CONTRIBUTING.md has no table of imports")
	}
	var rules []rule
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if part := words(cells[0]); len(cells) >= 3 && len(part) == 1 && part[0] != "part" && !strings.HasPrefix(part[0], "--") {
			rules = append(rules, rule{part[0], words(cells[1]), words(cells[2])})
		}
	}
	if len(rules) < 10 {
		t.Fatalf("read %d rows of the table of imports", len(rules))
	}
	return rules
}

func words(cell string) []string {
	return strings.FieldsFunc(cell, func(r rune) bool { return r == ' ' || r == ',' || r == '`' || r == '–' })
}

// ruleOf is the rule of a folder, and the part that the folder is of: for a/* the
// folder below a.
func ruleOf(rules []rule, dir string) (r rule, part string, ok bool) {
	depth := -1
	for _, have := range rules {
		root, each := strings.CutSuffix(have.part, "/*")
		root, all := strings.CutSuffix(root, "/...")
		n := strings.Count(root, "/")
		switch {
		case !each && !all && have.part == dir:
			return have, dir, true
		case (each || all) && strings.HasPrefix(dir, root+"/") && n >= depth:
			if n == depth && !each {
				continue
			}
			r, part, ok, depth = have, have.part, true, n
			if each {
				below, _, _ := strings.Cut(dir[len(root)+1:], "/")
				part = root + "/" + below
			}
		}
	}
	return r, part, ok
}

// broken are the arrows that rules do not allow, and what of the rules no arrow
// needs, as sentences.
func broken(rules []rule, arrows []arrow) []string {
	said := map[string]bool{}
	used := map[string]bool{}
	for _, a := range arrows {
		from, part, ok := ruleOf(rules, a.from)
		if !ok {
			said[fmt.Sprintf("%s is no part of the table of imports", a.from)] = true
			continue
		}
		switch dir, ours := strings.CutPrefix(a.to, module+"/"); {
		case a.to == "C":
			said[fmt.Sprintf("%s imports C: the program is built without cgo", a.from)] = true
		case ours:
			to, other, ok := ruleOf(rules, dir)
			if ok && other == part {
				continue
			}
			if !ok || !slices.Contains(from.ours, to.part) {
				said[fmt.Sprintf("%s must not import %s (%s)", from.part, dir, a.from)] = true
			}
			used[from.part+" "+to.part] = true
		case strings.Contains(strings.Split(a.to, "/")[0], "."):
			i := slices.IndexFunc(from.theirs, func(m string) bool { return a.to == m || strings.HasPrefix(a.to, m+"/") })
			if i < 0 {
				said[fmt.Sprintf("%s must not import %s (%s)", from.part, a.to, a.from)] = true
				continue
			}
			used[from.part+" "+from.theirs[i]] = true
		}
	}
	for _, r := range rules {
		for _, to := range slices.Concat(r.ours, r.theirs) {
			if !used[r.part+" "+to] {
				said[fmt.Sprintf("%s may import %s, and does not: take it out of the table", r.part, to)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(said))
}

// arrowsOf are the imports of all files that are no tests. Each folder has at
// least one, to the standard library, so that none is overlooked.
func arrowsOf(list []source) (arrows []arrow) {
	for _, s := range list {
		if s.test() {
			continue
		}
		arrows = append(arrows, arrow{s.dir, ""})
		for _, p := range s.imports() {
			arrows = append(arrows, arrow{s.dir, p})
		}
	}
	return arrows
}

func TestImportGraph(t *testing.T) {
	_, list := sources(t)
	for _, what := range broken(graph(t), arrowsOf(list)) {
		t.Errorf("%s (CONTRIBUTING.md has the table)", what)
	}
}

// A rule that cannot be broken holds nothing: each of these arrows must be told.
func TestImportGraphTellsNewArrows(t *testing.T) {
	_, list := sources(t)
	rules, arrows := graph(t), arrowsOf(list)
	ours := func(dir string) string { return module + "/" + dir }
	before := broken(rules, arrows)
	for i, a := range []arrow{
		{"protocol", ours("discovery")},
		{"protocol/codex", ours("protocol/claude")},
		{"cmd/internal/verb/install", ours("protocol/claude")},
		{"discovery", ours("runner")},
		{"trust", ours("discovery")},
		{"runner", ours("builtin-hooks")},
		{"builtin-hooks/memory", ours("runner")},
		{"conformance", ours("runner")},
		{"cmd/internal/shell", ours("cmd/internal/verb/doctor")},
		{"cmd/internal/setup", ours("cmd/internal/verb/install")},
		{"cmd/internal/verb/install", ours("cmd/internal/verb/doctor")},
		{"cmd/internal/verb/doctor/deep", ours("cmd/internal/verb/install")},
		{"cmd/agents-hooks-run", ours("cmd/internal/shell")},
		{"protocol", "github.com/agents-hooks/agents-hooks/cmd/internal/cli"},
		{"cmd/internal/verb/install", "github.com/jackc/pgx/v5"},
		{"runner", "C"},
		{"new", "os"},
		{"cmd/internal/new", ours("protocol")},
	} {
		t.Run(fmt.Sprintf("%s, %s", a.from, a.to), func(t *testing.T) {
			if !slowtest.Part(i, 4) {
				return
			}
			after := broken(rules, append(slices.Clone(arrows), a))
			if len(after) != len(before)+1 {
				t.Errorf("%s → %s is not told: %q", a.from, a.to, after)
			}
		})
	}
	rules = append(slices.Clone(rules), rule{"spec", []string{"runner"}, nil})
	if told := broken(rules, arrows); !slices.ContainsFunc(told, func(s string) bool { return strings.Contains(s, "take it out") }) {
		t.Errorf("an arrow that nobody needs is not told: %q", told)
	}
}

// below reports whether a folder is another or lies in it.
func below(dir, root string) bool { return dir == root || strings.HasPrefix(dir, root+"/") }
