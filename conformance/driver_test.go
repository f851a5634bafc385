package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// caseOf reads a case that is written in a test.
func caseOf(t *testing.T, id, text string) Case {
	t.Helper()
	c, err := parseCase(id, []byte(text))
	must.Do(t, err)
	return c
}

// needsShell leaves a test out whose subject is a script, where nothing runs one.
func needsShell(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here, which the subject is written for")
	}
}

// shell is a subject whose events are taken by a line of sh.
func shell(script string) Subject { return Subject{Name: "shell", Run: []string{"sh", "-c", script}} }

func play1(t *testing.T, s Subject, c Case, o Options) Result {
	t.Helper()
	r, err := Run(context.Background(), s, []Case{c}, o)
	must.Do(t, err)
	return r.Cases[0]
}

const header = "title: t\nspec: HM-IO-15\nprofile: runner\n-- event.json --\n{\"event_type\": \"pre-tool-call\"}\n"

// The driver sees what it is there to see: for each kind of want, a subject that
// does it passes and one that does not fails.
func TestDriverSees(t *testing.T) {
	needsShell(t)
	t.Parallel()
	for name, c := range map[string]struct{ want, right, wrong string }{
		"exit":              {"-- want --\nexit: 2\n", "exit 2", "exit 0"},
		"exit by default":   {"-- want --\nstderr: empty\n", "exit 0", "exit 1"},
		"not an exit":       {"-- want --\nexit: not 2\n", "exit 1", "exit 2"},
		"a signal":          {"-- want --\nexit: not 2\nstderr: empty\n", "exit 3", "echo x >&2; exit 3"},
		"stdout by itself":  {"-- want --\nexit: 0\n", "echo '{}'", "echo '{\"decision\": \"allow\"}'"},
		"stdout empty":      {"-- want --\nstdout: empty\n", ":", "echo '{}'"},
		"stdout as JSON":    {"-- want.json --\n{\"a\": {\"$has\": \"x\"}}\n", "echo '{\"a\": \"axe\", \"b\": 1}'", "echo '{\"a\": \"b\"}'"},
		"stdout, two":       {"-- want.json --\n{\"a\": 1}\n", "echo '{\"a\": 1}'", "echo '{\"a\": 1}{}'"},
		"stdout in bytes":   {"-- want.stdout --\nab\n", "echo ab", "printf ab"},
		"stdout has":        {"-- want --\nstdout-has: b\n", "echo abc", "echo ac"},
		"stdout lacks":      {"-- want --\nstdout-lacks: b\n", "echo ac", "echo abc"},
		"stdout at most":    {"-- want --\nstdout: any\nstdout-at-most: 3\n", "echo ab", "echo abc"},
		"stderr match":      {"-- want --\nstderr-match: ^a.c$\n", "printf abc >&2", "printf abcd >&2"},
		"stderr at most":    {"-- want --\nstderr-at-most: 3\n", "echo ab >&2", "echo abc >&2"},
		"warns on a line":   {"-- want --\nwarns: guard slow\n", "echo the guard is slow >&2", "printf 'the guard\\nis slow' >&2"},
		"hooks that ran":    {"-- want --\nran: user/a user/b\n", `printf 'user/a\nuser/b\n' >"$HOME/../out/ran"`, `printf 'user/b\nuser/a\n' >"$HOME/../out/ran"`},
		"one hook more":     {"-- want --\nran: user/a\n", `printf 'user/a\n' >"$HOME/../out/ran"`, `printf 'user/a\nuser/b\n' >"$HOME/../out/ran"`},
		"no hook":           {"-- want --\nran: none\n", ":", `echo user/a >"$HOME/../out/ran"`},
		"later hooks":       {"-- want --\nran: user/a\nlater: user/b\n", `printf 'user/b\nuser/a\n' >"$HOME/../out/ran"`, `printf 'user/a\n' >"$HOME/../out/ran"`},
		"what a hook saw":   {"-- saw.json/user/a --\n{\"a\": 1}\n", `echo '{"a": 1, "b": 2}' >"$HOME/../out/saw.user.a"`, `echo '{"a": 2}' >"$HOME/../out/saw.user.a"`},
		"in bytes":          {"-- saw/user/a --\n{\"a\": 1}\n", `echo '{"a": 1}' >"$HOME/../out/saw.user.a"`, `echo '{"a":1}' >"$HOME/../out/saw.user.a"`},
		"a hook's file":     {"-- out/x --\none\n", `echo one >"$HOME/../out/x"`, `echo two >"$HOME/../out/x"`},
		"a file":            {"-- want --\nhas-file: tree/home/x\n", `: >"$HOME/x"`, ":"},
		"no file":           {"-- want --\nno-file: tree/home/x\n", ":", `: >"$HOME/x"`},
		"text in a file":    {"-- want --\nfile-lacks: tree/home/x secret\n", `echo open >"$HOME/x"`, `echo secret >"$HOME/x"`},
		"text nowhere":      {"-- want --\nnowhere: secret\n", ":", `mkdir -p "$XDG_STATE_HOME/x" && echo a secret >"$XDG_STATE_HOME/x/log"`},
		"a line in the log": {"-- want.log --\n{\"event\": \"x\"}\n", `mkdir -p "$XDG_STATE_HOME/l" && echo '{"event": "x", "v": 1}' >"$XDG_STATE_HOME/l/a.jsonl"`, `mkdir -p "$XDG_STATE_HOME/l" && echo '{"event": "y"}' >"$XDG_STATE_HOME/l/a.jsonl"`},
		"placeholder":       {"-- want --\nstdout-has: @PROJECT@\n", `printf %s "$PWD"`, "echo elsewhere"},
		"its own pipes":     {"-- want --\nexit: 0\nsurvivors: yes\n", "sleep 30 >/dev/null 2>&1 &", "sleep 30 &"},
		"survivors":         {"-- want --\nexit: 0\n", "sleep 30 >/dev/null 2>&1 & kill $!", "sleep 30 >/dev/null 2>&1 &"},
		"second step":       {"-- want --\nexit: 0\n-- 2/want --\nexit: 2\n", `[ -e "$HOME/again" ] && exit 2; : >"$HOME/again"`, "exit 0"},
		"the event":         {"-- want --\nexit: 2\n", `grep -q pre-tool-call && exit 2`, `grep -q post-tool-call && exit 2; exit 0`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kase := caseOf(t, "x", header+c.want)
			if r := play1(t, shell(c.right), kase, Options{}); r.Result != Passed {
				t.Errorf("the right one: %s %+v", r.Result, r.Problems)
			}
			if r := play1(t, shell(c.wrong), kase, Options{testOnlyGuard: 300 * time.Millisecond}); r.Result != Failed {
				t.Errorf("the wrong one: %s %+v", r.Result, r.Problems)
			}
		})
	}
}

