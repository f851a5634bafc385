package view

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/page/pagetest"
)

// What a line of MEMORY.md says otherwise than its fact is settled by a button, and undone; and a
// fact says again what it said before an edit.
// BM-HND-15, BM-HND-20.
func TestBrowserMemoryPageLine(t *testing.T) {
	pagetest.Browser(t)
	sh, project := machine(t, 0)
	dir := remembered(t, project)
	daily, core := filepath.Join(dir, "daily", "2026-11-20.jsonl"), filepath.Join(dir, "MEMORY.md")
	must.Write(t, daily, must.Read(t, daily)+`{"id": "gate", "type": "fact", "memory_type": "W", "content": "The gate is green", "timestamp": "2026-11-20T09:00:00Z", "promoted_at": "2026-11-20T09:00:00Z", "promoted_as": "The gate is red", `+
		`"earlier": [{"content": "The gate is red", "memory_type": "W", "type": "fact", "at": "2026-11-20T09:00:00Z"}], "updated_at": "2026-11-21T09:00:00Z", "updated_by": "Bob"}`+"\n")
	must.Write(t, core, must.Read(t, core)+"- The gate is red\n")
	acceptMemory(t, sh, project)
	tab := pagetest.Open(t, serving(t, sh, project, "")+"#part=memory&view=review")
	tab.Size(400, 900, false)
	tab.Wait(`document.getElementById("live").textContent === "live"`)
	said := func(text string) {
		t.Helper()
		tab.Wait(fmt.Sprintf(`document.getElementById("said") && document.getElementById("said").textContent.includes(%q)`, text))
	}
	line := `[...document.querySelectorAll(".pair")].find(p => p.textContent.includes("MEMORY.md, line"))`
	tab.Wait(line)
	tab.Accessible(pagetest.Axe(t), "a line of the page")
	tab.Shot("memory-line")
	press(tab, line, "Put this in its place")
	said("It stands on MEMORY.md")
	if page := must.Read(t, core); strings.Contains(page, "red") || !strings.Contains(page, "- The gate is green\n") {
		t.Errorf("the page says: %s", page)
	}
	tab.Eval(`document.querySelector("#said button").click()`)
	said("Undone")
	if page := must.Read(t, core); !strings.Contains(page, "- The gate is red\n") {
		t.Errorf("undone, the page says: %s", page)
	}
	turn(tab, "part=memory&view=timeline")
	press(tab, cardOn("The gate is green"), "What it said before")
	said("It says again")
	if is := factOn(t, memoryPage(t, sh, project), "The gate is"); is.Text != "The gate is red" || is.Before != "The gate is green" {
		t.Errorf("%+v", is)
	}
	for _, said := range tab.Heard("Log.entryAdded") {
		t.Error(said)
	}
}
