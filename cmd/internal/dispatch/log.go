package dispatch

import (
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// logReport keeps the one line of an event, before its answer leaves, so that a
// line that could not be kept can be told of. Nothing is written where no hook
// exists at all (RULINGS 8).
func (c *call) logReport(rep runner.Report, set *discovery.Set, fitted protocol.Outcome, notices []runner.Warning) []runner.Warning {
	if set.Found == 0 && len(notices) == 0 {
		return nil
	}
	line := runner.NewLogLine(rep, set, c.start, set.Settings.Debug)
	line.Decision = fitted.Decision.String()
	line.Warnings = notices
	if err := runner.AppendLog(c.opt.state, line); err != nil {
		return []runner.Warning{{Kind: "state", Text: sprintf("this event is not in the run log: %v", err)}}
	}
	return nil
}

// log keeps a line for an event that never reached the hooks, with the notes
// made so far.
func (c *call) log(line *runner.LogLine) {
	line.Time = c.start
	line.Duration = c.host.Now().Sub(c.start)
	line.NativeEvent = c.native
	if c.dialect != nil {
		line.Agent = c.dialect.ID
	}
	if line.Agent == "" {
		line.Agent = c.opt.agent
	}
	line.Warnings = append(line.Warnings, c.notes...)
	if err := runner.AppendLog(c.opt.state, line); err != nil {
		c.note("state", "this event is not in the run log: %v", err)
	}
}
