package hooks

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Where git takes the folder, that a session begins and ends is kept beside it: no
// commit tells when somebody worked, and no session changes a file by beginning.
// BM-GIT-12, BM-STO-06.
func TestNoSessionIsCommitted(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	t.Run("as the user decided", func(t *testing.T) {
		s.settings["git"] = "commit"
		noSessionIsCommitted(t, s)
	})
	// The user wants none of it in commits, and the repository has it in them.
	t.Run("as the repository decided", func(t *testing.T) {
		clone := newScene(t)
		clone.settings["git"] = "ignore"
		b, err := os.ReadFile(s.place().Path(".gitignore"))
		must.Do(t, errors.Join(err, os.MkdirAll(clone.place().Dir, 0o755), os.WriteFile(clone.place().Path(".gitignore"), b, 0o644)))
		noSessionIsCommitted(t, clone)
	})
}

func noSessionIsCommitted(t *testing.T, s *scene) {
	t.Helper()
	for _, source := range []string{"startup", "resume", "compact"} {
		s.event("memory-load", "context", "source", strconv.Quote(source))
	}
	must.Do(t, Work(s.call(), memory.End{Session: "conv-123", Reason: "other"}, nil))
	if b, err := os.ReadFile(s.place().Daily(s.now)); err == nil {
		t.Errorf("for commits: %s", b)
	}
	b, _ := os.ReadFile(s.place().Local(s.now))
	if text := string(b); strings.Count(text, `"session_start"`) != 1 || strings.Count(text, `"session_end"`) != 1 {
		t.Errorf("of this machine: %s", b)
	}
}

// First use makes the folder; a session begins once.
// BM-STO-05, BM-STO-06.
func TestASessionBeginsOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.settings["git"] = "ignore"
	for _, source := range []string{"startup", "resume", "compact", "clear"} {
		if a := s.event("memory-load", "context", "source", strconv.Quote(source)); strings.Contains(a.AdditionalContext, "<project-memory>") {
			t.Errorf("%s: %+v", source, a)
		}
	}
	b, _ := os.ReadFile(s.place().Daily(s.now))
	if n := strings.Count(string(b), `"session_start"`); n != 1 {
		t.Errorf("%d session_start: %s", n, b)
	}
	wants(t, string(b), `"workspace": `, `"session_id": "conv-123"`)
	core, err := os.ReadFile(s.place().Path("own/MEMORY.md"))
	if err != nil || !strings.HasPrefix(string(core), "# Core memory\n\n## Preferences\n\n## Background\n\n## Conventions\n\n## Decisions\n\n## Tools\n") {
		t.Errorf("%q, %v", core, err)
	}
}

