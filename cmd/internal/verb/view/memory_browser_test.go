package view

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/page/pagetest"
)

// remembered is a memory with something to settle.
func remembered(t *testing.T, project string) (dir string) {
	t.Helper()
	dir = filepath.Join(project, ".agents", "memory-data")
	line := func(id, text, more string) string {
		return fmt.Sprintf(`{"id": %q, "type": "fact", "memory_type": "W", "content": %q, "entities": ["wiki"], "timestamp": "2026-11-20T09:00:00Z"%s}`+"\n", id, text, more)
	}
	must.Write(t, filepath.Join(dir, "daily", "2026-11-20.jsonl"), line("a", "The wiki is in Confluence", `, "source": {"author": "Ann Lee", "branch": "main"}`)+line("b", "The wiki is in Notion", "")+
		line("two", "The lead is Ann", "")+line("two", "The lead is Bob", "")+line("often", "Builds on the runner need 4 GB", `, "seen_count": 4`)+line("over", "The freeze is on", `, "valid_until": "2026-11-20T12:00:00Z"`))
	must.Write(t, filepath.Join(dir, "MEMORY.md"), "# 核心记忆\n\n## 重要决策\n\n- PostgreSQL 16\n")
	must.Write(t, filepath.Join(dir, "versions", "MEMORY-20261119-081500.000.md"), "# 核心记忆\n\n## 重要决策\n\n- MySQL 8\n- 回答用中文\n")
	return dir
}

// cardOn is the card of a fact, as an expression.
func cardOn(text string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("#main .card")].find(c => c.textContent.includes(%q))`, text)
}

func press(tab *pagetest.Tab, card, label string) {
	at := fmt.Sprintf(`[...%s.querySelectorAll(".acts button")].find(b => b.textContent === %q)`, card, label)
	tab.Wait(card + " && " + at)
	tab.Eval(at + ".click()")
}

func typeInto(tab *pagetest.Tab, field, text string) {
	tab.Eval(fmt.Sprintf(`(() => { const a = document.querySelector(%q); a.value = %q; a.dispatchEvent(new Event("input")); })()`, field, text))
}

// Every view of memory in ui is without a finding of axe-core, with forms open, in both
// colours, wide and narrow, in both languages; nothing is wider than the window.
// BM-VIE-05.
func TestBrowserMemoryAccessible(t *testing.T) {
	pagetest.Browser(t)
	axe := pagetest.Axe(t)
	sh, project := machine(t, 0)
	remembered(t, project)
	acceptMemory(t, sh, project)
	tab := pagetest.Open(t, serving(t, sh, project, "")+"#part=memory")
	tab.Wait(`document.getElementById("live").textContent === "live"`)
	press(tab, cardOn("PostgreSQL 16; schema"), "Delete")
	tab.Wait(`document.getElementById("said")`)
	for _, dark := range []bool{false, true} {
		for _, width := range []int{1280, 400} {
			tab.Size(width, 900, dark)
			for _, lang := range []string{"en", "zh"} {
				for _, view := range []string{"timeline", "core", "review", "deleted"} {
					what := fmt.Sprintf("memory %s, %d wide, dark %v, %s", view, width, dark, lang)
					turn(tab, "part=memory&view="+view+"&lang="+lang)
					tab.Eval(`document.querySelectorAll("#main details").forEach(d => d.open = true)`)
					tab.Eval(`(() => { const b = [...document.querySelectorAll("#main .acts button")].filter(b => /^(Edit|编辑|Write|另写)/.test(b.textContent)); if (!document.querySelector(".form") && b.length) b[0].click(); })()`)
					tab.Eval(`new Promise(r => requestAnimationFrame(() => setTimeout(r, 20)))`)
					tab.Accessible(axe, what)
					if over := tab.Eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`).(float64); over > 0 {
						t.Errorf("%s: %v px wider than the window", what, over)
					}
					tab.Shot(fmt.Sprintf("memory-%s-%d-%v-%s", view, width, dark, lang))
				}
			}
		}
	}
	for _, said := range tab.Heard("Log.entryAdded") {
		t.Error(said)
	}
}

