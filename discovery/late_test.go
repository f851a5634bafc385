package discovery

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// However many hooks a project has: the person's are found, the project's get a
// part of the time, and it is said where that was not enough.
func TestProjectsTakeAPartOfTheTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(root, name string) {
		hook := filepath.Join(root, "hooks", name)
		must.Do(t, os.MkdirAll(filepath.Join(hook, "scripts"), 0o755))
		for file, text := range map[string]string{"HOOK.md": "---\nname: " + name + "\ndescription: d\ntrigger: pre-tool-call\n---\n", "scripts/run": "#!/bin/sh\n"} {
			must.Script(t, filepath.Join(hook, file), text)
		}
	}
	user, project := filepath.Join(dir, "user"), filepath.Join(dir, "project")
	put(user, "guard")
	for i := range 2*crowd + 1 {
		put(filepath.Join(project, ".agents"), "p"+strconv.Itoa(i))
	}
	for _, left := range []time.Duration{time.Nanosecond, time.Hour} {
		ctx, cancel := context.WithTimeout(t.Context(), left)
		set := LoadEvent(Sources{User: user, Home: dir, State: filepath.Join(dir, "state"), GOOS: "linux", Ctx: ctx}, protocol.PreToolCall, project)
		set.Open()
		cancel()
		if ready := set.Ready(protocol.PreToolCall); len(ready) != 1 || ready[0].Name != "guard" {
			t.Errorf("%v left: %d hooks are ready", left, len(ready))
		}
		said := 0
		for _, p := range set.Problems {
			if strings.Contains(p.Message, "too much of the event's time") {
				said++
			}
		}
		if late := left < time.Second; late != (said == 1) || late != (set.Found < crowd) {
			t.Errorf("%v left: said %d times, %d found", left, said, set.Found)
		}
	}
}

// What nobody approved may be slow to read: a thousand files of YAML that the parser takes long over.
// An event says that it does not look at all of it, and runs what was approved.
// HM-SEC-02, HM-FIL-05.
func TestStrangersDelayAnEventByAPartOfASecond(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{"one key again and again": "x: 1\n", "nested keys": "? ", "a list each": "k: [a, b]\n"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.hook(ProjectLayer, "zz-guard", preTool)
			w.approve()
			const strangers = 400
			for i := range strangers {
				w.file(filepath.Join(w.hooksOf(ProjectLayer), "s"+strconv.Itoa(i), "HOOK.md"), "---\nname: s"+strconv.Itoa(i)+"\n"+strings.Repeat(line, 60_000/len(line))+"\n---\n", 0o644)
			}
			set := w.event(preTool)
			if ready := set.Ready(preTool); len(ready) != 1 || ready[0].Name != "zz-guard" {
				t.Errorf("%d are ready", len(ready))
			}
			said := strings.Join(w.short(set.Problems), "\n")
			if n := len(set.Untrusted(preTool)); n >= strangers || !strings.Contains(said, "is not looked at any further: it takes too much of the event's time") {
				t.Errorf("%d of %d were read: %.500s", n, strangers, said)
			}
		})
	}
}

// A stranger's file may have more mistakes than anybody reads.
func TestMistakesOfAFileAreToldToAHundred(t *testing.T) {
	t.Parallel()
	f := parseYAML(strings.Repeat("x: 1\n", 10_000), frontLine)
	if n := len(f.problems); n != mostProblems+1 || f.problems[n-1].Message != moreProblems || !anyFatal(f.problems) {
		t.Errorf("%d: %+v", n, f.problems[len(f.problems)-1])
	}
}