// A project that cannot be written is read all the same.
// BM-STO-12.
func TestReadOnlyIsRead(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	dir := filepath.Join(s.project, ".agents", "memory-data")
	must.Do(t, errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("# m\n- we use tabs\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "daily"), nil, 0o644)))
	s.mine()
	b := Behaviour()
	var out bytes.Buffer
	s.world.TextBudget = behaviour.DefaultTextBudget
	ev := `{"event_type": "pre-session", "session_id": "s", "work_dir": ` + strconv.Quote(s.project) + `}`
	if exit := behaviour.Main(&b, &b.Hooks[0], s.world)(context.Background(), []string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, []byte(ev), &out, &out); exit != 0 {
		t.Errorf("exit %d", exit)
	}
	if !strings.Contains(out.String(), "we use tabs") {
		t.Errorf("an error took the answer along: %s", &out)
	}
}

// The hook itself only starts the worker, with all that it has to know.
// BM-FBK-03.
func TestTheEndIsDetached(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if a := s.event("memory-sync", "nothing", "exit_reason", `"completed"`, "duration_seconds", "45", "error", `"password=hunter2"`); !a.Empty() {
		t.Errorf("%+v", a)
	}
	want := []string{"builtin", "worker", "memory", "--dir", s.project, "--session=conv-123", "--reason=completed", "--duration-ms=45000", "--error=password=[REDACTED:password]"}
	if len(s.detached) != 1 || !slices.Equal(s.detached[0], want) {
		t.Errorf("%q", s.detached)
	}
}

// What the worker does: the aggregated summary is indexed at once, and not only in the
// next session.
// BM-FBK-04, BM-FBK-08, BM-FBK-09, BM-FBK-10.
func TestTheWorkerEndsASession(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		cleans bool
	}{{"completed", true}, {"aborted", true}, {"error", true}, {"window_close", true}, {"user_close", true}, {"prompt_input_exit", true}, {"other", true}} {
		t.Run(c.reason, func(t *testing.T) {
			s := newScene(t)
			s.prompt("add a cache")
			s.write("cache.go")
			place := s.place()
			logs := filepath.Join(place.Dir, "logs")
			old := s.now.AddDate(0, 0, -9).Format(time.DateOnly)
			must.Do(t, errors.Join(os.MkdirAll(logs, 0o700), os.MkdirAll(filepath.Join(place.Dir, "daily"), 0o700)))
			for _, f := range []string{filepath.Join(logs, old+".log"), filepath.Join(logs, s.now.AddDate(0, 0, -6).Format(time.DateOnly)+".log"), filepath.Join(logs, "notes.log"), filepath.Join(place.Dir, "daily", old+".jsonl")} {
				must.Write(t, f, "{}\n")
			}
			var synced []string
			b := Behaviour()
			ev := protocol.Object{{Name: "event_type", Value: protocol.Raw(`"post-session"`)}, {Name: "session_id", Value: protocol.Raw(`"conv-123"`)}}
			call := behaviour.NewCall(context.Background(), &b, s.world, []string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, ev)
			err := Work(call, memory.End{Session: "conv-123", Reason: c.reason, DurationMS: 45000}, func(p memory.Place) error {
				summary, _ := os.ReadFile(filepath.Join(p.Dir, "local", "sessions.jsonl"))
				synced = append(synced, string(summary))
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			if len(synced) != 2 || synced[0] != "" || !strings.Contains(synced[1], `"auto_generated": true`) || !strings.Contains(synced[1], "cache.go") {
				t.Errorf("synced with %q", synced)
			}
			day, _ := os.ReadFile(place.Local(s.now))
			wants(t, string(day), `"type": "session_end", "reason": "`+c.reason+`", "duration_ms": 45000, "session_id": "conv-123"`)
			entries, _ := os.ReadDir(logs)
			if cleaned := len(entries) == 2; cleaned != c.cleans {
				t.Errorf("%d log files are left", len(entries))
			}
			if _, err := os.Stat(filepath.Join(place.Dir, "daily", old+".jsonl")); err != nil {
				t.Error("facts were removed by age")
			}
			if got := workOf(call); got != (work{}) {
				t.Errorf("the spool holds %+v", got)
			}
			// A resumed session counts from the beginning.
			s.write("again.go")
			if a := s.event("memory-flush", "context"); a.Empty() {
				t.Error("nothing was asked")
			}
			if b, _ := os.ReadFile(place.Local(s.now)); !strings.Contains(string(b), "again.go") {
				t.Error("what a resumed session did is not kept")
			}
			// The summary of a session that went on has that too; one that says all of it
			// already is not made again.
			for range 2 {
				if err := Work(call, memory.End{Session: "conv-123"}, nil); err != nil {
					t.Error(err)
				}
				if b, _ := os.ReadFile(filepath.Join(place.Dir, "local", "sessions.jsonl")); strings.Count(string(b), "\n") != 2 || !strings.Contains(string(b), "again.go") {
					t.Errorf("%s", b)
				}
			}
		})
	}
}

// The user's log_retain_days has an effect.
// BM-FBK-09.
func TestRetainDaysAreObeyed(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.settings["log_retain_days"] = int64(3)
	logs := filepath.Join(s.place().Dir, "logs")
	must.Write(t, filepath.Join(logs, s.now.AddDate(0, 0, -5).Format(time.DateOnly)+".log"), "")
	b := Behaviour()
	call := behaviour.NewCall(context.Background(), &b, s.world, []string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, protocol.Object{{Name: "session_id", Value: protocol.Raw(`"x"`)}})
	if err := Work(call, memory.End{Session: "x", Reason: "completed"}, nil); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(logs); len(entries) != 0 {
		t.Errorf("%v", entries)
	}
}

// What is known of a session goes, with its lock, a month after its last change, and
// that of a younger one stays. BM-FBK-11.
func TestStatesOfOldSessionsGo(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	place := s.place()
	for _, session := range []string{"old", "young"} {
		must.Do(t, place.UpdateState(session, s.now, func(*protocol.Object) {}))
	}
	states := filepath.Join(place.Dir, "session_state")
	for name, age := range map[string]int{"old.json": 31, "old.json.lock": 31, "young.json": 29, "young.json.lock": 31} {
		at := s.now.AddDate(0, 0, -age)
		must.Do(t, os.Chtimes(filepath.Join(states, name), at, at))
	}
	b := Behaviour()
	call := behaviour.NewCall(context.Background(), &b, s.world, []string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, protocol.Object{{Name: "session_id", Value: protocol.Raw(`"x"`)}})
	if err := Work(call, memory.End{Session: "x", Reason: "completed"}, nil); err != nil {
		t.Error(err)
	}
	for name, stays := range map[string]bool{"old.json": false, "old.json.lock": false, "young.json": true, "young.json.lock": true} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(states, name)); stays != (err == nil) {
				t.Errorf("%v, want it there: %v", err, stays)
			}
		})
	}
}

// An agent that is told nothing as a session begins is told with its first prompt what
// is remembered, once.
// BM-LOD-18.
func TestLoadWaitsForAChannel(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	must.Do(t, errors.Join(s.place().Make(), os.WriteFile(filepath.Join(s.place().Dir, "MEMORY.md"), []byte("# 核心记忆\n\n## 用户偏好\n\n- tabs, no spaces\n"), 0o600)))
	s.mine()
	if a := s.event("memory-load", "nothing", "source", `"startup"`); !a.Empty() {
		t.Errorf("said where nobody hears it: %+v", a)
	}
	wants(t, s.prompt("hello").AdditionalContext, "<project-memory>", "tabs, no spaces", "</project-memory>")
	if a := s.prompt("and on"); strings.Contains(a.AdditionalContext, "tabs") {
		t.Errorf("told twice: %+v", a)
	}
}

