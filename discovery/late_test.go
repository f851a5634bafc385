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
