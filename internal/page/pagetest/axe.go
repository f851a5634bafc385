package pagetest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// axe-core looks for what keeps people out of a page. It is fetched from the npm
// registry when it is wanted, and is a part of nothing that is shipped.
const (
	axeVersion = "4.14.1"
	axeSHA256  = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
)

// Axe is the script of axe-core. Where it cannot be had the test is skipped, and says
// so in words that .ci/run looks for.
func Axe(t testing.TB) string {
	t.Helper()
	// Whoever puts something else there is found by its sum.
	file := filepath.Join(os.TempDir(), "agents-hooks-test-axe-core-"+axeVersion+".js")
	if b, err := os.ReadFile(file); err == nil && sum(b) == axeSHA256 {
		return string(b)
	}
	b, err := fetchAxe(t.TempDir())
	if err != nil {
		t.Skipf("no axe-core is here: %v", err)
	}
	if is := sum(b); is != axeSHA256 {
		t.Fatalf("axe-core %s is not what was pinned: %s", axeVersion, is)
	}
	_ = os.WriteFile(file, b, 0o600)
	return string(b)
}

func sum(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

func fetchAxe(dir string) ([]byte, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1", "--prefix", dir, "axe-core@"+axeVersion)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm: %w: %.200s", err, out)
	}
	return os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
}

// Accessible fails for each thing that axe-core finds in the page as it stands.
func (tab *Tab) Accessible(axe, what string) {
	tab.t.Helper()
	if tab.Eval(`typeof axe`) != "object" {
		tab.Eval(axe + "; 0")
	}
	var found []struct {
		ID, Impact, Help string
		Nodes            []struct {
			HTML           string
			FailureSummary string
		}
	}
	text := tab.Text(`axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations))`)
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		tab.t.Fatalf("%s: %v: %.300s", what, err, text)
	}
	for _, f := range found {
		var where []string
		for i, n := range f.Nodes {
			if i < 3 {
				where = append(where, fmt.Sprintf("%.200s\n      %s", n.HTML, strings.ReplaceAll(n.FailureSummary, "\n", " ")))
			}
		}
		tab.t.Errorf("%s: %s (%s): %s, %d times:\n    %s", what, f.ID, f.Impact, f.Help, len(f.Nodes), strings.Join(where, "\n    "))
	}
}

// AccessibleViews fails for each thing that axe-core finds in some views of a page, in
// light and dark, wide and narrow, and for one that is wider than its window.
func AccessibleViews(t testing.TB, page string, views ...string) {
	t.Helper()
	Browser(t)
	axe := Axe(t)
	tab := Open(t, File(t, page))
	for _, dark := range []bool{false, true} {
		for _, width := range []int{1280, 360} {
			tab.Size(width, 900, dark)
			for _, view := range views {
				tab.Eval(`document.documentElement.removeAttribute("data-ready"); location.hash = "view=` + view + `"; dispatchEvent(new HashChangeEvent("hashchange"))`)
				tab.Wait(`document.documentElement.dataset.ready !== undefined`)
				what := fmt.Sprintf("%s, %d wide, dark %v", view, width, dark)
				tab.Accessible(axe, what)
				if over := tab.Eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`).(float64); over > 0 {
					t.Errorf("%s: %v px wider than the window", what, over)
				}
				tab.Shot(fmt.Sprintf("%s-%d-%v", view, width, dark))
			}
		}
	}
}