// Two windows and somebody with an editor change one fact: who is later is shown what
// stands there, beside what they typed, and decides; nobody's text is lost.
// BM-VIE-06, BM-VIE-09.
func TestBrowserMemoryAtOnce(t *testing.T) {
	pagetest.Browser(t)
	sh, project := machine(t, 0)
	dir := remembered(t, project)
	acceptMemory(t, sh, project)
	address := serving(t, sh, project, "") + "#part=memory"
	one, two := pagetest.Open(t, address), pagetest.Open(t, address)
	for _, tab := range []*pagetest.Tab{one, two} {
		tab.Size(1280, 900, false)
		tab.Wait(`document.getElementById("live").textContent === "live"`)
		press(tab, cardOn("PostgreSQL 16; schema"), "Edit")
		tab.Wait(`document.activeElement.tagName === "TEXTAREA"`)
	}
	typeInto(one, "textarea", "订单服务使用 PostgreSQL 17。")
	typeInto(two, "textarea", "Orders: PostgreSQL 18, says the second window.")
	press(one, `document.querySelector(".form")`, "Save")
	one.Wait(`document.getElementById("said")`)
	// The other one hears of it while it types, and what it typed stands.
	two.Wait(`document.querySelector(".theirs")`)
	if is := two.Text(`document.querySelector(".theirs .text").textContent + "|" + document.querySelector("textarea").value`); is != "订单服务使用 PostgreSQL 17。|Orders: PostgreSQL 18, says the second window." {
		t.Errorf("it shows %q", is)
	}
	two.Accessible(pagetest.Axe(t), "a stale edit")
	two.Shot("memory-stale")
	press(two, `document.querySelector(".form")`, "Save") // without having said which
	two.Wait(`document.activeElement.classList.contains("theirs")`)
	if is := factOn(t, memoryPage(t, sh, project), "PostgreSQL 17"); is.Text != "订单服务使用 PostgreSQL 17。" {
		t.Errorf("it was overwritten: %+v", is)
	}
	press(two, `document.querySelector(".theirs")`, "Save mine in its place")
	two.Wait(`!document.querySelector(".form")`)
	is := factOn(t, memoryPage(t, sh, project), "PostgreSQL 18")

	// Somebody with an editor: the page has not heard of it yet.
	press(one, cardOn("PostgreSQL 18"), "Edit")
	one.Wait(`document.querySelector(".form")`)
	typeInto(one, "textarea", "typed in the page")
	file := filepath.Join(dir, "daily", is.Time[:10]+".jsonl")
	must.Write(t, file, strings.Replace(must.Read(t, file), "PostgreSQL 18", "PostgreSQL 19, by hand,", 1))
	acceptMemory(t, sh, project)
	press(one, `document.querySelector(".form")`, "Save")
	one.Wait(`document.querySelector(".theirs")`)
	if is := one.Text(`document.querySelector(".theirs").textContent + document.querySelector("textarea").value`); !strings.Contains(is, "by hand") || !strings.Contains(is, "typed in the page") {
		t.Errorf("it shows %q", is)
	}
	// It is purged meanwhile: what was typed becomes a fact of its own.
	m, _ := memoryOf(sh, lookOptions{dir: project}, false)
	must.Do(t, must.Err(m.Purge([]string{is.ID})))
	one.Wait(`document.querySelector(".theirs").textContent.includes("removed for good")`)
	press(one, `document.querySelector(".theirs")`, "Save mine as a new fact")
	one.Wait(`!document.querySelector(".form")`)
	factOn(t, memoryPage(t, sh, project), "typed in the page")
}

