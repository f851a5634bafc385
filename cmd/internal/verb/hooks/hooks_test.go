package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func hook(t *testing.T, dir, front string) {
	t.Helper()
	must.Write(t, filepath.Join(dir, "HOOK.md"), "---\nname: "+filepath.Base(dir)+"\ndescription: a hook\n"+front+"---\n")
	must.Script(t, filepath.Join(dir, "scripts", "run"), "#!/bin/sh\nexit 2\n")
}

// list of a folder shows what lies there, and nothing of what counts here: no
// layers, no settings, no recording.
func TestListOfFoldersShowsThoseAlone(t *testing.T) {
	h := shelltest.New(t).Host
	hook(t, filepath.Join(h.Config, "hooks", "mine"), "trigger: pre-session\n")
	there := t.TempDir()
	hook(t, filepath.Join(there, "b"), "trigger: pre-session\n")
	hook(t, filepath.Join(there, "a"), "trigger: nonsense\n")
	must.Do(t, (record.Store{State: h.State}).Start(h.WorkDir, time.Now()))
	names := func(o listOptions) string {
		l, err := list(h, o)
		must.Do(t, err)
		var words []string
		for _, r := range l.rows {
			words = append(words, r.Name)
		}
		if (l.recorded != "") != (len(o.folders) == 0) || (len(l.layers) > 0) != (len(o.folders) == 0) {
			t.Errorf("%+v: recorded %q, layers %v", o, l.recorded, l.layers)
		}
		return strings.Join(words, " ")
	}
	if got := names(listOptions{from: h.WorkDir}); got != "mine" {
		t.Errorf("here: %s", got)
	}
	if got := names(listOptions{folders: []string{there, filepath.Join(there, "b")}}); got != "a b b" {
		t.Errorf("there: %s", got)
	}
	if _, err := list(h, listOptions{folders: []string{filepath.Join(there, "c")}}); err == nil {
		t.Error("a folder that is not there is no error")
	}
}

// explain takes --dir for more than what the event says, and the event's own folder
// for more than where it was started.
func TestExplainLooksWhereTheEventHappened(t *testing.T) {
	sh := shelltest.New(t)
	project, other := t.TempDir(), t.TempDir()
	for _, dir := range []string{project, other} {
		hook(t, filepath.Join(dir, ".agents", "hooks", "of-"+filepath.Base(dir)), "trigger: pre-session\n")
	}
	for _, tc := range []struct {
		name string
		o    explainOptions
		want string
	}{
		{"where the event says", explainOptions{from: other}, project},
		{"where the user says", explainOptions{from: other, moved: true}, other},
		{"an event without a payload", explainOptions{from: other, event: protocol.PreSession}, other},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sh.In = strings.NewReader(`{"event_type": "pre-session", "work_dir": ` + string(protocol.Quote(project)) + `}`)
			tc.o.input = eventarg.Options{Command: "explain", Given: tc.o.event == ""}
			x, err := explain(sh, tc.o)
			must.Do(t, err)
			if x.Project != tc.want || len(x.Hooks) != 1 || x.Hooks[0].Name != "of-"+filepath.Base(tc.want) {
				t.Errorf("%+v: looked in %s: %+v", tc.o, x.Project, x.Hooks)
			}
		})
	}
}

// A hook that waits for another event takes one line: they are most of a list.
func TestExplainTellsOfOtherTriggersInALine(t *testing.T) {
	t.Parallel()
	sh := shelltest.New(t)
	hook(t, filepath.Join(sh.Host.Config, "hooks", "greets"), "trigger: pre-session\n")
	x, err := explain(sh, explainOptions{event: protocol.PostSession, from: t.TempDir()})
	must.Do(t, err)
	printExplanation(sh, x)
	_, said, _ := strings.Cut(sh.Out.(*strings.Builder).String(), "first reason\n")
	if strings.Join(strings.Fields(said), " ") != "- greets user waits for pre-session" || strings.Count(said, "\n") != 1 {
		t.Errorf("it says\n%s", said)
	}
}

