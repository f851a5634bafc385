package memory_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A trial is memory of a project on a machine of its own, as a model uses it.
type trial struct {
	*testing.T
	world *behaviour.Runtime
	call  op.Call
	table map[string]any // [builtin.memory]
}

func newTrial(t *testing.T) *trial {
	home, count := t.TempDir(), uint64(0)
	d := &trial{T: t, table: map[string]any{}}
	d.world = &behaviour.Runtime{
		Home: home, State: filepath.Join(home, "state"), Data: filepath.Join(home, "data"), Cache: filepath.Join(home, "cache"), Now: time.Now,
		Session: func(id string) string { return filepath.Join(home, "sessions", id) },
		Random:  func() uint64 { count += 7919; return count },
		Settings: func(name, dir string) map[string]any {
			if name != "memory" || !strings.HasPrefix(dir, home) {
				t.Errorf("settings of %s are asked for in %s", name, dir)
			}
			return d.table
		},
	}
	project := filepath.Join(home, "project")
	must.Do(t, os.MkdirAll(filepath.Join(project, "below"), 0o755))
	d.call = op.Call{Dir: filepath.Join(project, "below"), Project: project, Session: "s-1", Env: []string{"HOME=" + home}}
	return d
}

func (d *trial) do(name, args string) (any, error) {
	d.Helper()
	o, ok := op.Find(append(ops.Ops(d.world), ops.Beside(d.world)...), name)
	if !ok {
		d.Fatalf("there is no operation %s", name)
	}
	given, err := protocol.ParseObject([]byte(args))
	if err != nil {
		d.Fatal(err)
	}
	c := d.call
	c.Args = given
	return o.Run(context.Background(), c)
}

// says fails unless an operation is done, and its answer holds some texts.
func (d *trial) says(name, args string, want ...string) string {
	d.Helper()
	answer, err := d.do(name, args)
	text, _ := json.Marshal(answer)
	for _, w := range want {
		if err != nil || !strings.Contains(string(text), w) {
			d.Errorf("%s %s: %s, %v; want %s", name, args, text, err, w)
		}
	}
	return string(text)
}

func (d *trial) fails(name, args, want string) {
	d.Helper()
	answer, err := d.do(name, args)
	var e *op.Error
	if !errors.As(op.Refuse(err), &e) || !strings.HasPrefix(e.Error(), want) {
		d.Errorf("%s %s: %v, %v; want %s", name, args, answer, err, want)
	}
}

// BM-CMD-01.
func TestWhatIsSavedIsFoundReadAndForgotten(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	var saved struct{ ID string }
	must.Do(t, json.Unmarshal([]byte(d.says("memory_save", `{"content": "redis is the cart cache", "entities": "cart", "type": "B", "confidence": "0.5"}`, `"status":"ok"`)), &saved))
	d.says("memory_save", `{"content": "Redis is the cart cache."}`, `"status":"duplicate"`, saved.ID)
	d.says("memory_search", `{"query": "redis", "type": "b", "days": 2}`, saved.ID, ops.Background)
	d.says("memory_search", `{"query": "redis", "type": ["W"]}`, `"total":0`)
	d.says("memory_timeline", `{"id": "`+saved.ID+`"}`, "cart cache", `"session":"s-1"`)
	d.world.Now = func() time.Time { return time.Now().Add(50 * time.Hour) }
	d.says("memory_get", `{"ids": ["`+saved.ID+`", "none"]}`, `"confidence":0.5`, `"missing":["none"]`, `"age_days":2`)
	d.world.Now = time.Now
	if uses := ops.At(d.world, d.call).Place.Uses(); len(uses) != 1 || uses[saved.ID].Count != 1 {
		t.Errorf("what was read is used: %v", uses)
	}
	d.says("recall", `{"query": "cart cache"}`, saved.ID)
	var forgotten struct{ Undo string }
	must.Do(t, json.Unmarshal([]byte(d.says("memory_forget", `{"ids": "`+saved.ID+`"}`, `"forgotten":1`)), &forgotten))
	if want := "agents-hooks memory restore -C " + text.SystemWord(runtime.GOOS, d.call.Project) + " " + saved.ID; forgotten.Undo != want {
		t.Errorf("undo: %s, want %s", forgotten.Undo, want)
	}
	mine := saved
	must.Do(t, json.Unmarshal([]byte(d.says("memory_save", `{"content": "ada likes short answers", "user": true}`)), &mine))
	d.says("memory_forget", `{"ids": "`+mine.ID+`", "user": true}`, "agents-hooks memory restore --user "+mine.ID)
	d.says("memory_search", `{"query": "redis"}`, `"total":0`)
	d.says("memory_write", `{"path": "build/x.md", "content": "caches lie in tmp"}`, `"status":"ok"`)
	d.says("memory_read", `{"path": "build/x.md"}`, "caches lie in tmp")
	d.says("memory_distill", `{"sections": {"Rules": ["keep it small"]}}`, "keep it small")
	d.says("memory_read", `{}`, "keep it small")
	d.says("memory_summary", `{"topic": "t", "summary": "done"}`, `"status":"ok"`)
	if rows, err := ops.At(d.world, d.call).Rows(ops.Filter{Sessions: true}); err != nil || len(rows) != 1 || rows[0].Content != "t\ndone" || rows[0].Confidence != 1 || rows[0].Seen != 1 {
		t.Errorf("the summaries: %+v, %v", rows, err)
	}
	if _, err := os.Stat(filepath.Join(d.call.Project, ".agents", "memory-data")); err != nil {
		t.Errorf("memory is not where the project keeps it: %v", err)
	}
}

