package log

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// However long the names of hooks, agents and events are, a line fits into a terminal of 80
// columns.
func TestSlowestRunsFitTheScreen(t *testing.T) {
	var out bytes.Buffer
	sh := &shell.Shell{Out: &out, Err: io.Discard}
	printStats(sh, &stats{Since: time.Now(), Until: time.Now(), Slowest: []slowRun{
		{Hook: strings.Repeat("long-", 12), Took: ms(time.Minute), At: time.Now(), Agent: "claude-code", Event: "post-tool-call"},
		{Hook: "guard", Took: ms(time.Minute), At: time.Now(), Agent: strings.Repeat("agent", 12), Event: "permission-request"},
	}})
	for line := range strings.Lines(out.String()) {
		if n := text.Width(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{"  long-long-", ", claude-code post-tool-call\n", "  guard, agentagent"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
