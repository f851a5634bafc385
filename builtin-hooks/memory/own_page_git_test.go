package memory_test

import (
	"os"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// begun is what a session begins with.
func (d *trial) begun() string {
	d.Helper()
	m := ops.At(d.world, d.call)
	return memory.Loader{Place: m.Place, Settings: setting.Resolve(memory.Settings(), setting.Sources{}), Now: d.world.Now(), Room: 8000}.Load().Text
}

// file is a file of the folder, "" if it does not exist.
func (d *trial) file(name string) string {
	d.Helper()
	b, err := os.ReadFile(ops.At(d.world, d.call).Path(name))
	if err != nil && !os.IsNotExist(err) {
		d.Error(err)
	}
	return string(b)
}

// told fails unless a session begins with one text once, and not with another one.
func (d *trial) told(when, once, never string) {
	d.Helper()
	if got := d.begun(); strings.Count(got, once) != 1 || strings.Contains(got, never) {
		d.Errorf("%s: want %q once, and no %q:\n%s", when, once, never, got)
	}
	if page := d.says("memory_search", `{"query": "gateway timeout"}`); strings.Contains(page, never) {
		d.Errorf("%s: %q is found: %s", when, never, page)
	}
}

// A fact that was put on the page of a memory that is kept out of commits, and is replaced, is
// told once, by what replaced it, and its line is named and settled there.
// BM-HND-14, BM-HND-15, BM-HND-13, BM-GIT-14.
func TestALineOfThePageOfAMemoryThatGitIgnoresFollowsItsFact(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.table["git"] = "ignore"
	old := d.idOf(d.says("memory_save", `{"content": "The gateway timeout is 10 seconds"}`))
	d.says("memory_promote", `{"id": "`+old+`"}`, "own/MEMORY.md")
	answer := d.says("memory_save", `{"content": "The gateway timeout is 20 seconds"}`, `"page":[{"file":"own/MEMORY.md"`, `"why":"replaced"`, `"id":"`+old+`"`)
	newer := d.idOf(answer)
	d.told("replaced", "20 seconds", "10 seconds")
	d.says("memory_review", `{}`, `"why":"page"`, "memory promote "+newer)
	d.says("memory_promote", `{"id": "`+newer+`"}`, `"diff"`)
	if page := d.file("own/MEMORY.md"); strings.Count(page, "20 seconds") != 1 || strings.Contains(page, "10 seconds") || d.file("MEMORY.md") != "" {
		t.Errorf("the page: %s\nunder the name that others commit: %s", page, d.file("MEMORY.md"))
	}
	d.says("memory_forget", `{"ids": ["`+newer+`"]}`, `"page":[{"file":"own/MEMORY.md"`, `"why":"deleted"`)
	m := ops.At(d.world, d.call)
	if _, err := m.Purge([]string{newer}); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"own/MEMORY.md", "own/MEMORY.md.bak"} {
		if strings.Contains(d.file(file), "20 seconds") {
			t.Errorf("%s still says what was purged:\n%s", file, d.file(file))
		}
	}
}

// A line by hand is named with its file, and a fact is put in place of it there.
// BM-HND-16.
func TestALineByHandOfAPageThatGitIgnoresIsNamed(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.table["git"] = "ignore"
	d.says("memory_distill", `{"sections": {"Tools": ["The linter is pylint"]}}`, `"ok"`)
	id := d.idOf(d.says("memory_save", `{"content": "The linter is ruff"}`, `"file":"own/MEMORY.md"`, `"why":"contradicted"`, " --line "))
	line := 0
	for i, text := range strings.Split(d.file("own/MEMORY.md"), "\n") {
		if strings.Contains(text, "pylint") {
			line = i + 1
		}
	}
	m := ops.At(d.world, d.call)
	if _, err := m.PromoteOver(id, line, "", m.Language()); err != nil || strings.Contains(d.file("own/MEMORY.md"), "pylint") || !strings.Contains(d.file("own/MEMORY.md"), "- The linter is ruff") {
		t.Errorf("%v: %s", err, d.file("own/MEMORY.md"))
	}
}

// Where git tracks the page and memory is kept out of commits since, the page has two files: what
// is settled is settled in both, and comes back to where it was.
// BM-HND-14, BM-HND-15, BM-HND-18, BM-TRU-12.
func TestALineOfAPageThatGitStillTracksIsSettledWhereItStands(t *testing.T) {
	t.Parallel()
	for _, settled := range []string{"promote", "remove"} {
		t.Run(settled, func(t *testing.T) {
			t.Parallel()
			settledBoth(t, settled == "remove")
		})
	}
}

func settledBoth(t *testing.T, remove bool) {
	d := newTrial(t)
	d.repository()
	d.table["git"] = "commit"
	old := d.idOf(d.says("memory_save", `{"content": "The gateway timeout is 10 seconds"}`))
	d.says("memory_promote", `{"id": "`+old+`"}`, `"ok"`)
	d.commit("memory")
	p := ops.At(d.world, d.call).Place
	d.table["git"], p.Git = "ignore", "ignore"
	must.Do(t, p.Share())
	d.says("memory_promote", `{"id": "`+old+`"}`, `"ok"`)
	if strings.Contains(d.file("own/MEMORY.md"), "10 seconds") {
		t.Error("what the page beside says is put on the other, too")
	}
	newer := d.idOf(d.says("memory_save", `{"content": "The gateway timeout is 20 seconds"}`, `"page":[{"file":"MEMORY.md"`, `"why":"replaced"`))
	d.told("replaced", "20 seconds", "10 seconds")
	before := d.file("MEMORY.md")
	if !remove {
		d.says("memory_promote", `{"id": "`+newer+`"}`, "own/MEMORY.md", "20 seconds", "--remove")
		if strings.Contains(d.file("MEMORY.md"), "10 seconds") || strings.Count(d.file("own/MEMORY.md"), "20 seconds") != 1 {
			t.Errorf("promoted: %s\nbeside: %s", d.file("own/MEMORY.md"), d.file("MEMORY.md"))
		}
		return
	}
	m := ops.At(d.world, d.call)
	done, err := m.Demote(old)
	if err != nil || strings.Contains(d.file("MEMORY.md"), "10 seconds") || !strings.HasSuffix(done.Before, "-beside.md") {
		t.Fatalf("%+v, %v: %s", done, err, d.file("MEMORY.md"))
	}
	if _, err := m.RestorePage(done.Before); err != nil || d.file("MEMORY.md") != before || strings.Contains(d.file("own/MEMORY.md"), "10 seconds") {
		t.Errorf("restored: %v: %s\napart: %s", err, d.file("MEMORY.md"), d.file("own/MEMORY.md"))
	}

	// It is a line by hand now: named, and no fact is put over a line of another file.
	if got := d.says("memory_review", `{}`, `"file":"MEMORY.md"`, `"why":"contradicted"`); strings.Contains(got, " --line ") {
		t.Errorf("a line of the page apart is to be replaced: %s", got)
	}
}
