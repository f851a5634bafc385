package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

var noon = time.Date(2026, 2, 14, 12, 0, 0, 0, time.UTC)

func open(t *testing.T) File {
	t.Helper()
	return Of(t.TempDir(), "s-1")
}

func note(t *testing.T, f File, at time.Time, command string, signals ...signal.Key) Entry {
	t.Helper()
	e, err := f.Add(Record{Tool: "bash", Command: command, Signals: signals, Hint: "look it up"}, at)
	must.Do(t, err)
	return e
}

// What is written is the original's grammar, to the letter.
func TestGrammarOfTheJournal(t *testing.T) {
	t.Parallel()
	f := open(t)
	note(t, f, noon, "npm test", signal.Test, signal.Timeout)
	note(t, f, noon.Add(time.Minute), "npm test", signal.Test)
	must.Do(t, must.Err(f.Add(Record{Tool: "bash", Command: "npm test", Tagged: true, Signals: []signal.Key{signal.Test}, Hint: "look it up"}, noon.Add(2*time.Minute))))
	must.Do(t, must.Err(f.Add(Record{Tool: "edit", Command: "src/a.ts"}, noon.Add(3*time.Minute))))
	must.Do(t, must.Err(f.Add(Record{Tool: "bash", Command: "npm test", Feedback: []Feedback{{`Say "why"`, "gene_repair_1", Success}}}, noon.Add(4*time.Minute))))
	must.Do(t, f.Mark(noon.Add(5*time.Minute)))
	want := "# Session Journal\n\nStarted: 2026-02-14T12:00:00Z\n" +
		"- bash: `npm test` (12:00)\n  - signal:error:test_failure (count: 1, at: 12:00)\n  - signal:error:timeout (count: 1, at: 12:00)\n" +
		"- bash: `npm test` (12:01)\n  - signal:error:test_failure (count: 2, at: 12:01)\n" +
		"- bash: `npm test` (12:02) [FAILED]\n  - signal:error:test_failure (count: 3, at: 12:02)\n  - hint: look it up\n" +
		"- edit: `src/a.ts` (12:03)\n" +
		"- bash: `npm test` (12:04)\n  - gene_feedback: \"Say \"why\"\" gene_id=gene_repair_1 outcome=success\n" +
		"[evolution-review-triggered] (at: 2026-02-14T12:05:00Z)\n"
	if got := f.text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	j := f.Read()
	if len(j.Entries) != 5 || !j.Started.Equal(noon) || !j.Reviewed.Equal(noon.Add(5*time.Minute)) || !j.Entries[2].Tagged || j.Entries[2].Signals[0].Count != 3 || len(j.Entries[2].Hints) != 1 {
		t.Errorf("%+v", j)
	}
	if got := j.Feedback(); !reflect.DeepEqual(got, []Feedback{{`Say "why"`, "gene_repair_1", Success}}) {
		t.Errorf("%+v", got)
	}
	if got := j.Signals(); !reflect.DeepEqual(got, []Count{{Key: signal.Test, N: 3}, {Key: signal.Timeout, N: 1}}) {
		t.Errorf("%v", got)
	}
}

// What the original writes is read, its older spelling too.
func TestOriginalsSpelling(t *testing.T) {
	t.Parallel()
	j := Parse("# Session Journal\r\n\r\nStarted: 2026-03-30T08:00:00.123Z\r\n" +
		"- bash: `npx tsc --noEmit` (16:01) [FAILED]\r\n  - signal:error:typescript (count: 2, at: 16:01 techStack=node)\r\n  - gene_feedback: \"TypeScript Type Error\" gene_id=gene_repair_9 outcome=failure\r\n" +
		"- bash: `echo a` b` (16:02)\n  - gene_feedback: \"No id\" outcome=success\n  - gene_feedback: \"Bad\" gene_id=x outcome=maybe\n" +
		"- read: `x` (1:1)\nfree text\n- bash: `unclosed\n[evolution-review-triggered] (at: 2026-03-30T08:10:00.5Z)\n- bash: `half` (16:0")
	if len(j.Entries) < 2 || j.Started.IsZero() || j.Reviewed.IsZero() {
		t.Fatalf("%+v", j)
	}
	e := j.Entries[0]
	if e.Command != "npx tsc --noEmit" || !e.Tagged || len(e.Signals) != 1 || e.Signals[0] != (Signal{signal.TypeScript, 2, "16:01", "node"}) || e.Feedback[0] != (Feedback{"TypeScript Type Error", "gene_repair_9", Failed}) {
		t.Errorf("%+v", e)
	}
	if e := j.Entries[1]; e.Command != "echo a` b" || len(e.Feedback) != 1 || e.Feedback[0] != (Feedback{"No id", "", Success}) {
		t.Errorf("%+v", e)
	}
}

