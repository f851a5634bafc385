package view

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/page/pagetest"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func newKeeper(t *testing.T) store.Keeper {
	return store.Keeper{Dir: filepath.Join(t.TempDir(), "memory data"), Now: now, Random: rand.Uint64}
}

func save(t *testing.T, k store.Keeper, f memory.Fact) string {
	t.Helper()
	if f.Confidence == 0 {
		f.Confidence = 0.9
	}
	s, err := k.Save(f, "")
	if err != nil {
		t.Fatal(err)
	}
	return s.ID
}

func written(t *testing.T, p Page) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, p.Write(&b))
	return b.String()
}

// What is in the page: all that holds, what was replaced and marked so, the last
// summary of a session; and not what was deleted.
// BM-VIE-02.
func TestOf(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	old := save(t, k, memory.Fact{Content: "The web port of the gateway is 8080", Entities: []string{"gateway"}})
	k.Now = now.Add(time.Hour)
	newer := save(t, k, memory.Fact{Content: "The web port of the gateway is 8081", Entities: []string{"gateway"}})
	gone := save(t, k, memory.Fact{Content: "my salary is a secret of mine"})
	if _, err := k.Delete([]string{gone}); err != nil {
		t.Fatal(err)
	}
	for _, topic := range []string{"first", "second"} {
		if _, err := k.Summarize(memory.Summary{Session: "s1", Topic: topic, Decisions: []string{"d"}}, true); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Of(k)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Facts) != 2 || p.Facts[0].ID != newer || p.Facts[0].Old || p.Facts[1].ID != old || !p.Facts[1].Old {
		t.Errorf("facts: %+v", p.Facts)
	}
	if len(p.Sessions) != 1 || p.Sessions[0].Topic != "second" {
		t.Errorf("sessions: %+v", p.Sessions)
	}
	if strings.Contains(written(t, p), "salary") {
		t.Error("what was deleted is in the page")
	}
}

// A page of hostile facts, in every place that holds somebody's words.
func hostilePage(address string) Page {
	p := Page{Language: "en", Made: memory.Stamp(now), Name: `</title><script>document.body.dataset.pwned="1"</script>`, Dir: `<b onclick=x>`, Facts: []Fact{}, Sessions: []Session{}}
	for i, h := range pagetest.Hostile(address) {
		p.Core += "# " + h + "\n- " + h + "\n" + h + "\n"
		p.Facts = append(p.Facts, Fact{ID: h, Type: h, Text: h, Entities: []string{h, fmt.Sprint("e", i)}, Confidence: 0.5, Time: memory.Stamp(now), Session: h, Origin: h, Seen: 3, Old: i%2 == 1})
		p.Sessions = append(p.Sessions, Session{ID: h, Session: h, Topic: h, Text: h, Decisions: []string{h}, Todos: []string{h}, Time: memory.Stamp(now)})
	}
	return p
}

// The page is made of its own three elements whatever is in it; its policy names
// the two that may do something; nothing in it asks for anything elsewhere.
// BM-VIE-01.
func TestWriteHostile(t *testing.T) {
	t.Parallel()
	var back Page
	must.Do(t, json.Unmarshal([]byte(pagetest.Harmless(t, written(t, hostilePage("http://127.0.0.1:9")))), &back))
	if back.Facts[0].Text != pagetest.Hostile("http://127.0.0.1:9")[0] {
		t.Error("the data is not what was put in")
	}
}

// Both languages have the same texts.
// BM-VIE-04.
func TestTextsInBothLanguages(t *testing.T) {
	t.Parallel()
	pagetest.SameWords(t, script, "const words")
	pagetest.SameWords(t, editScript, "const edits")
}