// A subject that hangs fails, and nothing of it is left.
func TestDriverEndsAHang(t *testing.T) {
	needsShell(t)
	t.Parallel()
	c := caseOf(t, "x", header+"-- want --\nexit: 0\n")
	r := play1(t, shell("sleep 300 & sleep 300"), c, Options{Limit: 300 * time.Millisecond})
	if r.Result != Failed || len(r.Problems) != 1 || r.Problems[0].What != "time" {
		t.Errorf("%s %+v", r.Result, r.Problems)
	}
}

// What nobody is left to do is not waited for: the guard of a hook that nobody waits for
// is for one that still runs.
func TestDriverDoesNotWaitForNobody(t *testing.T) {
	needsShell(t)
	if !canSeeProcesses {
		t.Skip("processes cannot be seen here")
	}
	t.Parallel()
	c := caseOf(t, "x", header+"-- want --\nlater: user/a\n")
	start := time.Now()
	if r := play1(t, shell("exit 0"), c, Options{}); r.Result != Failed || time.Since(start) > settleGuard/2 {
		t.Errorf("nobody is there who could sign: %s after %s", r.Result, time.Since(start))
	}
	late := `(exec env -i HOME="$HOME" sh -c 'sleep 1; echo user/a >>"$HOME/../out/ran"') >/dev/null 2>&1 &`
	if r := play1(t, shell(late), c, Options{}); runtime.GOOS == "linux" && r.Result != Passed {
		t.Errorf("one who took nothing of the environment along signs after a second: %s %+v", r.Result, r.Problems)
	}
}

