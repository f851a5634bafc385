//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// proveRefused: an answer that the agent cannot use, as if it had changed what it takes,
// is counted when its turn is over, in the agent's own name of the event, and doctor
// tells of it.
func proveRefused(native, event, answer string) func(*Lab) {
	return func(l *Lab) {
		l.install()
		kept := filepath.Join(l.Home, keptPrograms, "agents-hooks-run")
		real := filepath.Join(l.Root, "real", "agents-hooks-run")
		l.write(filepath.Join(l.Root, "answer"), answer+"\n", 0o644)
		must.Do(l.t, os.Mkdir(filepath.Dir(real), 0o755))
		must.Do(l.t, os.Rename(kept, real))
		l.write(kept, `#!/bin/sh
payload=$(cat)
case "$* $payload" in
*`+native+`*) cat "$MARKS/answer" ;;
*) printf '%s' "$payload" | "$MARKS/real/agents-hooks-run" "$@" ;;
esac
`, 0o755)
		r := l.run(model.Play(calls(l.touch("ran")), says("all is well")))
		must.Do(l.t, os.Rename(real, kept))
		var stats struct {
			Strange []struct {
				Agent, Kind, Event string
				Count              int
			}
		}
		out, err := l.ours("stats", "--json")
		if err == nil {
			err = json.Unmarshal([]byte(out), &stats)
		}
		if err != nil || len(stats.Strange) != 1 || stats.Strange[0].Agent != l.Agent.ID || stats.Strange[0].Kind != "answer" || stats.Strange[0].Event != event || stats.Strange[0].Count < 1 {
			r.errorf("stats: %v: %s", err, out)
		}
		out, _ = l.ours("doctor", l.Agent.ID)
		if n := strings.Count(strings.Join(strings.Fields(out), " "), "it could not use an answer to "+event); n != 1 {
			r.errorf("doctor tells it %d times: %s", n, out)
		}
	}
}
