package search

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A snapshot is read as it was written, over what was written before, and with what
// changed since.
// BM-FND-11.
func TestASnapshotFollowsItsFolder(t *testing.T) {
	t.Parallel()
	at := folder(t, 50)
	find := func() (out []string) {
		t.Helper()
		found, ok, err := Quick([]Folder{at}, Query{Text: "zeppelin hangar", Max: 3}, time.Now())
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		for _, f := range found {
			if !f.Weak {
				out = append(out, f.ID)
			}
		}
		return out
	}
	daily := filepath.Join(at.Dir, "daily", "2026-11-20.jsonl")
	if got := find(); got != nil {
		t.Errorf("found %q before it was there", got)
	}
	text := must.Read(t, daily)
	line := `{"id": "log-z", "type": "fact", "memory_type": "W", "content": "The zeppelin stands in the hangar", "timestamp": "2026-11-20T00:00:00Z"}` + "\n"
	for name, change := range map[string]string{"appended": text + line, "in front": line + text, "alone": line} {
		t.Run(name, func(t *testing.T) {
			must.Write(t, daily, change)
			if got := find(); !slices.Equal(got, []string{"log-z"}) {
				t.Errorf("found %q", got)
			}
			if _, err := at.Keep(time.Now(), 0); err != nil {
				t.Fatal(err)
			}
			if got := find(); !slices.Equal(got, []string{"log-z"}) {
				t.Errorf("%s, and written: found %q", name, got)
			}
		})
	}
	must.Do(t, os.Remove(daily))
	if got := find(); got != nil {
		t.Errorf("the file is gone, and found is %q", got)
	}
}

// One that is damaged is none, and stays where it is.
// BM-FND-11.
func TestADamagedSnapshotIsNone(t *testing.T) {
	t.Parallel()
	at := folder(t, 50)
	path, _ := at.Derived(SnapshotFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"empty": {}, "cut": whole[:len(whole)/2], "a byte": append(append(slices.Clone(whole[:100]), whole[100]+1), whole[101:]...),
		"another": []byte("garbage" + strings.Repeat(" garbage", 50)), "longer": append(slices.Clone(whole), 'x'),
	} {
		t.Run(name, func(t *testing.T) {
			must.Write(t, path, b)
			if _, err := Open(path, nil); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v, want that there is none", name, err)
			}
			if _, ok, err := Quick([]Folder{at}, Query{Text: "x", Max: 1, Method: Hybrid}, time.Now()); ok || err != nil {
				t.Errorf("%s: %v, %v; want that the index is asked", name, ok, err)
			}
		})
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if rest, _ := filepath.Glob(path + ".tmp-*"); len(rest) > 0 {
		t.Errorf("left behind: %q", rest)
	}
}

// More than a search should read is left to the index; a folder that cannot be
// written has its snapshot in the cache.
func TestSnapshotLimits(t *testing.T) {
	t.Parallel()
	at := folder(t, 10)
	big := strings.Repeat(`{"id": "log-big", "type": "fact", "content": "`+strings.Repeat("many words ", 80)+`"}`+"\n", 2_000)
	must.Write(t, filepath.Join(at.Dir, "facts.jsonl"), big)
	if _, ok, err := Quick([]Folder{at}, Query{Text: "words", Max: 1, Method: Hybrid}, time.Now()); ok || err != nil {
		t.Errorf("read all of it: %v, %v", ok, err)
	}
	path, beside := at.Derived(SnapshotFile)
	must.Do(t, os.Remove(path))
	if _, ok, err := Quick([]Folder{at}, Query{Text: "words", Max: 1, Method: Hybrid}, time.Now()); ok || err != nil {
		t.Errorf("made while a prompt waits: %v, %v", ok, err)
	}
	if err := os.Mkdir(path, 0o700); err != nil { // nothing can be written there
		t.Fatal(err)
	}
	if _, err := at.Keep(time.Now(), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(beside); err != nil {
		t.Error(err)
	}
	if found, ok, err := Quick([]Folder{at}, Query{Text: "many words", Max: 1, Method: Hybrid}, time.Now()); !ok || err != nil || len(found) != 1 {
		t.Errorf("from the cache: %v, %v, %v", found, ok, err)
	}
}

// A number or a code that an entry has comes first, whatever many others say of the words beside it.
// BM-FND-15.
func TestACodeComesBeforeTheWordsBesideIt(t *testing.T) {
	t.Parallel()
	var docs []Doc
	for i, text := range []string{
		"The importer runs at night.", "The importer writes parquet.", "Importer alerts go to Bo.", "The importer needs 4 GB.", "Importer owner is Chidi.", "The importer was rewritten in Rust.",
		"Invoice 20260817 was paid twice, and Marta asked for the money back.", "The failing request of last night had trace 7fa91c and took nine seconds.", "ADR-23 says that we keep the monolith until the second customer signs.",
		"导出任务在凌晨因为错误 E5530 停了两次，后来换了磁盘才恢复正常。",
	} {
		docs = append(docs, Doc{ID: strconv.Itoa(i), Kind: "fact", Type: "W", Content: text, Confidence: 0.9, Time: day})
	}
	s := snapshotOf(t, docs, lexiconOf(t, t.TempDir()))
	for query, want := range map[string]string{"importer 20260817": "6", "which importer run had 7fa91c": "7", "importer ADR-23": "8", "importer E5530": "9", "导入器 E5530": "9"} {
		if found := Search(s, Query{Text: query, Max: 5, Method: Hybrid, Now: day}); len(found) == 0 || found[0].ID != want {
			t.Errorf("%q: %+v", query, found)
		}
	}
}

// Of a query that is a document, the beginning counts.
// BM-FND-16.
func TestOfALongQueryTheBeginningCounts(t *testing.T) {
	t.Parallel()
	at := folder(t, 50)
	daily := filepath.Join(at.Dir, "daily", "2026-11-20.jsonl")
	must.Write(t, daily, must.Read(t, daily)+`{"id": "log-z", "type": "fact", "memory_type": "W", "content": "The zeppelin stands in the hangar", "timestamp": "2026-11-20T00:00:00Z"}`+"\n")
	noise := strings.Repeat("lorem ipsum ", 400) // 4,800 characters
	for query, want := range map[string]bool{"zeppelin hangar " + noise: true, noise + "zeppelin hangar": false} {
		found, err := Thorough([]Folder{at}, Query{Text: query, Max: 3}, time.Now())
		must.Do(t, err)
		if got := found[0].ID == "log-z"; got != want {
			t.Errorf("%.20q…: found first is %q", query, found[0].ID)
		}
	}
}
