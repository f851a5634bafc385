package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// layersOf reads the drawing of docs/design.md: the parts of each layer, the topmost
// first. A part is written as in the table of imports.
func layersOf(t *testing.T) (layers [][]rule) {
	t.Helper()
	_, rest, _ := strings.Cut(page(t, "docs/design.md"), "<!-- layers:begin -->\n")
	drawing, _, ok := strings.Cut(rest, "<!-- layers:end -->")
	if !ok {
		t.Fatal("docs/design.md has no drawing of layers")
	}
	for line := range strings.Lines(drawing) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) < 2 || strings.HasPrefix(cells[0], "--") {
			continue
		}
		var parts []rule
		for _, m := range codeSpan.FindAllStringSubmatch(cells[1], -1) {
			parts = append(parts, rule{part: m[1]})
		}
		if parts != nil {
			layers = append(layers, parts)
		}
	}
	return layers
}

// The drawing says that imports lead down: none may lead up, and no folder with code
// may be missing in it.
func TestImportsLeadDownTheLayers(t *testing.T) {
	t.Parallel()
	_, list := sources(t)
	layers := layersOf(t)
	if len(layers) < 8 {
		t.Fatalf("docs/design.md has %d layers", len(layers))
	}
	var all []rule
	level := map[string]int{}
	for i, parts := range layers {
		all = append(all, parts...)
		for _, p := range parts {
			if _, twice := level[p.part]; twice {
				t.Errorf("%s stands in two layers", p.part)
			}
			level[p.part] = i
		}
	}
	at := func(dir string) (int, bool) {
		r, _, ok := ruleOf(all, dir)
		return level[r.part], ok
	}
	used, wrong := map[int]bool{}, map[string]bool{}
	for _, a := range arrowsOf(list) {
		from, ok := at(a.from)
		if !ok {
			wrong[a.from+" is in no layer"] = true
			continue
		}
		used[from] = true
		if dir, ours := strings.CutPrefix(a.to, module+"/"); ours {
			if to, ok := at(dir); ok && to < from {
				wrong[a.from+" imports "+dir+", which lies above it"] = true
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(wrong)) {
		t.Errorf("%s (docs/design.md has the layers)", what)
	}
	if len(used) != len(layers) {
		t.Errorf("%d of %d layers have code", len(used), len(layers))
	}
}

var sourceFile = regexp.MustCompile("`((?:cmd|protocol|discovery|runner|trust|internal|builtin-hooks|pack|spec|hooks|conformance|e2e|bench|docs|\\.ci)/[A-Za-z0-9_./-]+)`")

// What the page leads a reader to is there.
func TestDesignNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	found := sourceFile.FindAllStringSubmatch(page(t, "docs/design.md"), -1)
	for _, m := range found {
		if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(strings.TrimSuffix(m[1], "/...")))); err != nil && !strings.Contains(m[1], "*") {
			t.Errorf("docs/design.md: %v", err)
		}
	}
	if len(found) < 60 {
		t.Errorf("docs/design.md names %d places", len(found))
	}
}
