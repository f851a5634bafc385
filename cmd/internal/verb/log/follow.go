package log

import (
	"context"
	"fmt"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/runner"
)

// followEvery is how often follow looks for new lines.
const followEvery = 200 * time.Millisecond

// follow shows the lines that there are, and then what is added, until ctx ends.
func follow(ctx context.Context, h host.Host, f runlog.Filter, last int, show func(runner.LogLine)) error {
	// Where to go on from is looked up before the lines are read, so that none
	// falls between: the few that come twice are told by their ids.
	at := runlog.End(h.State)
	lines, _, err := runlog.Newest(h.State, f, last)
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
		for e, err := range runlog.After(h.State, at) {
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
		if len(seen) > 0 {
			clear(seen) // what came in between was read at once
		}
	}
}