// A count that a person wrote, and that is none, is one.
func TestACountIsAtLeastOne(t *testing.T) {
	t.Parallel()
	for _, count := range []string{"many", "0", "-3", ""} {
		t.Run(count, func(t *testing.T) {
			j := Parse("- bash: `x` (16:01)\n  - signal:error:oom (count: " + count + ", at: 16:01)\n")
			if len(j.Entries) != 1 || !reflect.DeepEqual(j.Entries[0].Signals, []Signal{{signal.OOM, 1, "16:01", ""}}) {
				t.Errorf("%+v", j)
			}
		})
	}
}

// 120 characters, one line, no secrets, no quote that would end
// the command. EV-JRN-01.
func TestJournalLinesAreCutAndRedacted(t *testing.T) {
	t.Parallel()
	f := open(t)
	e := note(t, f, noon, "curl -H 'Authorization: Bearer abcdefghijklmnop0123456789' `x`\n\techo <private>home</private>")
	if strings.Contains(e.Command, "abcdefghijklmnop") || strings.Contains(e.Command, "home") || strings.ContainsAny(e.Command, "`\n\t") || !strings.Contains(f.text(), "[REDACTED:authorization]") {
		t.Errorf("%q", e.Command)
	}
	e = note(t, f, noon, strings.Repeat("长", 200))
	if n := len([]rune(e.Command)); n != 120 {
		t.Errorf("%d characters", n)
	}
	// A secret that the cut would leave half of is taken out before.
	e = note(t, f, noon, strings.Repeat("x", 100)+" ghp_0123456789abcdefghijklmnopqrstuvwxyzAB")
	if strings.Contains(e.Command, "ghp_") {
		t.Errorf("%q", e.Command)
	}
}

// The original's defect: a signal counts by its whole key, not by how it
// begins.
func TestWholeKeysAreCounted(t *testing.T) {
	t.Parallel()
	f := open(t)
	note(t, f, noon, "x", signal.Key("error:test"))
	note(t, f, noon, "x", signal.Key("error:test"))
	if e := note(t, f, noon, "x", signal.Test); e.Signals[0].Count != 1 {
		t.Errorf("%+v", e.Signals)
	}
}

// Journals are per session, and no id leaves the folder.
func TestOneFileASession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	seen := map[string]string{}
	for _, id := range []string{"a", "a/b", "a-b", "../a", "..", ".", "a b", "A", strings.Repeat("x", 300), strings.Repeat("x", 301), "会话", "a\x00b"} {
		f := Of(dir, id)
		if filepath.Dir(f.Path()) != filepath.Join(dir, "journal") || len(filepath.Base(f.Path())) > 120 || seen[f.Path()] != "" {
			t.Errorf("%q: %s, like %q", id, f.Path(), seen[f.Path()])
		}
		seen[f.Path()] = id
	}
	none := Of(dir, "")
	if _, err := none.Add(Record{Tool: "bash", Command: "x"}, noon); err != nil || none.Mark(noon) != nil || none.Begin(noon) != nil || len(none.Read().Entries) != 0 {
		t.Error("a session without an id keeps something")
	}
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("%v", list)
	}
}

