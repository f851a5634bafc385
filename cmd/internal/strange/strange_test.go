package strange

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

var day = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// one is an agent.
var one = &protocol.Dialect{ID: "one"}

func event(name string) protocol.Strange { return protocol.Strange{Kind: "event", Event: name} }

// What is stored is limited, in rows, days and bytes, and the newest stays.
func TestWhatIsKeptIsBounded(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	huge := protocol.Object{}
	for i := range slowtest.Count(1000, 4000) {
		huge.SetText(fmt.Sprintf("member_%d", i), "x")
	}
	for i := range mostRows + 10 {
		must.Do(t, Note(state, one, event(fmt.Sprintf("E%d%s", i, strings.Repeat("n", 500))), "", huge, day))
	}
	rows := Rows(state, "one")
	if len(rows) != mostRows || !strings.HasPrefix(rows[len(rows)-1].Event, "E33") || len(rows[0].Event) > mostNative {
		t.Errorf("%d rows, the last %q", len(rows), rows[len(rows)-1].Event)
	}
	if info, err := os.Stat(filepath.Join(state, "strange", "one.jsonl")); err != nil || info.Size() > mostRows*(mostShape+1024) {
		t.Error(info.Size(), err)
	}
	later := day.AddDate(0, 0, keepDays+1)
	must.Do(t, Note(state, one, event("Late"), "", nil, later))
	if rows := Rows(state, "one"); len(rows) != 1 || rows[0].Event != "Late" {
		t.Errorf("after a month: %+v", rows)
	}
}

// Concurrent writers lose nothing, and an incomplete line of a killed process costs
// only itself.
func TestManyAtOnceAreAllCounted(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	path := filepath.Join(state, "strange", "one.jsonl")
	must.Write(t, path, `{"kind": "event", "event": "Half`)
	var wait sync.WaitGroup
	errs := make(chan error, 40)
	for range 40 {
		wait.Go(func() { errs <- Note(state, one, event("E"), "1.2.3", nil, day) })
	}
	wait.Wait()
	close(errs)
	kept := 0
	for err := range errs {
		if err == nil {
			kept++
		}
	}
	rows := Rows(state, "one")
	if len(rows) != 1 || rows[0].Count(day) != kept || kept == 0 || rows[0].Version != "1.2.3" {
		t.Errorf("%d were kept: %+v", kept, rows)
	}
	if rows[0].Count(day.AddDate(0, 0, 1)) != 0 {
		t.Error("a day counts for the next")
	}
}