// The list of a session is its own; where a server names no session, each folder has one.
func TestAChecklistIsOfItsSession(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	first := d.call
	second, none, other := first, first, first
	second.Session, none.Session, other.Session = "s-2", "", ""
	other.Dir = first.Project
	for i, c := range []op.Call{first, second, none, other} {
		d.call = c
		if list := d.says("session_checklist", `{"action": "list"}`, `"items":[]`); list != `{"items":[]}` {
			t.Errorf("call %d sees another's list: %s", i, list)
		}
		d.says("session_checklist", fmt.Sprintf(`{"action": "add", "content": "item %d"}`, i), `"status":"pending"`)
	}
	d.call = first
	d.says("session_checklist", `{"action": "update", "content": "item 0", "status": "in_progress"}`, `"status":"in_progress"`)
	if done := d.says("session_checklist", `{"action": "update", "index": 1}`, `"status":"completed"`); !strings.Contains(done, `"completedAt":`) {
		t.Errorf("done, and nobody knows when: %s", done)
	}
	if again := d.says("session_checklist", `{"action": "update", "index": 1, "status": "pending"}`, `"status":"pending"`); strings.Contains(again, "completedAt") {
		t.Errorf("begun again, and done: %s", again)
	}
}

// With recency_days what is newer comes before what has more of the words.
func TestAgeCountsIfTheSettingsSaySo(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.says("memory_save", `{"content": "The build cache lies in redis"}`, `"status":"ok"`)
	d.world.Now = func() time.Time { return time.Now().AddDate(0, 0, 30) }
	d.says("memory_save", `{"content": "Ada cleans the build cache of the shop on Fridays with a script of hers"}`, `"status":"ok"`)
	for days := range 2 {
		d.table["recency_days"] = int64(days)
		found := d.says("memory_search", `{"query": "build cache"}`, "Ada")
		if at := strings.Index(found, "lies in redis") < strings.Index(found, "Ada cleans"); at != (days == 0) {
			t.Errorf("recency_days %d: %s", days, found)
		}
	}
}

// The checks of a doctor say what is off, what is well and what is broken.
func TestChecksSayWhatIsBroken(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	of := func() map[string]string {
		status := map[string]string{}
		for _, c := range ops.At(d.world, d.call).Check(context.Background()) {
			status[c.ID] = c.Status
		}
		return status
	}
	if is := of(); is["folder"] != "off" || len(is) != 1 {
		t.Errorf("without memory: %v", is)
	}
	d.says("memory_save", `{"content": "The weir is closed on Mondays"}`, `"status":"ok"`)
	is := of()
	for _, id := range []string{"files", "writing", "approval"} {
		if is[id] != "ok" {
			t.Errorf("%s is %q, of %v", id, is[id], is)
		}
	}
	m := ops.At(d.world, d.call)
	must.Do(t, os.WriteFile(m.Place.Daily(time.Now()), []byte("{broken\n"), 0o600))
	if is := of(); is["files"] != "warn" || is["writing"] != "ok" {
		t.Errorf("with a damaged line: %v", is)
	}
}