// What could not be told as a session began is what is remembered when it is told: not what was
// deleted, purged, or not let in any more since then. Nothing of it waits in the state.
// BM-LOD-21, BM-LOD-14.
func TestWhatWaitsIsNotToldAfterItIsGone(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]string{"the page is emptied": "# Core\n", "not let in any more": "# Core\n\n- quillfeather brought by a pull\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			page := filepath.Join(s.place().Dir, "MEMORY.md")
			must.Do(t, errors.Join(s.place().Make(), os.WriteFile(page, []byte("# Core\n\n- quillfeather is the porter\n"), 0o600)))
			s.mine()
			s.event("memory-load", "nothing", "source", `"startup"`)
			must.Do(t, os.WriteFile(page, []byte(after), 0o600))
			if a := s.prompt("fix the css"); strings.Contains(a.AdditionalContext, "quillfeather") || !strings.Contains(a.AdditionalContext, "memory save") {
				t.Errorf("told: %q", a.AdditionalContext)
			}
		})
	}
}

// An old fact about the branch, and one about what the last session left open, are told as a
// session begins: found by the index, or where a large memory has none yet, in the files.
// BM-LOD-10.
func TestOldFactsAboutTheWorkAreTold(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	for _, c := range []struct {
		name    string
		facts   int
		indexed bool
	}{{"a small memory", 30, false}, {"indexed", 3000, true}, {"large, without an index", 3000, false}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.world.Git = func(ctx context.Context, dir string, _ []string, args ...string) ([]byte, error) {
				cmd := exec.CommandContext(context.WithoutCancel(ctx), git, args...)
				cmd.Dir = dir
				return cmd.Output()
			}
			cmd := exec.Command(git, "init", "-q", "-b", "checkout-v2")
			cmd.Dir = s.project
			must.Do(t, errors.Join(cmd.Run(), s.place().Make()))
			line := func(id int, content string, age time.Duration) string {
				at := s.now.Add(-age)
				return `{"id":"log-` + at.Format("20060102150405000") + "-" + strconv.Itoa(id) + `","type":"fact","memory_type":"W","content":` + strconv.Quote(content) +
					`,"entities":[],"confidence":0.9,"timestamp":"` + memory.Stamp(at) + `","source":{"session":"o"}}` + "\n"
			}
			var recent strings.Builder
			for i := range c.facts {
				recent.WriteString(line(i, "The crane needs part number "+strconv.Itoa(i), 24*time.Hour))
			}
			const month = 30 * 24 * time.Hour
			must.Write(t, s.place().Daily(s.now.Add(-24*time.Hour)), recent.String())
			must.Write(t, s.place().Daily(s.now.Add(-month)), line(1, "The customs declaration API rejects weights above 30 kg", month)+
				line(2, "The checkout-v2 branch must not touch the tax tables", month)+line(3, "The logo is teal", month))
			s.mine()
			must.Do(t, s.place().KeepSummary(memory.Summary{ID: "sum-1", Session: "x", Topic: "P", Text: "S", Todos: []string{"Wire up the customs declaration API"}, Time: s.now}, false))
			if c.indexed {
				if _, err := search.Folders("project", s.place(), s.world.Cache)[0].Keep(s.now, 0); err != nil {
					t.Fatal(err)
				}
			}
			got := s.event("memory-load", "context", "source", `"startup"`).AdditionalContext
			for want, told := range map[string]bool{"above 30 kg": true, "the tax tables": true, "teal": false} {
				if strings.Contains(got, want) != told {
					t.Errorf("%q is told: %v\n%s", want, !told, got)
				}
			}
		})
	}
}

// A session is not told what an older fact stands for, though that one is from before the days
// that are loaded: it was edited to replace the newer one.
// BM-LOD-14.
func TestAnOlderFactStandsForANewerOne(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	const days = 24 * time.Hour
	fact := func(id, content string, age time.Duration, more string) {
		must.Write(t, s.place().Daily(s.now.Add(-age)), `{"id":"`+id+`","type":"fact","memory_type":"W","content":"`+content+`","confidence":0.9,"timestamp":"`+memory.Stamp(s.now.Add(-age))+`"`+more+`}`+"\n")
	}
	must.Do(t, s.place().Make())
	fact("log-new", "Releases go out through Argo CD", days, "")
	fact("log-old", "We deploy with Capistrano", 25*days, `,"supersedes":["log-new"]`)
	fact("log-other", "The crane is inspected in May", 2*days, "")
	s.mine()
	got := s.event("memory-load", "context", "source", `"startup"`).AdditionalContext
	wants(t, got, "The crane is inspected")
	if strings.Contains(got, "Argo") {
		t.Errorf("told though it is replaced:\n%s", got)
	}
}
