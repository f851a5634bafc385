// Package pagetest opens pages of package page in Chromium, and checks what all of them
// promise. It is for tests.
package pagetest

import (
	"context"
	"encoding/json"
	"flag"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/page"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

var (
	shots = flag.String("shots", "", "with -slow, write pictures of views into this `folder`")
)

// Browser is a Chromium that is here, or the test is skipped; without -slow all are.
func Browser(t testing.TB) string {
	t.Helper()
	if !slowtest.On() {
		t.Skip("-slow shows it in a browser")
	}
	for _, name := range []string{"chromium", "google-chrome", "google-chrome-stable", "chrome", "chromium-browser"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		// What snap installs sees no temporary directory but its own.
		if real, err := filepath.EvalSymlinks(path); err == nil && !strings.Contains(real, "snap") {
			return path
		}
	}
	t.Skip("no Chromium is here: looked for chromium, google-chrome, google-chrome-stable, chrome and chromium-browser, not as a snap")
	return ""
}

// flags are those of every browser here; dir is its own folder.
func flags(dir string) []string {
	return []string{"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
		"--disable-background-networking", "--user-data-dir=" + filepath.Join(dir, "profile"), "--window-size=1100,1400"}
}

func environment(cmd *exec.Cmd, dir string) []string {
	return append(cmd.Environ(), "TZ=UTC", "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir)
}

// home is a folder for a browser. Its helpers end a little after it does, and write
// until then what a single removal would trip over.
func home(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "agents-hooks-test-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		var err error
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
		}
		t.Error(err)
	})
	return dir
}

// DOM is a page as the browser shows it after its script has run. state is what
// stands behind # in its address; more are flags of the browser.
func DOM(t *testing.T, page string, state url.Values, more ...string) string {
	t.Helper()
	program := Browser(t)
	dir := home(t)
	file := File(t, page)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append(append(flags(dir), "--virtual-time-budget=3000"), more...)
	cmd := exec.CommandContext(ctx, program, append(args, "--dump-dom", file+"#"+state.Encode())...)
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = environment(cmd, dir)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, errs.String())
	}
	return string(out)
}

// File writes a page into a file, and is its address.
func File(t testing.TB, page string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
	return address.String()
}

// Shown is what of a page a person sees: what stands before its data.
func Shown(t *testing.T, dom string) string {
	t.Helper()
	before, _, ok := strings.Cut(dom, `<script type="application/json"`)
	if !ok || !strings.Contains(dom, `data-ready="`) {
		t.Fatalf("the script did not come to its end:\n%.2000s", dom)
	}
	_, body, _ := strings.Cut(before, "<body")
	return body
}

// Hostile are texts that nobody should be able to do anything with to whoever
// reads a page: they set data-pwned of the body, or ask address for something.
func Hostile(address string) []string {
	return []string{
		`</script><script>document.title = "pwned"; document.body.dataset.pwned = "1"</script>`,
		`<img src=x onerror="document.body.dataset.pwned='1'"><img src="` + address + `/img">`,
		`<!--<script>` + "\u2028\u2029" + `</style><style>@import url(` + address + `/css)</style>`,
		`"}]}; fetch("` + address + `/fetch"); //`,
		`<svg/onload="document.body.dataset.pwned='1'"> javascript:alert(1) <a href="javascript:document.body.dataset.pwned='1'">x</a>`,
		`{{script}} {{data}} {{.}} ${1+1} &lt;b&gt; <link rel=stylesheet href="` + address + `/link">`,
	}
}

var (
	element = regexp.MustCompile(`(?s)<(style|script)[^>]*>(.*?)</(?:style|script)>`)
	policy  = regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`)
)

// Harmless fails unless a page is made of its own elements, whatever is in
// it, its policy names those that may do something, and nothing in it asks for
// anything elsewhere. It returns the first document.
func Harmless(t *testing.T, text string) (data string) {
	t.Helper()
	var styles, scripts []string
	for _, e := range element.FindAllStringSubmatch(text, -1) {
		if e[1] == "style" {
			styles = append(styles, e[2])
		} else {
			scripts = append(scripts, e[2])
		}
	}
	if len(styles) < 2 || len(scripts) != 2 || strings.Count(strings.ToLower(text), "<script") != 2 {
		t.Fatalf("%d styles, %d scripts", len(styles), len(scripts))
	}
	if is, want := html.UnescapeString(policy.FindStringSubmatch(text)[1]), page.Policy(styles, scripts[1]); is != want {
		t.Errorf("policy %q, want %q", is, want)
	}
	around := element.ReplaceAllString(text, "")
	for _, bad := range []string{"pwned=\"", "onerror", "<img", "http:", "https:", "{{", "src=", "<link"} {
		if strings.Contains(around, bad) {
			t.Errorf("the page holds %q outside of its data", bad)
		}
	}
	for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacent", "eval(", "document.write", "http:", "https:", "@import", "url("} {
		if strings.Contains(strings.Join(styles, "")+scripts[1], bad) {
			t.Errorf("script or style use %q", bad)
		}
	}
	var all struct {
		Parts []struct{ Docs []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(scripts[0]), &all); err != nil || len(all.Parts) == 0 || len(all.Parts[0].Docs) == 0 {
		t.Fatalf("the data: %v", err)
	}
	return string(all.Parts[0].Docs[0])
}

// Dead fails if a page in the browser ran what it should show, or made elements
// of it.
func Dead(t *testing.T, dom string) {
	t.Helper()
	if strings.Contains(dom, "data-pwned") || strings.Contains(dom, "<title>pwned") {
		t.Error("what the page shows ran")
	}
	text := Shown(t, dom)
	for _, bad := range []string{"<img", "<svg", "<a ", "<link", "<b onclick"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q became an element", bad)
		}
	}
}

var key = regexp.MustCompile(`(?m)\b([A-Za-z]\w*): (?:'|\w+ =>|\()`)

// SameWords fails unless a view's script has the same texts in both languages:
// words, with en before zh, and end, which follows them.
func SameWords(t *testing.T, script, end string) {
	t.Helper()
	begin := strings.Index(script, "  en: {")
	stop := strings.Index(script, end)
	if begin < 0 || stop < begin {
		t.Fatalf("no words before %q", end)
	}
	en, zh, ok := strings.Cut(script[begin:stop], "  zh: {")
	if !ok {
		t.Fatal("no zh words")
	}
	names := func(text string) (out string) {
		for _, m := range key.FindAllStringSubmatch(text, -1) {
			out += m[1] + " "
		}
		return out
	}
	if names(en) != names(zh) || strings.Count(names(en), " ") < 20 {
		t.Errorf("en: %s\nzh: %s", names(en), names(zh))
	}
}
