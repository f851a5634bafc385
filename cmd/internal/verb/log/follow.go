package log

import (
	"context"
	"fmt"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/runner"
)

// followEvery is how often follow looks for new lines.
const followEvery = 200 * time.Millisecond

// follow shows the existing lines, and then new ones, until ctx ends.
func follow(ctx context.Context, sh *shell.Shell, f runlog.Filter, o logOptions) error {
	state, show := sh.Host.State, eventlog.NewPrinter(sh).Print
	if o.json {
		show = func(l runner.LogLine) { _ = sh.RawJSON(l.Append(nil)) } // an answer that is not read ends the process
	}
	// The position to continue from is determined before the lines are read, so that none is
	// missed: the few that come twice are recognised by their ids.
	at := runlog.End(state)
	lines, _, err := runlog.Newest(state, f, o.last)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	seen := map[string]bool{}
	for _, l := range lines {
		seen[l.ID] = true
		show(l)
	}
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		for e, err := range runlog.After(state, at) {
			if err != nil {
				return fmt.Errorf("log: %w", err)
			}
			if f.Picks(&e.LogLine) && (e.ID == "" || !seen[e.ID]) {
				show(e.LogLine)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