// Begin keeps the old one aside, and what is older than 14
// days goes.
func TestAJournalBegins(t *testing.T) {
	t.Parallel()
	f := open(t)
	note(t, f, noon, "old")
	for name, age := range map[string]time.Duration{"young.md": 13 * 24 * time.Hour, "old.md": 15 * 24 * time.Hour, "old.md.lock": 15 * 24 * time.Hour} {
		path := filepath.Join(filepath.Dir(f.Path()), name)
		must.Write(t, path, "")
		must.Do(t, os.Chtimes(path, noon, noon.Add(-age)))
	}
	must.Do(t, f.Begin(noon))
	if n := len(f.Read().Entries); n != 0 {
		t.Errorf("%d entries in a fresh journal", n)
	}
	prev, err := os.ReadFile(strings.TrimSuffix(f.Path(), ".md") + ".prev.md")
	if err != nil || !strings.Contains(string(prev), "`old`") {
		t.Errorf("%s %v", prev, err)
	}
	for name, want := range map[string]bool{"young.md": true, "old.md": false, "old.md.lock": false} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(f.Path()), name)); (err == nil) != want {
				t.Error(err)
			}
		})
	}
	if err := f.Begin(noon); err != nil {
		t.Errorf("no journal yet: %v", err)
	}
}

// Entries of many that write at once are whole, and each count is given once. Who is
// told that others kept the lock for too long, as on a busy machine, has written nothing.
func TestManyWriteAtOnce(t *testing.T) {
	t.Parallel()
	f := open(t)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			err := statefile.ErrLocked
			for errors.Is(err, statefile.ErrLocked) {
				_, err = f.Add(Record{Tool: "bash", Command: fmt.Sprint("c", i), Signals: []signal.Key{signal.Timeout}}, noon)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	counts := map[int]bool{}
	j := f.Read()
	for _, e := range j.Entries {
		counts[e.Signals[0].Count] = true
	}
	if len(j.Entries) != 40 || len(counts) != 40 || !counts[40] {
		t.Errorf("%d entries, %d counts", len(j.Entries), len(counts))
	}
}

// What is stuck, and what is not.
func TestStuckCommands(t *testing.T) {
	t.Parallel()
	const bash = "- bash: `"
	fails := func(command string, keys ...signal.Key) string {
		s := bash + command + "` (10:00)\n"
		for _, k := range keys {
			s += "  - signal:" + string(k) + " (count: 1, at: 10:00)\n"
		}
		return s
	}
	works := func(command string) string { return bash + command + "` (10:00)\n" }
	tsc := fails("npx tsc --noEmit", signal.TypeScript)
	for _, c := range []struct {
		name, journal, command string
		key                    signal.Key
		n                      int
	}{
		{"the first failure is the agent's own", tsc, "npx tsc --noEmit", "", 0},
		{"the second is not", tsc + tsc, "npx tsc --noEmit", signal.TypeScript, 2},
		{"the wording does not matter", tsc + tsc, "cd web && npm run typecheck", signal.TypeScript, 2},
		{"a trivial command", tsc + tsc, "cat tsconfig.json", "", 0},
		{"another thing altogether", tsc + tsc, "docker push x", "", 0},
		{"resolved by itself", tsc + tsc + works("npx tsc --noEmit"), "npx tsc --noEmit", "", 0},
		{"resolved by its class", tsc + tsc + works("npm run build"), "npx tsc", "", 0},
		{"once more after it was resolved is the first again", tsc + tsc + works("npx tsc") + tsc, "npx tsc", "", 0},
		{"twice more is stuck, two times", tsc + tsc + works("npx tsc") + tsc + tsc, "npx tsc", signal.TypeScript, 2},
		{"an edit settles nothing", tsc + tsc + "- edit: `a.ts` (10:01)\n", "npx tsc", signal.TypeScript, 2},
		{"something else that works settles nothing", tsc + tsc + works("git commit -m x"), "npx tsc", signal.TypeScript, 2},
		{"installing does not settle a missing module", strings.Repeat(fails("npm test", signal.ModuleGone), 2) + works("npm install x"), "npm test", signal.ModuleGone, 2},
		{"the most frequent", strings.Repeat(fails("npm test", signal.Test, signal.Timeout), 2) + fails("npm test", signal.Timeout), "npm test", signal.Timeout, 3},
		{"of two as frequent the one that tells more", strings.Repeat(fails("npm test", signal.Test, signal.ModuleGone), 2), "npm test", signal.ModuleGone, 2},
		{"two different things that failed somehow", fails("make a", signal.Generic) + fails("terraform plan", signal.Generic), "terraform plan", "", 0},
		{"the same thing that failed somehow", fails("terraform plan", signal.Generic) + fails("terraform plan", signal.Generic), "terraform apply", signal.Generic, 2}, // one family: deployments are of one program
		{"no journal", "", "npm test", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got Count
			if list := Stuck(Parse(c.journal), c.command); len(list) > 0 {
				got = list[0]
			}
			if got.Key != c.key || got.N != c.n {
				t.Errorf("%s %d, want %s %d", got.Key, got.N, c.key, c.n)
			}
		})
	}
}