// What is purged is in no file any more: not in the folder, nor in what searches keep of it,
// whether the fact is part of the index or is kept beside it.
// BM-HND-06.
func TestWhatIsPurgedLeavesNoTrace(t *testing.T) {
	t.Parallel()
	for name, later := range map[string]int{"beside the index": 10, "in the index": 80} {
		if !slowtest.Among(name, "in the index") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTrial(t)
			save := func(content string) string {
				var saved struct{ ID string }
				must.Do(t, json.Unmarshal([]byte(d.says("memory_save", `{"content": "`+content+`"}`, `"status":"ok"`)), &saved))
				return saved.ID
			}
			for i := range 3 {
				save(fmt.Sprintf("machine m%d stands in hall h%d", i, i))
			}
			id := save("the plan is called xylophonewalrus")
			for i := range later {
				save(fmt.Sprintf("drawer d%d holds screws of size s%d", i, i))
			}
			if n := len(holding(t, d.world.Home, "xylophonewalrus")); n < 2 {
				t.Fatalf("%d files hold it before: the folder alone", n)
			}
			for _, file := range holding(t, d.world.Cache, "xylophonewalrus") { // as from before an approval
				b, err := os.ReadFile(file)
				of, _, _ := strings.Cut(filepath.Base(file), "-")
				if err == nil {
					err = os.WriteFile(filepath.Join(filepath.Dir(file), of+"-0123456789abcdef"+filepath.Ext(file)), b, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			d.call.Args, _ = protocol.ParseObject([]byte(`{"ids": ["` + id + `"], "purge": true, "confirm": true}`))
			if n, err := ops.At(d.world, d.call).Forget(d.call); n != 1 || err != nil {
				t.Fatal(n, err)
			}
			if left := holding(t, d.world.Home, "xylophonewalrus"); len(left) > 0 {
				t.Errorf("left in %q", left)
			}
			d.says("memory_search", `{"query": "screws of size s4"}`, "drawer d4")
		})
	}
}

// holding are the files below a folder that hold a text.
func holding(t *testing.T, dir, text string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), text) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// BM-CMD-02, BM-CMD-03.
func TestWhatIsRefusedHasACode(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	for _, c := range []struct{ name, args, want string }{
		{"memory_save", `{}`, "BAD_ARGUMENT: memory_save: content is missing"},
		{"memory_save", `{"content": ""}`, "REFUSED: content is empty"},
		{"memory_save", `{"content": "sk-` + strings.Repeat("a1B2", 12) + `"}`, "REFUSED: content is nothing but a secret"},
		{"memory_summary", `{"topic": "", "summary": "[REDACTED:api-key]"}`, "REFUSED: summary is nothing but a secret"},
		{"memory_save", `{"content": "x", "type": "Q"}`, "BAD_ARGUMENT: memory_save: type is"},
		{"memory_save", `{"content": "a thing", "confidence": 2}`, "REFUSED: confidence 2"},
		{"memory_search", `{"query": "x", "type": [""]}`, `BAD_ARGUMENT: type is ""`},
		{"memory_search", `{"query": "x", "max_results": 51}`, "BAD_ARGUMENT: max_results is 51"},
		{"memory_search", `{"query": "x", "method": ""}`, `BAD_ARGUMENT: `},
		{"memory_search", `{"query": "x", "from": "soon"}`, `BAD_ARGUMENT: from is "soon"`},
		{"memory_timeline", `{"id": "none"}`, "NOT_FOUND: "},
		{"memory_get", `{"ids": []}`, "NOT_FOUND: "},
		{"memory_forget", `{"ids": ["none"]}`, "NOT_FOUND: "},
		{"memory_distill", `{"sections": []}`, "BAD_ARGUMENT: "},
		{"memory_read", `{"path": "none"}`, "NOT_FOUND: "},
		{"recall", `{"query": "x", "limit": 0}`, "BAD_ARGUMENT: limit is 0"},
		{"session_checklist", `{"action": "add"}`, "BAD_ARGUMENT: there is nothing to add"},
		{"session_checklist", `{"action": "update", "index": 1}`, "NOT_FOUND: "},
	} {
		d.fails(c.name, c.args, c.want)
	}
	if _, err := d.do("memory_forget", `{"ids": ["none"], "purge": true}`); err == nil || !strings.HasSuffix(err.Error(), "want --confirm") {
		t.Errorf("removed for good, and nobody is sure: %v", err)
	}
	if _, err := ops.ImportMode("replace", false); err == nil || ops.CheckAge(0) == nil || ops.CheckAge(1) != nil {
		t.Errorf("what is there may go: %v", err)
	}
	d.world.Data = ""
	if _, err := d.do("memory_save", `{"content": "mine", "user": true}`); err == nil || !strings.Contains(err.Error(), "no data directory") {
		t.Errorf("a person's memory that has no place: %v", err)
	}
}

