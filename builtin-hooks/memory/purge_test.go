package memory_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/session"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const porter = "The night porter is Quillfeather7."

// saved is the id of a fact that is saved.
func (d *trial) saved(content string) string {
	d.Helper()
	var saved struct{ ID string }
	must.Do(d.T, json.Unmarshal([]byte(d.says("memory_save", `{"content": "`+content+`"}`, `"status":"ok"`)), &saved))
	return saved.ID
}

func (d *trial) memory() ops.Memory { return ops.At(d.world, d.call) }

func purges(id string) string { return `{"ids": ["` + id + `"], "purge": true, "confirm": true}` }

// The words of what is purged go from all that the program noted of sessions.
// BM-HND-06, BM-HND-26.
func TestAPurgeTakesItsWordsOutOfWhatWasNoted(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	id := d.saved(porter)
	place, now := d.memory().Place, time.Now()
	must.Do(t, place.KeepStage(memory.Fact{ID: "log-stage", Kind: "S", Content: "asked who it is — decided: the night porter is quillfeather7 — changed: a.txt", Decisions: []string{porter}, Time: now, Session: "s-9"}))
	if made, err := place.Aggregate("s-9", "sum-auto", now); !made || err != nil {
		t.Fatal(made, err)
	}
	state := session.At(d.world.Session("s-9"))
	must.Do(t, state.Spool("memory", "1", protocol.Object{{Name: "prompt", Value: protocol.Quote("Remember: " + porter)}}))
	must.Do(t, state.Defer(session.Item{Kind: "workspace-context", Text: "Log: " + porter, Expires: now.Add(time.Hour)}))
	journal := filepath.Join(d.world.Data, "evolution", "journal", "s-9.md")
	must.Do(t, os.MkdirAll(filepath.Dir(journal), 0o700))
	must.Write(t, journal, "# Session Journal\n- bash: `agents-hooks memory save --content \""+porter+"\" --tipe W` (10:00) [FAILED]\n")
	if n := len(holding(t, d.world.Home, "uillfeather7")); n < 6 {
		t.Fatalf("%d files hold it before: this proves little", n)
	}
	d.says("memory_forget", purges(id), `"status":"ok"`)
	for _, word := range []string{"uillfeather7", "night porter"} {
		if left := holding(t, d.world.Home, word); len(left) > 0 {
			t.Errorf("%s is left in %q", word, left)
		}
	}
	if left := holding(t, d.world.Home, "changed: a.txt"); len(left) < 2 {
		t.Errorf("more was removed than the words: %q", left)
	}
}

// What somebody wrote is not changed: nothing is removed, and the refusal names all of it at once,
// with a command that removes it.
// BM-HND-13, BM-HND-26.
func TestAPurgeRefusesWhereSomebodyWroteTheSame(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	id := d.saved(porter)
	other := d.saved("Since May the night porter is quillfeather7, and the day porter is Olga.")
	d.says("memory_summary", `{"session": "s-8", "topic": "staff", "summary": "Met the staff.", "decisions": ["`+porter+`"]}`, `"status":"ok"`)
	sums, err := d.memory().Summaries()
	if err != nil || len(sums) != 1 {
		t.Fatal(sums, err)
	}
	page := d.memory().Path("MEMORY.md")
	must.Write(t, page, "# Core\n\n> The night porter\n> is Quillfeather7.\n")
	before := len(holding(t, d.world.Home, "uillfeather7"))
	d.fails("memory_forget", purges(id), "REFUSED: MEMORY.md says it too, in line 3; ")
	_, err = d.do("memory_forget", purges(id))
	for _, want := range []string{other, sums[0].ID} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not named: %v", want, err)
		}
	}
	if n := len(holding(t, d.world.Home, "uillfeather7")); n != before {
		t.Errorf("%d files hold it after a refusal, %d before", n, before)
	}
	must.Write(t, page, "# Core\n")
	d.says("memory_forget", `{"ids": ["`+id+`", "`+other+`", "`+sums[0].ID+`"], "purge": true, "confirm": true}`, `"entries":3`)
	if left := holding(t, d.world.Home, "uillfeather7"); len(left) > 0 {
		t.Errorf("left in %q", left)
	}
}