// Who may speak about a suggestion. The original took the next edit for
// its success. EV-JRN-03.
func TestOutcomesAreAttributed(t *testing.T) {
	t.Parallel()
	p := Pending{Gene: "g", Signals: []signal.Key{signal.TypeScript}, Command: "npx tsc --noEmit", Call: "t3", At: noon}
	for _, c := range []struct {
		name, tool, command, call string
		failed                    bool
		found                     []signal.Key
		want                      string
	}{
		{"the same command works", "bash", "npx tsc --noEmit", "t4", false, nil, Success},
		{"the same program works", "bash", "cd web && tsc -p .", "t4", false, nil, Success},
		{"its class works", "bash", "npm run build", "t4", false, nil, Success},
		{"an edit", "edit", "src/a.ts", "t4", false, nil, ""},
		{"a write", "write", "src/a.ts", "t4", false, nil, ""},
		{"another command", "bash", "git add -A", "t4", false, nil, ""},
		{"a trivial one", "bash", "ls", "t4", false, nil, ""},
		{"it fails in the same way", "bash", "npx tsc", "t4", true, []signal.Key{signal.TypeScript}, Failed},
		{"it fails in another way", "bash", "npx tsc", "t4", true, []signal.Key{signal.OOM}, ""},
		{"the call that it was made with", "bash", "npx tsc --noEmit", "t3", true, []signal.Key{signal.TypeScript}, ""},
		{"something else fails in the same way", "bash", "docker push x", "t4", true, []signal.Key{signal.TypeScript}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := p.Outcome(c.tool, c.command, c.call, c.failed, c.found, failure.Failure{}); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	// Of a suggestion for one failure that failure says more than its class.
	p.Failure = "aaaa"
	for id, want := range map[string]string{"aaaa": Failed, "bbbb": "", "": Failed} {
		t.Run("failure "+id, func(t *testing.T) {
			if got := p.Outcome("bash", "npx tsc", "t4", true, p.Signals, failure.Failure{ID: id}); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	for age, want := range map[time.Duration]bool{0: false, 3 * time.Minute: false, 3*time.Minute + time.Second: true, -time.Hour: true} {
		t.Run(age.String(), func(t *testing.T) {
			if p.Expired(noon.Add(age), 3*time.Minute) != want {
				t.Errorf("after %v", age)
			}
		})
	}
}

// What is worth a review.
func TestWhatIsWorthAReview(t *testing.T) {
	t.Parallel()
	plain := strings.Repeat("- bash: `npm test` (10:00)\n", 7)
	for text, want := range map[string]bool{
		"": false, plain: false,
		"- bash: `x` (10:00)\n  - signal:error:oom (count: 1, at: 10:00)\n":                 true,
		plain + "- bash: `x` (10:00)\n  - gene_feedback: \"T\" gene_id=g outcome=success\n": true,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			j := Parse(text)
			if j.Worth() != want {
				t.Errorf("%q: %v", text, j.Worth())
			}
		})
	}
}

// An entry is an append, and cheap.
func BenchmarkAdd(b *testing.B) {
	f := Of(b.TempDir(), "s")
	for b.Loop() {
		must.Do(b, must.Err(f.Add(Record{Tool: "bash", Command: "npm test -- --coverage"}, noon)))
	}
}

// A line that a person added without ending it stays, and so does what comes next.
func TestALineTypedByHandStays(t *testing.T) {
	t.Parallel()
	f := open(t)
	note(t, f, noon, "go test ./a")
	b, err := os.ReadFile(f.path)
	must.Do(t, err)
	must.Write(t, f.path, append(b, "- bash: `typed` (12:01)"...))
	note(t, f, noon, "go test ./b")
	j := f.Read()
	var have []string
	for _, e := range j.Entries {
		have = append(have, e.Command)
	}
	if want := []string{"go test ./a", "typed", "go test ./b"}; !slices.Equal(have, want) {
		t.Errorf("%q, want %q", have, want)
	}
}
