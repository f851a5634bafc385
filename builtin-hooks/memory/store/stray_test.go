package store

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// onPage puts a fact on MEMORY.md, and returns its id.
func (f *folder) onPage(content string) string {
	f.Helper()
	id := f.save(content).ID
	if _, err := f.Promote(id, "", locale.English); err != nil {
		f.Fatal(err)
	}
	return id
}

// told is what of MEMORY.md is told.
func (f *folder) told() string {
	f.Helper()
	parts, err := f.place().TrueNow(memory.CoreFile, f.Now)
	if err != nil {
		f.Fatal(err)
	}
	return parts.Known
}

// searched is what a search finds on MEMORY.md.
func (f *folder) searched(query string) (out string) {
	f.Helper()
	found, err := search.Thorough([]search.Folder{{Scope: "user", Dir: f.Dir}}, search.Query{Text: query, Max: 5, Method: search.Text, Now: f.Now}, f.Now)
	must.Do(f.T, err)
	for _, h := range found {
		if h.Kind == "core" {
			out += h.Content
		}
	}
	return out
}

// What becomes of a fact is named of its line on MEMORY.md, which is told no more; what is
// proposed settles it.
// BM-HND-14, BM-HND-15.
func TestALineOfThePageFollowsItsFact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why  string
		do   func(f *folder, id string) (by string)
		then string // what the page says once the first proposal was followed
	}{
		{"replaced", func(f *folder, _ string) string { return f.save("The gateway timeout is 20 seconds").ID }, "- The gateway timeout is 20 seconds\n"},
		{"edited", func(f *folder, id string) string {
			text := "The gateway timeout is 15 seconds"
			must.Do(f.T, f.Edit(id, Edit{Content: &text}))
			return id
		}, "- The gateway timeout is 15 seconds\n"},
		{"over", func(f *folder, id string) string {
			end := now.Add(-time.Hour)
			must.Do(f.T, f.Edit(id, Edit{Until: &end}))
			return ""
		}, ""},
		{"deleted", func(f *folder, id string) string {
			_, err := f.Delete([]string{id})
			must.Do(f.T, err)
			return ""
		}, ""},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			f := newFolder(t)
			f.onPage("The mirror is in Oslo")
			id := f.onPage("The gateway timeout is 10 seconds")
			if !strings.Contains(f.searched("gateway timeout"), "10 seconds") {
				t.Fatal("what the page says is not found while it holds")
			}
			by := c.do(f, id)
			lines, err := f.Strays([]string{id})
			if err != nil || len(lines) != 1 || lines[0].Why != c.why || lines[0].ID != id || lines[0].By != by || lines[0].Text != "The gateway timeout is 10 seconds" {
				t.Fatalf("%+v, %v", lines, err)
			}
			if page := strings.Split(f.read("MEMORY.md"), "\n"); !strings.Contains(page[lines[0].Line-1], "10 seconds") {
				t.Errorf("line %d is %q", lines[0].Line, page[lines[0].Line-1])
			}
			if told := f.told(); strings.Contains(told, "10 seconds") || !strings.Contains(told, "Oslo") {
				t.Errorf("told: %s", told)
			}
			if found := f.searched("gateway timeout"); strings.Contains(found, "10 seconds") {
				t.Errorf("found on the page: %s", found)
			}
			if found := f.found(90); !slices.ContainsFunc(found, func(s string) bool { return strings.HasPrefix(s, "page: ") }) {
				t.Errorf("review: %q", found)
			}
			if by != "" {
				_, err = f.Promote(by, "", locale.English)
			} else {
				_, err = f.Demote(id)
			}
			page := f.read("MEMORY.md")
			if err != nil || strings.Contains(page, "10 seconds") || !strings.Contains(page, c.then) || !strings.Contains(page, "Oslo") {
				t.Errorf("settled: %v\n%s", err, page)
			}
			if lines, _ := f.Strays(nil); len(lines) > 0 {
				t.Errorf("after that: %+v", lines)
			}
		})
	}
}

// What held before holds again on the page, too, and what was tidied away for its age stays told.
// BM-HND-14.
func TestALineOfThePageComesBackWithItsFact(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.onPage("The gateway timeout is 10 seconds")
	second := f.save("The gateway timeout is 20 seconds").ID
	if strings.Contains(f.told(), "10 seconds") {
		t.Fatal("told beside what replaced it")
	}
	third := f.save("The gateway timeout is 30 seconds").ID
	if _, err := f.Delete([]string{second}); err != nil || strings.Contains(f.told(), "10 seconds") {
		t.Errorf("told beside what replaced that: %v", err)
	}
	if _, err := f.Delete([]string{third}); err != nil || !strings.Contains(f.told(), "10 seconds") {
		t.Errorf("nothing replaces it, and it is not told: %v", err)
	}
	f.Now = now.AddDate(0, 0, 100)
	if ids, err := f.Cleanup(90, false); err != nil || len(ids) != 1 || !strings.Contains(f.told(), "10 seconds") {
		t.Errorf("cleaned up %v, %v: %s", ids, err, f.told())
	}
}