// By keyboard alone: reach a fact, change it, throw a change away, delete it, bring it
// back; the keyboard is where one goes on from.
// BM-VIE-10.
func TestBrowserMemoryKeyboard(t *testing.T) {
	pagetest.Browser(t)
	sh, project := machine(t, 0)
	tab := pagetest.Open(t, serving(t, sh, project, "")+"#part=memory")
	tab.Size(1280, 900, false)
	tab.Wait(`document.getElementById("live").textContent === "live"`)
	name := `(document.activeElement.getAttribute("aria-label") || document.activeElement.textContent)`
	reach := func(what string) {
		t.Helper()
		for range 60 {
			tab.Key("Tab")
			if strings.HasPrefix(tab.Text(name), what) {
				if tab.Text(`getComputedStyle(document.activeElement).outlineStyle`) == "none" {
					t.Errorf("%s has no outline when it is reached", what)
				}
				return
			}
		}
		t.Fatalf("%s is not reached by Tab", what)
	}
	reach("Edit: The orders service")
	tab.Key("Enter")
	tab.Wait(`document.activeElement.tagName === "TEXTAREA"`)
	for _, c := range " Yes" {
		tab.Key(string(c))
	}
	tab.Key("Escape") // does not throw away what was typed
	if is := tab.Text(`document.activeElement.value`); !strings.HasSuffix(is, "goose. Yes") {
		t.Errorf("typed: %q", is)
	}
	reach("Save")
	tab.Key("Enter")
	tab.Wait(`document.getElementById("said")`)
	if is := tab.Text(name); !strings.HasPrefix(is, "Edit: The orders") {
		t.Errorf("after saving the keyboard is at %q", is)
	}
	factOn(t, memoryPage(t, sh, project), "goose. Yes")
	tab.Key("Enter")
	tab.Wait(`document.activeElement.tagName === "TEXTAREA"`)
	tab.Key("Escape")
	tab.Wait(`!document.querySelector(".form")`)
	reach("Delete: The orders service")
	tab.Key("Enter")
	tab.Wait(`document.activeElement.textContent === "Undo"`)
	if n := len(memoryPage(t, sh, project).Edit.Deleted); n != 1 {
		t.Errorf("%d deleted", n)
	}
	tab.Key("Enter")
	tab.Wait(`document.getElementById("said").textContent.includes("Undone")`)
	factOn(t, memoryPage(t, sh, project), "goose. Yes")
}

// What is being composed, as Chinese is typed, is not taken away by what happens
// elsewhere, nor saved by its Enter.
// BM-VIE-09.
func TestBrowserMemoryComposing(t *testing.T) {
	pagetest.Browser(t)
	sh, project := machine(t, 0)
	dir := remembered(t, project)
	acceptMemory(t, sh, project)
	tab := pagetest.Open(t, serving(t, sh, project, "")+"#part=memory")
	tab.Wait(`document.getElementById("live").textContent === "live"`)
	press(tab, cardOn("PostgreSQL 16; schema"), "Edit")
	tab.Wait(`document.activeElement.tagName === "TEXTAREA"`)
	tab.Eval(`window.area = document.activeElement, area.value = "", 0`)
	tab.Compose("shu ju ku")
	must.Write(t, filepath.Join(dir, "MEMORY.md"), "# 核心记忆\n\n- by hand\n")
	tab.Wait(`document.getElementById("live").textContent === "live"`)
	changeOn(t, tabAddress(tab), map[string]any{"do": "save", "content": "Somebody saved this meanwhile.", "type": "W"})
	time.Sleep(2 * partsEvery) // that the page was not made anew has no event to wait for
	if tab.Eval(`document.activeElement === area && area.isConnected && area.value`) != "shu ju ku" {
		t.Errorf("what was composed: %q", tab.Text(`area.value`))
	}
	tab.Eval(`area.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true, isComposing: true, bubbles: true})), 0`)
	tab.Insert("数据库用 PostgreSQL 17")
	tab.Eval(`area.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true, bubbles: true})), 0`)
	tab.Wait(`!document.querySelector(".form")`)
	if is := factOn(t, memoryPage(t, sh, project), "数据库用"); is.Text != "数据库用 PostgreSQL 17" {
		t.Errorf("kept: %q", is.Text)
	}
	tab.Wait(cardOn("Somebody saved this meanwhile."))
}

func tabAddress(tab *pagetest.Tab) string { return tab.Text(`location.href.split("#")[0]`) }