// What says it in other words no program finds for certain: what is about the same is named.
// BM-HND-27.
func TestAPurgeNamesWhatIsAboutTheSame(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	id := d.saved(porter)
	d.saved("The canteen opens at eight.")
	other := d.saved("Quillfeather7 works as our porter at night, with the blue key.")
	if answer := d.says("memory_forget", purges(id), `"near":[{"id":"`+other, `"hint":`); strings.Contains(answer, "canteen") || strings.Contains(answer, "undo") {
		t.Errorf("%s", answer)
	}
	log := filepath.Join(d.call.Project, ".agents", "workspace", "porter-1", "Log.md")
	must.Do(t, os.MkdirAll(filepath.Dir(log), 0o700))
	must.Write(t, log, "# Log\n\n- Quillfeather7 works as our porter\n  at night, with the blue key\n")
	if answer := d.says("memory_forget", purges(other), `"also":["`, "Log.md", `"hint":`); strings.Contains(answer, `"near"`) {
		t.Errorf("%s", answer)
	}
}

// A purge that could not be done everywhere is remembered without its words, named by the doctor,
// and goes on with the same command, or at the end of a session.
// BM-HND-28.
func TestAPurgeThatIsNotDoneGoesOn(t *testing.T) {
	t.Parallel()
	for name, goOn := range map[string]func(d *trial, id string){
		"the same command":     func(d *trial, id string) { d.says("memory_forget", purges(id), `"entries":1`) },
		"the end of a session": func(d *trial, _ string) { must.Do(d.T, d.memory().FinishPurges()) },
		"together with another": func(d *trial, id string) {
			d.says("memory_forget", `{"ids": ["`+id+`", "`+d.saved("the shed is locked at nine")+`"], "purge": true, "confirm": true}`, `"entries":`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTrial(t)
			id := d.saved(porter)
			stuck := filepath.Join(d.world.Cache, "memory", "view-1.html") // a page that cannot be removed
			must.Do(t, os.MkdirAll(filepath.Join(stuck, "below"), 0o700))
			journal := filepath.Join(d.world.Data, "evolution", "journal", "s.md")
			must.Do(t, os.MkdirAll(filepath.Dir(journal), 0o700))
			if _, err := d.do("memory_forget", purges(id)); err == nil || !strings.Contains(err.Error(), "goes on with it") {
				t.Fatal(err)
			}
			must.Write(t, journal, "- bash: `echo "+porter+"`\n") // as if it had not been reached
			if left := holding(t, d.world.State, "uillfeather7"); len(left) > 0 {
				t.Errorf("the note says it: %q", left)
			}
			told := ""
			for _, c := range d.memory().Check(context.Background()) {
				told += c.ID + " " + c.Status + " " + c.Message + " " + c.Fix + "\n"
			}
			if !strings.Contains(told, "purges warn") || !strings.Contains(told, id) || strings.Contains(told, "came back") {
				t.Errorf("the doctor: %s", told)
			}
			must.Do(t, os.RemoveAll(stuck))
			goOn(d, id)
			if left := holding(t, d.world.Home, "uillfeather7"); len(left) > 0 {
				t.Errorf("left in %q", left)
			}
			if list, err := d.memory().Unfinished(); len(list) > 0 || err != nil {
				t.Errorf("%v, %v", list, err)
			}
			d.fails("memory_forget", purges(id), "NOT_FOUND")
		})
	}
}

// Nothing is removed if it cannot be noted that it begins: else nobody would know what is left.
// BM-HND-29.
func TestAPurgeThatCannotBeNotedRemovesNothing(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	id := d.saved(porter)
	must.Do(t, os.MkdirAll(d.world.State, 0o700))
	must.Write(t, filepath.Join(d.world.State, "purges"), "no folder")
	if _, err := d.do("memory_forget", purges(id)); err == nil || !strings.Contains(err.Error(), "nothing was removed") {
		t.Fatal(err)
	}
	d.says("memory_get", `{"ids": ["`+id+`"]}`, "Quillfeather7")
	for _, c := range d.memory().Check(context.Background()) {
		if c.ID == "purged" {
			t.Errorf("%+v", c)
		}
	}
}

