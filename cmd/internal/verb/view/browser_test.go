package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/doctor"
	"github.com/agents-hooks/agents-hooks/internal/page/pagetest"
)

// views are all of the page, by the address of each.
var views = [][2]string{
	{"sessions", ""}, {"events", "view=events"}, {"blocked", "view=events&is=block"}, {"none", "view=events&q=nosuchthing"}, {"hooks", "part=hooks"},
	{"agents", "part=agents"}, {"machine", "part=agents&view=machine"}, {"to look at", "part=agents&bad=1"}, {"approvals", "part=approvals"}, {"memory", "part=memory"}, {"core", "part=memory&view=core"}, {"workspaces", "part=workspace"}, {"evolution", "part=evolution"},
}

// turn shows a view, with its first things unfolded.
func turn(tab *pagetest.Tab, hash string) {
	tab.Eval(`document.documentElement.removeAttribute("data-ready"); location.hash = "` + hash + `"; dispatchEvent(new HashChangeEvent("hashchange"))`)
	tab.Wait(`document.documentElement.dataset.ready !== undefined`)
	tab.Eval(`[...document.querySelectorAll("details")].filter(d => d.matches(".block, .trouble, .ask") || d.textContent.includes("npm-to-pnpm")).slice(0, 4).forEach(d => d.open = true)`)
	tab.Eval(`new Promise(r => requestAnimationFrame(() => setTimeout(r, 20)))`)
}

// axe-core finds nothing in any view, in light and dark, wide and narrow, in both
// languages, on a machine with everything and on one with nothing; nothing is wider
// than the window, and nobody is asked for anything.
func TestBrowserAccessible(t *testing.T) {
	pagetest.Browser(t)
	axe := pagetest.Axe(t)
	sh, project := machine(t, 200)
	bare := shellOfNothing(t)
	for name, text := range map[string]string{"full": written(t, sh, lookOptions{examine: doctor.Health, dir: project, last: mostEvents}), "empty": written(t, bare, lookOptions{examine: doctor.Health, dir: bare.Host.Home})} {
		t.Run(name, func(t *testing.T) {
			file := pagetest.File(t, text)
			tab := pagetest.Open(t, file)
			for _, dark := range []bool{false, true} {
				for _, width := range []int{1280, 360} {
					tab.Size(width, 900, dark)
					for _, v := range views {
						for _, lang := range []string{"en", "zh"} {
							if lang == "zh" && (dark || width == 1280) {
								continue
							}
							what := fmt.Sprintf("%s %s, %d wide, dark %v, %s", name, v[0], width, dark, lang)
							turn(tab, v[1]+"&lang="+lang)
							tab.Accessible(axe, what)
							if over := tab.Eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`).(float64); over > 0 {
								t.Errorf("%s: %v px wider than the window", what, over)
							}
							tab.Shot(fmt.Sprintf("%s-%s-%d-%v-%s", name, v[0], width, dark, lang))
						}
					}
				}
			}
			for _, said := range tab.Heard("Log.entryAdded") {
				t.Errorf("%s: %s", name, said)
			}
			for _, request := range tab.Heard("Network.requestWillBeSent") {
				if !strings.Contains(request, `"url":"file://`) && !strings.Contains(request, `"url":"about:blank`) {
					t.Errorf("%s: asked for %s", name, request)
				}
			}
		})
	}
}

// A page of 5,000 events opens in a few times what one of 100 takes, and 50,000 still open.
func TestBrowserOpensFast(t *testing.T) {
	pagetest.Browser(t)
	few := 0.0                                       // what 100 take on this machine, in milliseconds
	for _, n := range []int{100, 100, 5000, 50000} { // the first page has the browser's own start
		sh, project := machine(t, 0)
		writeLog(t, sh, project, n)
		before := time.Now()
		text := written(t, sh, lookOptions{examine: doctor.Health, dir: project})
		made := time.Since(before)
		tab := pagetest.Open(t, "")
		tab.Go(pagetest.File(t, text))
		ms := tab.Eval(`performance.now() && new Promise(r => requestAnimationFrame(() => r(performance.getEntriesByType("navigation")[0].domComplete)))`).(float64)
		paint := tab.Eval(`new Promise(r => { const look = () => { const p = performance.getEntriesByName("first-contentful-paint")[0]; p ? r(p.startTime) : setTimeout(look, 10) }; look() })`).(float64)
		tab.Eval(`window.began = performance.now(); location.hash = "view=events"`)
		tab.Wait(`document.documentElement.dataset.ready === "events"`)
		took := tab.Eval(`new Promise(r => requestAnimationFrame(() => r(performance.now() - began)))`).(float64)
		t.Logf("%d events: %d KiB, made in %v, loaded in %.0f ms, first paint at %.0f ms, their list in %.0f ms", n, len(text)>>10, made.Round(time.Millisecond), ms, paint, took)
		if n == 100 {
			few = max(ms, paint)
		} else if n == 5000 && max(ms, paint) > 6*few {
			t.Errorf("5,000 events took %.0f ms to load, %.0f to paint; 100 took %.0f", ms, paint, few)
		}
		if is := tab.Text(`document.querySelector(".count").textContent`); is != fmt.Sprintf("%d events", n) {
			t.Errorf("shows %q", is)
		}
	}
}
