package view

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/doctor"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/page/pagetest"
	"github.com/agents-hooks/agents-hooks/runner"
)

// Nothing that the page shows does anything, in any view, and nobody is asked for
// anything; a line of a megabyte and a thousand lines do not hold it up.
func TestBrowserHostile(t *testing.T) {
	pagetest.Browser(t)
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	sh, project := hostile(t, server.URL)
	tab := pagetest.Open(t, pagetest.File(t, written(t, sh, lookOptions{examine: doctor.Health, dir: project})))
	tab.Size(360, 900, false)
	for _, v := range append([][2]string{{"searched", "view=events&q=%3C"}}, views...) {
		began := time.Now()
		turn(tab, v[1])
		tab.Eval(`document.querySelectorAll("details").forEach(d => d.open = true)`)
		tab.Eval(`[...document.querySelectorAll(".rest")].slice(0, 3).forEach(b => b.click())`)
		tab.Eval(`new Promise(r => requestAnimationFrame(() => setTimeout(r)))`)
		t.Logf("%s: %v", v[0], time.Since(began).Round(time.Millisecond))
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s took %v", v[0], took)
		}
		if over := tab.Eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`).(float64); over > 0 {
			t.Errorf("%s: %v px wider than the window", v[0], over)
		}
		pagetest.Dead(t, tab.Text(`document.documentElement.outerHTML`))
		tab.Shot("hostile-" + v[0])
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests left the page", n)
	}
}

// All of it can be done by keyboard, and the keyboard stays where it was when the
// page is made anew.
func TestBrowserKeyboard(t *testing.T) {
	pagetest.Browser(t)
	sh, project := machine(t, 50)
	tab := pagetest.Open(t, pagetest.File(t, written(t, sh, lookOptions{examine: doctor.Health, dir: project})))
	tab.Size(1280, 900, false)
	focused := `document.activeElement.textContent + " " + (document.activeElement.id || "")`
	reach := func(what string) {
		t.Helper()
		for range 60 {
			tab.Key("Tab")
			if strings.Contains(tab.Text(focused), what) {
				if tab.Text(`getComputedStyle(document.activeElement).outlineStyle`) == "none" {
					t.Errorf("%s has no outline when it is reached", what)
				}
				return
			}
		}
		t.Fatalf("%s is not reached by Tab", what)
	}
	reach("Hooks")
	tab.Key("Enter")
	tab.Wait(`document.querySelector("#parts [aria-current]").textContent.startsWith("Hooks")`)
	if is := tab.Text(focused); !strings.HasPrefix(is, "Hooks") {
		t.Errorf("the keyboard went from Hooks to %q", is)
	}
	reach("shell-guard")
	tab.Key("Enter")
	tab.Wait(`document.querySelector("details[open] .facts")`)
	tab.Key("/")
	for _, c := range "gofmt" {
		tab.Key(string(c))
	}
	tab.Wait(`document.querySelectorAll("details.hook").length === 1`)
	tab.Key("Escape")
	tab.Wait(`document.querySelectorAll("details.hook").length === 5`)
}

// An event appears by itself; while something is unfolded it waits behind a button.
// A person approves what they saw, and of two windows one does; a hook that came
// meanwhile is there; the end is told.
func TestBrowserUI(t *testing.T) {
	pagetest.Browser(t)
	sh, project := machine(t, 5)
	must.Script(t, filepath.Join(project, ".agents", "hooks", "gofmt", "tool.bin"), "\x00\x01")
	must.Write(t, filepath.Join(project, ".agents", "hooks", "gofmt", "notes.txt"), strings.Repeat("very long ", 900)+"end\n")
	address := serving(t, sh, project, "")
	axe := pagetest.Axe(t)
	one, two := pagetest.Open(t, address), pagetest.Open(t, address+"#part=approvals")
	one.Size(1280, 900, false)
	two.Size(360, 900, true)
	one.Wait(`document.getElementById("live").textContent === "live"`)

	one.Eval(`location.hash = "view=events"`)
	one.Wait(`document.querySelectorAll("details.event").length === 5`)
	add := func(i int) {
		l := line(i, noon.Add(time.Duration(i)*time.Second))
		l.Project = project
		must.Do(t, runner.AppendLog(sh.Host.State, &l))
	}
	add(1000)
	one.Wait(`document.querySelectorAll("details.event").length === 6`)
	one.Eval(`document.querySelector("details.event").open = true`)
	one.Wait(`document.querySelector("details.event .detail")`)
	add(1001)
	one.Wait(`document.querySelector("#live button")`)
	if n := one.Eval(`document.querySelectorAll("details.event").length`).(float64); n != 6 {
		t.Errorf("%v events while one was read", n)
	}
	one.Accessible(axe, "ui with news")
	one.Eval(`document.querySelector("#live button").click()`)
	one.Wait(`document.querySelectorAll("details.event").length === 7`)

	one.Eval(`location.hash = "part=approvals"`)
	card := `[...document.querySelectorAll(".approval")].find(c => c.textContent.includes("gofmt"))`
	for _, tab := range []*pagetest.Tab{one, two} {
		tab.Wait(card)
		tab.Accessible(axe, "approvals in ui")
	}
	one.Shot("ui-approvals")
	for _, tab := range []*pagetest.Tab{one, two} {
		tab.Eval(card + `.querySelector(".yes").click()`)
		if hint := tab.Text(card + `.querySelector("[role=status]").textContent`); !strings.Contains(hint, "Look at all of it") {
			t.Errorf("a line that was not unfolded: %q", hint)
		}
		tab.Eval(card + `.querySelector(".rest").click()`)
	}
	one.Eval(card + `.querySelector(".yes").click()`)
	if hint := one.Text(card + `.querySelector("[role=status]").textContent`); !strings.Contains(hint, "unseen") {
		t.Errorf("a file that was not shown: %q", hint)
	}
	for _, tab := range []*pagetest.Tab{one, two} {
		tab.Eval(card + `.querySelector("input").click()`)
		tab.Eval(card + `.querySelector(".yes").click()`)
		tab.Wait(`document.activeElement.textContent === "Yes, approve"`)
	}
	one.Accessible(axe, "about to approve")
	one.Shot("ui-sure")
	one.Key("Enter")
	one.Wait(`document.querySelector(".told")`)
	if said := one.Text(`document.querySelector(".told").textContent`); said != "gofmt is approved." {
		t.Errorf("it says %q", said)
	}
	one.Shot("ui-approved")
	if is := cardOf(t, sh, project, "gofmt"); is.State != "trusted" {
		t.Errorf("gofmt is %s", is.State)
	}
	two.Wait(`!` + card + `.querySelector(".yes")`)

	guard := strings.Replace(card, "gofmt", "shell-guard", 1)
	two.Wait(guard)
	two.Eval(guard + `.querySelector(".no").click()`)
	two.Wait(`document.querySelector(".told")`)
	if is := cardOf(t, sh, project, "shell-guard"); is.State != "new" || is.Declined == "" {
		t.Errorf("shell-guard is %s, %q", is.State, is.Declined)
	}
	two.Shot("ui-refused")
	writeHook(t, filepath.Join(sh.Host.Config, "hooks", "late"), "trigger: pre-tool-call\n", "Came later.")
	one.Eval(`location.hash = "part=hooks"`)
	one.Wait(`document.body.textContent.includes("Came later.")`)
	for _, tab := range []*pagetest.Tab{one, two} {
		for _, request := range tab.Heard("Network.requestWillBeSent") {
			if !strings.Contains(request, `"url":"`+address) && !strings.Contains(request, `"url":"about:blank`) {
				t.Errorf("asked for %s", request)
			}
		}
		for _, said := range tab.Heard("Log.entryAdded") {
			t.Error(said)
		}
	}
}

// Nobody puts the page into a frame, and no page of another origin reads it or has
// anything decided there, with the address in hand.
func TestBrowserOtherOrigins(t *testing.T) {
	pagetest.Browser(t)
	sh, project := machine(t, 1)
	address := serving(t, sh, project, "")
	card := cardOf(t, sh, project, "gofmt")
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><iframe id="f" src="` + address + `"></iframe><script>
const d = JSON.stringify({project: "` + filepath.ToSlash(card.Root) + `", name: "gofmt", hash: "` + card.Hash + `", answer: "approve", unseen: []});
const tries = {
  read: () => fetch("` + address + `").then(r => r.text()),
  decide: () => fetch("` + address + `decide", {method: "POST", headers: {"Content-Type": "application/json"}, body: d}).then(r => r.text()),
  simple: () => fetch("` + address + `decide", {method: "POST", mode: "no-cors", body: d}).then(r => { if (r.status) throw r.status; return "opaque"; }),
  live: () => new Promise((yes, no) => { const e = new EventSource("` + address + `live"); e.onmessage = yes; e.addEventListener("hello", yes); e.onerror = no; }),
  script: () => new Promise((yes, no) => { const s = document.createElement("script"); s.src = "` + address + `"; s.onload = yes; s.onerror = no; document.body.append(s); }),
  frame: () => new Promise((yes, no) => setTimeout(() => { try { document.getElementById("f").contentDocument ? no() : document.getElementById("f").contentWindow.length; no(); } catch (e) { no(); } }, 300)),
};
Promise.all(Object.entries(tries).map(([k, f]) => f().then(() => k + " worked", () => k + " failed"))).then(r => { document.documentElement.dataset.ready = r.join(", "); });
</script>`))
	}))
	defer evil.Close()
	tab := pagetest.Open(t, evil.URL)
	is := tab.Text(`document.documentElement.dataset.ready`)
	if want := "read failed, decide failed, simple failed, live failed, script failed, frame failed"; is != want {
		t.Errorf("%s\nwant %s", is, want)
	}
	if is := cardOf(t, sh, project, "gofmt"); is.State != "new" {
		t.Errorf("gofmt is %s", is.State)
	}
	framed := func(said string) bool { return strings.Contains(said, "frame") || strings.Contains(said, "403") }
	if !slices.ContainsFunc(tab.Heard("Log.entryAdded"), framed) {
		t.Error("nothing kept it out of a frame")
	}
}