// What facts say is shown as text, in forms, notices and what can be brought back; too
// long a text is not cut.
func TestBrowserMemoryHostile(t *testing.T) {
	pagetest.Browser(t)
	sh, project := machine(t, 0)
	address := serving(t, sh, project, "")
	for _, text := range append(pagetest.Hostile("http://127.0.0.1:9"), "turned \u202e around", strings.Repeat("长文 ", 200)) {
		if a := changeOn(t, address, map[string]any{"do": "save", "content": text, "type": "W", "entities": []string{text}}); a.Status != 200 {
			t.Fatal(a.Error)
		}
	}
	tab := pagetest.Open(t, address+"#part=memory")
	tab.Size(400, 900, true)
	tab.Wait(`document.getElementById("live").textContent === "live"`)
	for range 8 {
		tab.Eval(`(() => { const b = [...document.querySelectorAll("#main .card > div > .acts button")].find(b => b.textContent === "Edit"); if (b) b.click(); })()`)
	}
	tab.Wait(`document.querySelectorAll(".form").length >= 8`)
	typeInto(tab, "textarea", strings.Repeat("长", 900))
	press(tab, `document.querySelector(".form")`, "Save")
	tab.Wait(`document.querySelector(".problem")`)
	if is := tab.Text(`document.querySelector(".problem").textContent + document.querySelector("textarea").value.length`); !strings.Contains(is, "900 characters") || !strings.HasSuffix(is, "900") {
		t.Errorf("it says %q", is)
	}
	if over := tab.Eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`).(float64); over > 0 {
		t.Errorf("%v px wider than the window", over)
	}
	pagetest.Dead(t, tab.Text(`document.documentElement.outerHTML`))
	if strings.Contains(tab.Text(`document.body.textContent + [...document.querySelectorAll("textarea")].map(a => a.value).join()`), "\u202e") {
		t.Error("a text turns others around")
	}
	tab.Shot("memory-hostile")
}

// Two facts are chosen and become one, which is undone; what contradicts itself, what
// stands twice, what proved itself and an earlier page are settled by buttons; what did
// not work is said where it was tried.
func TestBrowserMemorySettled(t *testing.T) {
	pagetest.Browser(t)
	sh, project := machine(t, 0)
	dir := remembered(t, project)
	acceptMemory(t, sh, project)
	address := serving(t, sh, project, "")
	tab := pagetest.Open(t, address+"#part=memory")
	tab.Size(400, 900, false)
	tab.Wait(`document.getElementById("live").textContent === "live"`)
	main := `document.getElementById("main")`
	said := func(text string) {
		t.Helper()
		tab.Wait(fmt.Sprintf(`document.getElementById("said") && document.getElementById("said").textContent.includes(%q)`, text))
	}
	press(tab, cardOn("PostgreSQL 16; schema"), "Merge")
	tab.Wait(`document.querySelector(".pick")`)
	press(tab, cardOn("Small commits"), "Merge with this")
	tab.Wait(`document.querySelector(".pair")`)
	tab.Accessible(pagetest.Axe(t), "two chosen")
	tab.Shot("memory-merge")
	press(tab, `document.querySelector(".pair")`, "Write a third")
	tab.Wait(`document.activeElement.tagName === "TEXTAREA"`)
	typeInto(tab, "textarea", "合并成一条：PostgreSQL，提交要小。")
	press(tab, `document.querySelector(".form")`, "Save")
	said("One fact stands for the two")
	if p := memoryPage(t, sh, project); !factOn(t, p, "Small commits").Old || factOn(t, p, "合并成一条").Old {
		t.Error("they are not one")
	}
	tab.Eval(`document.querySelector("#said button").click()`)
	said("Undone")
	if p := memoryPage(t, sh, project); factOn(t, p, "Small commits").Old {
		t.Error("what was merged is not back")
	}

	turn(tab, "part=memory&view=review")
	press(tab, `document.querySelector(".pair")`, "Keep both")
	said("Both stay")
	versions := `[...document.querySelectorAll(".pair")].find(p => p.textContent.includes("The lead is Ann"))`
	tab.Wait(versions)
	tab.Eval(`[...` + versions + `.querySelectorAll(".two .acts button")].find(b => b.getAttribute("aria-label").includes("Ann")).click()`)
	said("The other one is deleted")
	press(tab, cardOn("Builds on the runner"), "Put on MEMORY.md")
	said("It stands on MEMORY.md")
	if p := memoryPage(t, sh, project); !strings.Contains(p.Core, "4 GB") || factOn(t, p, "The lead is Ann").Old || len(p.Edit.Findings) != 1 {
		t.Errorf("%+v\n%s", p.Edit.Findings, p.Core)
	}
	// Somebody writes on the page before the undo: it stays.
	must.Write(t, filepath.Join(dir, "MEMORY.md"), must.Read(t, filepath.Join(dir, "MEMORY.md"))+"- by hand\n")
	tab.Eval(`document.querySelector("#said button").click()`)
	tab.Wait(`document.querySelector("#said .problem")`)
	if b, _ := os.ReadFile(filepath.Join(dir, "MEMORY.md")); !strings.Contains(string(b), "by hand") {
		t.Error("what was written by hand is lost")
	}

	turn(tab, "part=memory&view=core")
	tab.Eval(`[...document.querySelectorAll(".version")].find(v => v.textContent.includes("2026-11-19")).open = true`)
	press(tab, `[...document.querySelectorAll(".version")].find(v => v.open)`, "Bring this page back")
	said("The page is back")
	if p := memoryPage(t, sh, project); !strings.Contains(p.Core, "MySQL 8") || len(p.Edit.Versions) < 2 {
		t.Errorf("%d versions\n%s", len(p.Edit.Versions), p.Core)
	}
	if is := tab.Text(main + `.textContent`); !strings.Contains(is, "MySQL 8") {
		t.Errorf("it shows %q", is)
	}
	for _, said := range tab.Heard("Log.entryAdded") {
		if !strings.Contains(said, "409") { // the change that was refused
			t.Error(said)
		}
	}
}

// What another fact took the place of holds again at a button, in both languages; what is over has none.
// BM-VIE-12.
func TestBrowserMemoryReplacedHoldsAgain(t *testing.T) {
	pagetest.Browser(t)
	for lang, label := range map[string]string{"en": "Let it hold again", "zh": "恢复有效"} {
		t.Run(lang, func(t *testing.T) {
			sh, project := machine(t, 0)
			dir := remembered(t, project)
			must.Write(t, filepath.Join(dir, "daily", "2026-11-19.jsonl"), `{"id": "was", "type": "fact", "content": "The port is 8080", "timestamp": "2026-11-19T09:00:00Z"}`+"\n"+
				`{"id": "is", "type": "fact", "content": "The port is 8081", "supersedes": ["was"], "timestamp": "2026-11-19T10:00:00Z"}`+"\n")
			acceptMemory(t, sh, project)
			tab := pagetest.Open(t, serving(t, sh, project, "")+"#part=memory&old=1&lang="+lang)
			tab.Wait(cardOn("The port is 8080"))
			for _, text := range []string{"The port is 8081", "The freeze is on"} {
				if labels := tab.Text(cardOn(text) + `.querySelector(".acts").textContent`); strings.Contains(labels, label) {
					t.Errorf("%s: %q", text, labels)
				}
			}
			press(tab, cardOn("The port is 8080"), label)
			tab.Wait(`document.getElementById("said")`)
			p := memoryPage(t, sh, project)
			if factOn(t, p, "8080").Old || factOn(t, p, "8081").Old {
				t.Error("one of them does not hold")
			}
			tab.Wait(`![...` + cardOn("The port is 8080") + `.querySelectorAll(".acts button")].some(b => b.textContent === ` + fmt.Sprintf("%q", label) + `)`)
		})
	}
}

// The summary of a session is corrected in a form, taken back, deleted and brought back.
// BM-VIE-11.
func TestBrowserMemorySummary(t *testing.T) {
	pagetest.Browser(t)
	sh, project := machine(t, 0)
	dir := remembered(t, project)
	must.Write(t, filepath.Join(dir, "sessions.jsonl"), `{"id": "sum-1", "session_id": "s-late", "topic": "Rounding", "summary": "Invoices are rounded down", "decisions": ["round down"], "todos": [], "timestamp": "2026-11-20T09:00:00Z"}`+"\n")
	acceptMemory(t, sh, project)
	tab := pagetest.Open(t, serving(t, sh, project, "")+"#part=memory&view=sessions")
	press(tab, cardOn("Rounding"), "Edit")
	typeInto(tab, "#main .form textarea", "Invoices are rounded half up")
	typeInto(tab, "#main .form .todos textarea", "tell finance\nwrite a test")
	press(tab, cardOn("Rounding"), "Save")
	tab.Wait(cardOn("half up") + ` && document.querySelectorAll("#main .card.sum li").length === 3`)
	tab.Eval(`document.querySelector("#said .yes").click()`)
	tab.Wait(cardOn("rounded down"))
	press(tab, cardOn("Rounding"), "Delete")
	tab.Wait(`!` + cardOn("Rounding"))
	turn(tab, "part=memory&view=deleted")
	press(tab, cardOn("Rounding"), "Bring back")
	turn(tab, "part=memory&view=sessions")
	tab.Wait(cardOn("rounded down"))
}