// A guard that asks for a name which no event has is named where hooks are listed, too.
func TestListTellsOfGuardsThatAreNone(t *testing.T) {
	t.Parallel()
	h := shelltest.New(t).Host
	dir := filepath.Join(h.Config, "hooks", "a-guard")
	hook(t, dir, "trigger: pre-tool-call\n")
	for script, want := range map[string]int{"[ \"$(jq -r .tool_name)\" = Bash ] && exit 2": 1, "[ \"$(jq -r .tool_name)\" = Shell ] && exit 2": 0} {
		t.Run(script, func(t *testing.T) {
			must.Script(t, filepath.Join(dir, "scripts", "run"), "#!/bin/sh\n"+script+"\nexit 0\n")
			for _, o := range []listOptions{{from: t.TempDir()}, {folders: []string{dir}}} {
				l, err := list(h, o)
				if err != nil || len(l.rows) != 1 || len(l.rows[0].Problems) != want {
					t.Errorf("%s: %+v, %v", script, l.rows, err)
				}
			}
		})
	}
}

// What --fix rewrote is on disk, and the rest of the folder as it was.
func TestValidateTellsWhatItFixed(t *testing.T) {
	sh := shelltest.New(t)
	there := t.TempDir()
	hook(t, filepath.Join(there, "a"), "trigger: pre-tool-call\nmatcher:\n  pattern: \"\\.py$\"\n")
	hook(t, filepath.Join(there, "b"), "trigger: pre-session\n")
	f, err := validate(sh, validateOptions{paths: []string{there}, words: []string{there}, fix: true})
	must.Do(t, err)
	if len(f.folders) != 2 || len(f.fixed) != 1 || f.fixed[0].file != filepath.Join(there, "a", "HOOK.md") {
		t.Fatalf("%+v", f)
	}
	if now, _ := os.ReadFile(f.fixed[0].file); string(now) != string(f.fixed[0].after) || string(now) == string(f.fixed[0].before) {
		t.Errorf("the file is %q", now)
	}
	if f.failure(false) != nil || len(f.problems) != 0 {
		t.Errorf("still wrong: %v", f.problems)
	}
}

func TestStrictFailsOnWarnings(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		severity       discovery.Severity
		always, strict bool
	}{{discovery.Error, true, true}, {discovery.Warning, false, true}} {
		t.Run(string(tc.severity), func(t *testing.T) {
			f := findings{problems: []discovery.Problem{{Severity: tc.severity}}}
			if (f.failure(false) != nil) != tc.always || (f.failure(true) != nil) != tc.strict {
				t.Errorf("%s: %v, strict %v", tc.severity, f.failure(false), f.failure(true))
			}
		})
	}
}

// Each skeleton of each language is a hook without a problem, for every trigger.
func TestNewHooksAreWithoutProblems(t *testing.T) {
	sh := shelltest.New(t)
	for _, l := range langs() {
		for _, e := range protocol.EventTypes() {
			o := newOptions{skeleton: skeleton{Name: "a-" + string(e), Trigger: e, Description: `it's "quoted": # and é`}, lang: l, folder: t.TempDir()}
			if e.IsTool() {
				o.Matcher = discovery.Matcher{Tool: "^Shell$", Pattern: `it's\s"x"`}
			}
			must.Do(t, o.complete())
			files, err := newHook(sh, o)
			must.Do(t, err)
			if !slices.ContainsFunc(files, func(f newFile) bool { return f.name == l.entry(sh.Host.GOOS) && f.mode == 0o755 }) {
				t.Errorf("%s: no entry in %v", l, files)
			}
			f, err := validate(sh, validateOptions{paths: []string{o.dir()}, words: []string{o.dir()}})
			if err != nil || len(f.problems) > 0 {
				t.Errorf("%s for %s: %v, %v", l, e, f.problems, err)
			}
			if _, err := newHook(sh, o); err == nil || !strings.Contains(err.Error(), "exists already") {
				t.Errorf("written twice: %v", err)
			}
		}
	}
}

// A folder that cannot be written whole is not left in halves.
func TestNewFolderIsWholeOrNotThere(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	err := writeFolder(nil, dir, []newFile{{"a", "x", 0o644}, {filepath.Join("a", "b"), "y", 0o644}})
	if err == nil {
		t.Fatal("a file below a file was written")
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("left behind: %v", err)
	}
}