// The settings that hold where a call is made decide, the environment over the
// files; nothing but the folder is needed to find them.
// BM-CMD-04.
func TestSettingsHoldWhereTheCallIsMade(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.table["data_dir"] = "notes"
	d.says("memory_save", `{"content": "kept elsewhere"}`, `"status":"ok"`)
	if _, err := os.Stat(filepath.Join(d.call.Project, "notes")); err != nil {
		t.Error(err)
	}
	d.call.Env = append(d.call.Env, "MEMORY_DATA_DIR=other")
	m := ops.At(d.world, d.call)
	if v := m.Settings.Of("data_dir"); filepath.Base(m.Dir) != "other" || v.From != "environment" {
		t.Errorf("%s, from %s", m.Dir, v.From)
	}
	for _, row := range m.Config() {
		if row.Key == "budget" && (row.Value != 8000 || row.From != "default") {
			t.Errorf("%+v", row)
		}
	}
	must.Do(t, ops.Remember(context.Background(), d.world, d.call, "evolution", "it helped"))
	if rows, err := m.Rows(ops.Filter{Entities: []string{"EVOLUTION"}}); err != nil || len(rows) != 1 || rows[0].Type != "B" || rows[0].Session != "s-1" {
		t.Errorf("%+v, %v", rows, err)
	}
}

// Of facts of one second the last that was saved is listed first.
func TestTheLastOfASecondIsTheNewest(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	texts := []string{"The gate opens at dawn", "Parcels are weighed twice", "Invoices carry a stamp", "Lamps are lit by hand"}
	m := ops.At(d.world, d.call)
	d.says("memory_save", `{"content": "Doors close at ten", "confidence": 0.9}`, `"status":"ok"`) // makes the folder
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, text := range texts {
		f := memory.Fact{ID: memory.NewID("log", at, uint64(len(texts)-i)), Kind: "W", Content: text, Time: at, Confidence: 0.9}
		must.Do(t, m.Place.KeepFact(f, ""))
	}
	rows, err := m.Rows(ops.Filter{})
	rows = rows[1:]
	if err != nil || len(rows) != len(texts) {
		t.Fatal(len(rows), err)
	}
	for i, r := range rows {
		if want := texts[len(texts)-1-i]; r.Content != want || r.Timestamp != rows[0].Timestamp {
			t.Errorf("place %d: %q at %s, want %q", i, r.Content, r.Timestamp, want)
		}
	}
}

// The words of a save's answer say what to do: they name the lists that hold what may be
// replaced, with the id where there is only one.
// BM-TRU-20, BM-TRU-23, BM-TRU-25.
func TestASaveSaysHowToReplace(t *testing.T) {
	t.Parallel()
	one, two := []store.Before{{ID: "log-1"}}, []store.Before{{ID: "log-2"}, {ID: "log-3"}}
	for _, c := range []struct {
		name   string
		saved  store.Saved
		of, id string
		ask    bool
	}{
		{"nothing is near", store.Saved{Before: one}, "", "", false},
		{"the nearest", store.Saved{Nearest: one}, "the fact in nearest", "log-1", false},
		{"two that are nearest", store.Saved{Nearest: two}, "one of nearest", "ID", false},
		{"one that is asked about", store.Saved{Near: one}, "the fact in near", "log-1", true},
		{"a conflict", store.Saved{Conflicts: one}, "the fact in conflicts", "log-1", true},
		{"one of each", store.Saved{Conflicts: one, Near: two, Nearest: two}, "one of conflicts or near or nearest", "ID", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if of, id, ask := ops.Replaceable(c.saved); of != c.of || id != c.id || ask != c.ask {
				t.Errorf("%q, %s, %v", of, id, ask)
			}
		})
	}
	d := newTrial(t)
	d.says("memory_save", `{"content": "Emails to customers are sent through SendGrid"}`, `"status":"ok"`)
	d.says("memory_save", `{"content": "The shop sends its mails by Amazon SES"}`, `"near":`, `If the fact in near is untrue now, call memory_save again with the same content and replaces: [log-`)
	d.says("memory_save", `{"content": "The port of the gateway is 8080"}`, `"status":"ok"`)
	replaced := d.says("memory_save", `{"content": "The port of the gateway is 9090"}`, `"supersedes":`, `If what is in before still holds, call memory_save again with the same content and beside: [log-`)
	_, old, _ := strings.Cut(replaced, "beside: [")
	old, _, _ = strings.Cut(old, "]")
	d.says("memory_save", `{"content": "The port of the gateway is 9090", "beside": ["`+old+`"]}`, `"status":"duplicate"`)
	d.says("memory_search", `{"query": "port of the gateway"}`, "8080", "9090")
}