// At the end of a session pages go that were made before memory last changed, and answers that
// nobody asks for again: after a pull or a sync they say what was removed.
// BM-HND-30.
func TestPagesThatSayWhatWasRemovedGo(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.saved(porter)
	past := time.Now().Add(-time.Hour)
	file := func(name string, at time.Time) string {
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must.Write(t, name, porter)
		must.Do(t, os.Chtimes(name, at, at))
		return name
	}
	gone := []string{
		file(filepath.Join(d.world.Cache, "memory", "view-old.html"), past), file(filepath.Join(d.world.Cache, "overview", "view-old.html"), past),
		file(filepath.Join(d.world.Session("s-7"), "once-memory-load.json"), past),
	}
	stay := []string{
		file(filepath.Join(d.world.Cache, "memory", "view-new.html"), time.Now().Add(time.Hour)),
		file(filepath.Join(d.world.Session("s-7"), "once-memory-recall.json"), time.Now()),
	}
	must.Do(t, d.memory().Tidy())
	for i, name := range append(gone, stay...) {
		if _, err := os.Lstat(name); (err == nil) != (i >= len(gone)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the program shortened goes, too: clipped at its end, in a topic, in a journal without its
// numbers; so do recordings. What a person or an agent wrote is named.
// BM-HND-34, BM-HND-35, BM-HND-27.
func TestAPurgeTakesShortenedCopies(t *testing.T) {
	t.Parallel()
	const vault = "The vault room is called xanthoria and holds 12 racks"
	d := newTrial(t)
	id := d.saved(vault)
	place, now := d.memory().Place, time.Now()
	must.Do(t, place.KeepStage(memory.Fact{ID: "log-stage", Kind: "S", Content: "insert the row — ran: psql -c \"insert into t values ('The vault room is called xanthoria and holds 12… — ended: done", Time: now, Session: "s-9"}))
	if made, err := place.Aggregate("s-9", "sum-auto", now); !made || err != nil {
		t.Fatal(made, err)
	}
	must.Do(t, session.At(d.world.Session("s-9")).Spool("memory", "1", protocol.Object{{Name: "why", Value: protocol.Quote("refused: the vault room is called xanth…")}}))
	journal := filepath.Join(d.world.Data, "evolution", "journal", "s-9.md")
	must.Do(t, os.MkdirAll(filepath.Dir(journal), 0o700))
	must.Write(t, journal, "  - failure: d34 kind=036 count=1 text=refused by cat notes: The vault room is called xanthoria and holds racks\n")
	recording := filepath.Join(d.world.State, "record", "0a93", "claude-code.s-9.jsonl")
	must.Do(t, os.MkdirAll(filepath.Dir(recording), 0o700))
	must.Write(t, recording, `{"v": 1, "event": "pre-agent-turn", "payload": {"prompt": "`+vault+`"}, "answer": {"stdout": "{\"additional_context\": \"- `+vault+`\"}"}}`+"\n"+`{"v": 1, "payload": {"prompt": "go on"}}`+"\n")
	d.says("memory_summary", `{"session": "s-8", "topic": "rooms", "summary": "Wrote that the vault room is called xanthoria since May.", "decisions": []}`, `"status":"ok"`)
	sums, err := d.memory().Summaries()
	must.Do(t, err)
	written := ""
	for _, s := range sums {
		if !s.Auto {
			written = s.ID
		}
	}
	log := filepath.Join(d.call.Project, ".agents", "workspace", "vault-1", "Log.md")
	must.Do(t, os.MkdirAll(filepath.Dir(log), 0o700))
	must.Write(t, log, "# Log\n\n- noted: the vault room is called xanthoria and\n  more\n")
	d.says("memory_forget", purges(id), `"also":["`, "Log.md", `"near":[`, written, `"status":"ok"`)
	for _, file := range holding(t, d.world.Home, "room is called xanth") {
		if file != log && filepath.Base(file) != "sessions.jsonl" && filepath.Ext(file) != ".recall" { // the agent's summary, and the index of it
			t.Errorf("left in %s", file)
		}
	}
	if got := must.Read(t, recording); got != `{"v": 1, "event": "pre-agent-turn", "payload": {"prompt": "…"}, "answer": {"stdout": "{\"additional_context\": \"- …\"}"}}`+"\n"+`{"v": 1, "payload": {"prompt": "go on"}}`+"\n" {
		t.Errorf("the recording: %s", got)
	}
	if got := must.Read(t, journal); got != "  - failure: d34 kind=036 count=1 text=refused by cat notes: …\n" {
		t.Errorf("the journal: %s", got)
	}
	if left := must.Read(t, d.memory().Path(memory.LocalDir+"/"+memory.SessionsFile)); strings.Contains(left, "anth") || !strings.Contains(left, "insert the row") {
		t.Errorf("the generated summary: %s", left)
	}
}
