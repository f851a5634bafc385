package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What the pages say of speed is what was measured last, figure by figure.
func TestPagesSayWhatWasMeasured(t *testing.T) {
	t.Parallel()
	m, err := lastMeasured()
	if err != nil || len(m.Goals) < 15 || len(m.Peers) < 4 {
		t.Fatalf("%d goals, %d peers: %v", len(m.Goals), len(m.Peers), err)
	}
	for _, f := range m.figures() {
		if f == 0.0 {
			t.Fatalf("a figure of README was not measured: %v", m.figures())
		}
	}
	if os.Getenv("AGENTS_HOOKS_UPDATE") != "" {
		must.Do(t, m.show(".."))
	}
	for _, p := range pieces {
		b := must.Read(t, filepath.Join("..", p.file))
		_, have, _, err := p.cut(b)
		if want := p.text(&m); err != nil || have != want {
			t.Errorf("%s, %s: %v\nhas\n%s\nwant\n%s\n(go run ./bench -write measures, AGENTS_HOOKS_UPDATE=1 go test ./bench writes what was measured)", p.file, p.mark, err, have, want)
		}
	}
}

// The bounds that the pages show are those that are held now.
func TestPagesShowTheBoundsOfToday(t *testing.T) {
	t.Parallel()
	m, err := lastMeasured()
	must.Do(t, err)
	source := must.Read(t, "goals.go")
	held := regexp.MustCompile(`what: "([^"]*)", unit: "([^"]*)", must: ([0-9.]+)`).FindAllStringSubmatch(source, -1)
	if len(held) < 10 {
		t.Fatalf("%d goals in goals.go", len(held))
	}
	for _, h := range held {
		for _, g := range m.Goals {
			if g.What == h[1] && g.Unit == h[2] && strconv.FormatFloat(g.Must, 'f', -1, 64) != h[3] {
				t.Errorf("%s: the pages say %v, goals.go %s (AGENTS_HOOKS_UPDATE=1 go test ./bench, once measured.json says so)", g.What, g.Must, h[3])
			}
		}
	}
}

// A goal has an id of its own kind: what is measured in two ways is two goals.
func TestIdsOfPeersAreTheirOwn(t *testing.T) {
	t.Parallel()
	m, err := lastMeasured()
	must.Do(t, err)
	for _, p := range peers {
		for _, g := range m.Goals {
			if g.ID == p.id {
				t.Errorf("%s is %s and %s", p.id, p.what, g.What)
			}
		}
	}
}