// While one case waits for a hook that nobody waits for, another one works, were there
// a place for one at a time alone: the second lets the hook of the first go on.
func TestWhoWaitsTakesNoPlace(t *testing.T) {
	needsShell(t)
	t.Parallel()
	went := filepath.Join(t.TempDir(), "went")
	late := `if [ -e "` + went + `" ]; then exit 0; fi
if mkdir "` + went + `.first" 2>/dev/null; then
  (until [ -e "` + went + `" ]; do sleep 0.05; done; echo user/a >>"$HOME/../out/ran") >/dev/null 2>&1 &
else
  : >"` + went + `"
fi`
	first, second := caseOf(t, "x", header+"-- want --\nlater: user/a\n"), caseOf(t, "y", header+"-- want --\nexit: 0\n")
	r, err := Run(context.Background(), shell(late), []Case{first, second}, Options{Parallel: 1})
	must.Do(t, err)
	for _, c := range r.Cases {
		if c.Result != Passed {
			t.Errorf("%s: %s %+v", c.ID, c.Result, c.Problems)
		}
	}
}

// A bound in time holds for the best of several tries, all else for each.
func TestDriverTriesAgainWhereOnlyTimeWasMissed(t *testing.T) {
	needsShell(t)
	t.Parallel()
	c := caseOf(t, "x", header+"-- want --\nexit: 0\nwithin: 800ms\n")
	once := func(t *testing.T, what string) string {
		done := filepath.Join(t.TempDir(), "done")
		return `if [ -e "` + done + `" ]; then exit 0; fi; : >"` + done + `"; ` + what
	}
	played := func(t *testing.T, script string, o Options, want string) {
		t.Parallel() // each waits for what is slow
		if r := play1(t, shell(script), c, o); r.Result != want {
			t.Errorf("%s %+v, want %s", r.Result, r.Problems, want)
		}
	}
	t.Run("slow once", func(t *testing.T) { played(t, once(t, "sleep 1"), Options{}, Passed) })
	t.Run("always slow", func(t *testing.T) { played(t, "sleep 1", Options{Tries: 2}, Failed) })
	t.Run("wrong once", func(t *testing.T) { played(t, once(t, "sleep 1; exit 1"), Options{}, Failed) })
	t.Run("a hang", func(t *testing.T) {
		tries := filepath.Join(t.TempDir(), "tries")
		played(t, `echo x >>"`+tries+`"; sleep 300`, Options{}, Failed)
		if b, err := os.ReadFile(tries); string(b) != "x\nx\n" {
			t.Errorf("it was tried again though it was alone: %q %v", b, err)
		}
	})
}

// What cannot be played is broken, and never passed; a suite that plays nothing
// fails.
func TestSuiteThatCannotWorkFails(t *testing.T) {
	t.Parallel()
	right := caseOf(t, "a", header+"-- want --\nexit: 0\n")
	run := func(s Subject, cases []Case, o Options) (*Report, error) {
		return Run(context.Background(), s, cases, o)
	}
	if _, err := run(shell(":"), nil, Options{}); err == nil {
		t.Error("no cases: no error")
	}
	if _, err := run(shell(":"), []Case{right}, Options{Run: []string{"b"}}); err == nil {
		t.Error("a pattern that names no case: no error")
	}
	if _, err := run(Subject{}, []Case{right}, Options{}); err == nil {
		t.Error("a subject without a command: no error")
	}
	if _, err := run(Subject{Run: []string{"/no/such/program"}}, []Case{right}, Options{}); err == nil {
		t.Error("a command that does not exist: no error")
	}
	if _, err := run(Subject{Run: []string{"sh"}, Profiles: []Profile{Trust}}, []Case{right}, Options{}); err == nil {
		t.Error("a profile without a command: no error")
	}
	s := shell(":")
	s.Without = map[string]string{"HM-IO-99": "rot"}
	if _, err := run(s, []Case{right}, Options{}); err == nil {
		t.Error("a claim that leaves out what nobody asks: no error")
	}
	needsShell(t)
	inTheWay := caseOf(t, "b", header+"-- tree/home/x --\na file\n-- tree/home/x/y --\nbelow it\n-- want --\nexit: 0\n")
	if _, err := run(shell(":"), []Case{inTheWay}, Options{}); err == nil || !strings.Contains(err.Error(), "case b") {
		t.Errorf("a tree that cannot be made: %v", err)
	}
	noDir := caseOf(t, "c", header+"-- do --\ncwd: /no/such/folder\n-- want --\nexit: 0\n")
	r, err := run(shell(":"), []Case{noDir}, Options{})
	if err != nil || r.Cases[0].Result != Broken || r.Err() == nil {
		t.Errorf("a working directory that is not there: %v %+v", err, r)
	}
}

