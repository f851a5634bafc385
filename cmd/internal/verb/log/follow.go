package log

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/runner"
)

// followEvery is how often follow looks for new lines.
const followEvery = 200 * time.Millisecond

// follow shows the lines that there are, and then what is added, until ctx ends.
func follow(ctx context.Context, h host.Host, f runner.LogFilter, show func(runner.LogLine)) error {
	// Where to go on from is looked up before the lines are read, so that none
	// falls between: the few that come twice are told by their ids.
	day := runner.LogPath(h.State, h.Now())
	at := sizeOf(day)
	lines, err := runner.ReadLog(h.State, f)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	seen := map[string]bool{}
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		for _, l := range lines {
			if key := l.ID + l.Ref; key == "" || !seen[key] {
				seen[key] = true
				show(l)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		// The old day is read once more before the new one is begun.
		next := runner.LogPath(h.State, h.Now())
		if lines, at, err = runner.ReadLogFrom(day, at, f); err != nil {
			return fmt.Errorf("log: %w", err)
		}
		if next != day {
			day, at = next, 0
		}
	}
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