// What somebody wrote on the page is named to whoever saves otherwise, and stays theirs.
// BM-HND-16.
func TestALineByHandIsNamedToWhoeverSaysOtherwise(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.write("MEMORY.md", "# Mine\n\n- The linter is pylint\n- The editor is vim\n")
	s := f.save("The linter is ruff")
	if len(s.Page) != 1 || s.Page[0].Line != 3 || s.Page[0].Why != Contradicted || s.Page[0].By != s.ID || s.Page[0].Text != "The linter is pylint" {
		t.Fatalf("%+v", s.Page)
	}
	if s := f.save("The formatter is black"); len(s.Page) > 0 {
		t.Errorf("about another thing: %+v", s.Page)
	}
	if !strings.Contains(f.told(), "pylint") {
		t.Error("what somebody wrote is kept from agents")
	}
	if found := f.found(90); len(found) != 1 || found[0] != "page: The linter is ruff" {
		t.Errorf("review: %q", found)
	}
	if _, err := f.PromoteOver(s.ID, 1, "", locale.English); err == nil {
		t.Error("a heading was replaced")
	}
	if _, err := f.PromoteOver(s.ID, 3, "", locale.English); err != nil || f.read("MEMORY.md") != "# Mine\n\n- The linter is ruff\n- The editor is vim\n" {
		t.Errorf("%v: %s", err, f.read("MEMORY.md"))
	}
	if found := f.found(90); len(found) > 0 {
		t.Errorf("after that: %q", found)
	}
}

// BM-HND-17.
func TestAPageTakesNoFactThatHoldsForAWhile(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	for name, change := range map[string]func(*memory.Fact){
		"with an end":   func(x *memory.Fact) { x.Until = now.AddDate(0, 1, 0) },
		"of the future": func(x *memory.Fact) { x.Since = now.AddDate(0, 1, 0) },
	} {
		id := f.save("The "+name+" canteen opens at eight", change, about(name)).ID
		var refused Refused
		if _, err := f.Promote(id, "", locale.English); !errors.As(err, &refused) || refused.Fix == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The first promotion, which has no page to bring back, is undone too.
// BM-HND-18.
func TestTheFirstPromotionIsUndone(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	id := f.save("The mirror is in Oslo").ID
	d, err := f.Promote(id, "", locale.English)
	if err != nil || d.Before != "" {
		t.Fatalf("%+v, %v", d, err)
	}
	if _, err := f.Demote(id); err != nil || f.read("MEMORY.md") != memory.Template(locale.English) {
		t.Errorf("%v: %s", err, f.read("MEMORY.md"))
	}
	if _, err := f.Demote(id); err == nil {
		t.Error("what is not there was taken off")
	}
	if _, err := f.Demote("nope"); !errors.Is(err, ErrNoEntry) {
		t.Error(err)
	}
}

// A purge takes the text out of the page and of all copies, or says where it stands.
// BM-HND-06, BM-HND-13.
func TestPurgeTakesTheTextOutOfPages(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	id := f.onPage("The vault is behind the painting")
	f.onPage("The mirror is in Oslo")
	must.Do(t, f.Backup())
	if _, err := f.Distill([]byte(`{"Decisions": ["The vault is behind the painting", "use Go"]}`), false, locale.English); err != nil {
		t.Fatal(err)
	}
	f.write("NOTES.md", "# Notes\n\nRemember: the vault is behind the painting!\n")
	before := f.read("MEMORY.md")
	var refused Refused
	if _, err := f.Purge([]string{id}); !errors.As(err, &refused) || !strings.Contains(refused.Reason, "NOTES.md says it too, in line 3") || f.read("MEMORY.md") != before {
		t.Fatalf("%v", err)
	}
	f.write("NOTES.md", "# Notes\n")
	if _, err := f.Purge([]string{id}); err != nil {
		t.Fatal(err)
	}
	for _, file := range f.grep("vault") {
		t.Errorf("%s still says it", file)
	}
	if !strings.Contains(f.read("MEMORY.md"), "use Go") || len(f.grep("Oslo")) < 3 {
		t.Error("more was removed than that")
	}
}

// grep are the files of the folder that say something.
func (f *folder) grep(word string) (out []string) {
	f.Helper()
	err := filepath.WalkDir(f.Dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) != ".recall" && strings.Contains(must.Read(f.T, path), word) {
			out = append(out, path)
		}
		return err
	})
	must.Do(f.T, err)
	return out
}