// What is not claimed is skipped, counted, and does not make a subject pass.
func TestSkipsAreCounted(t *testing.T) {
	needsShell(t)
	t.Parallel()
	cases := []Case{
		caseOf(t, "io/a", header+"-- want --\nexit: 0\n"),
		caseOf(t, "io/b", strings.Replace(header, "HM-IO-15", "HM-IO-16", 1)+"-- want --\nexit: 0\n"),
		caseOf(t, "trust/c", strings.Replace(header, "runner", "trust", 1)+"-- want --\nexit: 0\n"),
	}
	s := shell("exit 0")
	s.Without = map[string]string{"HM-IO-16": "no reasons here"}
	r, err := Run(context.Background(), s, cases, Options{})
	if err != nil || r.Err() != nil {
		t.Fatal(err, r.Err())
	}
	if r.Totals[Passed] != 1 || r.Totals[Skipped] != 2 || len(r.Skips) != 2 {
		t.Errorf("totals %v, skips %v", r.Totals, r.Skips)
	}
	all := shell("exit 0")
	all.Without = map[string]string{"*/*": "nothing at all"}
	if r, err := Run(context.Background(), all, cases, Options{}); err != nil || r.Err() == nil {
		t.Errorf("a subject that claims nothing passes: %v", err)
	}
}

func TestSkipMustErr(t *testing.T) {
	needsShell(t)
	t.Parallel()
	c := caseOf(t, "io/a", header+"-- want --\nexit: 0\n")
	for _, k := range []struct {
		script string
		must   bool
		want   string
	}{{"exit 0", false, Skipped}, {"exit 1", false, Skipped}, {"exit 0", true, Failed}, {"exit 1", true, Skipped}} {
		t.Run(fmt.Sprintf("%s, must %v", k.script, k.must), func(t *testing.T) {
			r := play1(t, shell(k.script), c, Options{Skip: []string{"io"}, SkipMustErr: k.must})
			if r.Result != k.want {
				t.Errorf("%q, skip must err %v: %s, want %s", k.script, k.must, r.Result, k.want)
			}
		})
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, id string
		want        bool
	}{
		{"io/a", "io/a", true}, {"io/*", "io/a", true}, {"io", "io/a", true}, {"i", "io/a", false},
		{"agents", "agents/codex/stop", true}, {"agents/codex", "agents/codex/stop", true}, {"agents/*", "agents/codex/stop", true}, {"*/stop", "io/stop", true},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			if have, err := matches(c.pattern, c.id); err != nil || have != c.want {
				t.Errorf("%s, %s: %v %v", c.pattern, c.id, have, err)
			}
		})
	}
}

// The forms of a report are what their readers expect, whatever is in the texts.
func TestReportForms(t *testing.T) {
	needsShell(t)
	t.Parallel()
	cases := []Case{
		caseOf(t, "io/good", header+"-- want --\nexit: 0\n"),
		caseOf(t, "io/bad", header+"-- want --\nexit: 2\nstderr-has: \"<\\u0001&>\"\n"),
		caseOf(t, "trust/skipped", strings.Replace(header, "runner", "trust", 1)+"-- want --\nexit: 0\n"),
	}
	r, err := Run(context.Background(), shell("printf 'a # b\\001<x>' >&2; exit 0"), cases, Options{})
	must.Do(t, err)
	var b bytes.Buffer
	r.Text(&b, false)
	for _, want := range []string{"fail  io/bad", "HM-IO-15 (MUST): A runner MUST block if a sync hook exits with 2.", "wanted  2", "got     0", "pre-tool-call", "1 passed, 1 failed, 1 skipped", "skipped 1: profile trust is not claimed"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(b.String(), want) {
				t.Errorf("the text lacks %q:\n%s", want, b.String())
			}
		})
	}
	b.Reset()
	must.Do(t, r.JSON(&b))
	var doc map[string]any
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil || doc["schema"] != 1.0 {
		t.Errorf("JSON: %v %v", err, doc["schema"])
	}
	b.Reset()
	r.TAP(&b)
	for _, want := range []string{"TAP version 13\n1..3\n", "not ok 2 - io/bad", "ok 1 - io/good", "# SKIP profile trust"} {
		t.Run(fmt.Sprintf("%q", want), func(t *testing.T) {
			if !strings.Contains(b.String(), want) {
				t.Errorf("TAP lacks %q:\n%s", want, b.String())
			}
		})
	}
	b.Reset()
	must.Do(t, r.JUnit(&b))
	type reason struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	var suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Cases    []struct {
			Class   string  `xml:"classname,attr"`
			Name    string  `xml:"name,attr"`
			Failure *reason `xml:"failure"`
			Error   *reason `xml:"error"`
			Skipped *reason `xml:"skipped"`
		} `xml:"testcase"`
	}
	err = xml.Unmarshal(b.Bytes(), &suite)
	if err != nil || suite.Tests != 3 || suite.Failures != 1 || suite.Errors != 0 || suite.Skipped != 1 || len(suite.Cases) != 3 {
		t.Fatalf("JUnit: %v %+v", err, suite)
	}
	good, bad, skipped := suite.Cases[0], suite.Cases[1], suite.Cases[2]
	if good.Failure != nil || bad.Failure == nil || bad.Error != nil || skipped.Skipped == nil || bad.Class != "io" || !strings.HasPrefix(bad.Name, "bad: ") ||
		bad.Failure.Message != "HM-IO-15" || !strings.Contains(bad.Failure.Text, "<x>") || !strings.Contains(skipped.Skipped.Message, "profile trust") {
		t.Errorf("JUnit:\n%s", &b)
	}
}

// What is copied out is the whole suite, and reads as the same cases.
func TestCopy(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "suite")
	must.Do(t, Copy(dir))
	there, err := Load(os.DirFS(filepath.Join(dir, "cases")))
	must.Do(t, err)
	here, err := Cases()
	must.Do(t, err)
	if len(there) != len(here) {
		t.Errorf("%d cases there, %d here", len(there), len(here))
	}
	for _, name := range []string{"README.md", "SPEC.md", "version.json", "requirements.json", ".gitattributes", "scripts/prelude.sh"} {
		t.Run(name, func(t *testing.T) {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if err := Copy(dir); err == nil {
		t.Error("a folder that is not empty was written to")
	}
}

// Every key that the parser takes stands in the page that explains them.
func TestFormatPageIsComplete(t *testing.T) {
	page := string(formatPage)
	for _, name := range sortedKeys(needs) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("FORMAT.md does not explain needs: %s", name)
		}
	}
	source := ""
	for _, file := range []string{"case.go", "steps.go", "want.go"} {
		source += must.Read(t, file)
	}
	for _, m := range caseKeys.FindAllStringSubmatch(source, -1) {
		for _, key := range strings.Split(m[1], ", ") {
			key = strings.Trim(key, `"`)
			stream, check, two := strings.Cut(key, "-")
			known := strings.Contains(page, "`"+key+"`") ||
				two && strings.Contains(page, "`-"+check+"`") && (stream == "stdout" || stream == "stderr") || strings.Contains(page, "`"+stream+"-…`") && two
			if !known {
				t.Errorf("FORMAT.md does not explain the key %s", key)
			}
		}
	}
}

var caseKeys = regexp.MustCompile(`(?m)^\tcase ("[a-z0-9-]+"(?:, "[a-z0-9-]+")*):$`)
