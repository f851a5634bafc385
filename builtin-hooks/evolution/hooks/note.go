package hooks

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// twice is how far apart two calls of one event without an id may be.
const twice = 2 * time.Second

// note is evolution-journal, whose cost every tool call pays. Nothing is sent, and
// nothing is started except for a recurring failure.
func note(c *behaviour.Call) error { return write(c, false) }

// noteFailure is evolution-failure: the agent itself says that the call failed.
func noteFailure(c *behaviour.Call) error {
	if c.Stopped() {
		return nil
	}
	return write(c, true)
}

func write(c *behaviour.Call, failed bool) error {
	r, relevant := record(c, failed)
	if !relevant || c.Session() == "" {
		return nil
	}
	if c.Event.Text("tool_use_id") != "" {
		return keep(c, r)
	}
	var kept error
	_, err := c.State.Once("evolution-note", c.Digest(), c.Now, twice, func() []byte {
		kept = keep(c, r)
		return []byte("noted")
	})
	if kept == nil {
		kept = err
	}
	return kept
}

// record describes a call, and reports whether it is worth a line.
func record(c *behaviour.Call, failed bool) (r journal.Record, relevant bool) {
	input := c.Event.Sub("tool_input")
	switch name := c.Event.Text("tool_name"); name {
	case "Shell":
		r.Tool, r.Command = "bash", commandOf(c.Event)
		if r.Command == "" {
			return r, false
		}
		end := endOf(c.Event, failed)
		r.Signals = failure.Ended(r.Command, end)
		if len(r.Signals) > 0 && end.Exit == noCode && !end.Failed && tells(c) {
			r.Signals = nil // it only looks like a failure: this agent has an event for real ones
		}
		if len(r.Signals) > 0 {
			r.Failure = failure.Of(r.Command, end.Text, end.Exit, filepath.Base(c.Project()), scopeOf(c))
		} else if failed = false; signal.Read(r.Command).Trivial {
			return r, false
		}
	case "EditFile", "WriteFile":
		if r.Tool = "edit"; name == "WriteFile" {
			r.Tool = "write"
		}
		if r.Command = input.Text("file_path"); r.Command == "" {
			return r, false
		}
		if rel, err := filepath.Rel(c.Project(), r.Command); err == nil && filepath.IsLocal(rel) {
			r.Command = filepath.ToSlash(rel)
		}
		// The contents of a file are not output: only a message counts.
		message := messageOf(c.Event.Get("error"))
		if response := c.Event.Sub("tool_response"); message == "" && string(response.Get("success")) == "false" {
			message = messageOf(response.Get("error")) + " "
		}
		if failed || message != "" {
			r.Signals = signal.Of("", message)
			r.Failure = failure.Of("", message, -1, filepath.Base(c.Project()), scopeOf(c))
		}
	default:
		return r, false
	}
	r.Tagged = failed
	return r, true
}

// tells reports whether the agent of a session reported a failed command, with its
// code, by the event for failures: then whatever comes by the other event succeeded.
func tells(c *behaviour.Call) bool {
	j := journalOf(c).Troubled()
	return slices.ContainsFunc(j.Entries, func(e journal.Entry) bool { return e.Tagged && e.Tool == "bash" && e.Failure.Exit > 0 })
}

// keep writes a record into the journal, including what it says about the pending
// suggestion.
func keep(c *behaviour.Call, r journal.Record) error {
	now := c.Now
	if len(r.Signals) > 0 {
		r.Hint = thirdTime(langOf(c))
	}
	state := c.State.Read(stateName)
	if p, ok := pendingOf(state); ok {
		life := time.Duration(c.Settings.Of("pending_minutes").Int) * time.Minute
		outcome, over := "", p.Expired(now, life)
		if !over {
			outcome = p.Outcome(r.Tool, r.Command, c.Event.Text("tool_use_id"), len(r.Signals) > 0, r.Signals, r.Failure)
		}
		if over || outcome != "" {
			// Only the process that removes it records what became of it.
			mine := false
			err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
				if q, ok := pendingOf(o); !ok || q.Gene != p.Gene || !q.At.Equal(p.At) {
					return nil
				}
				mine = true
				o.Delete("pending")
				return o
			})
			if err != nil {
				return err
			}
			if mine && outcome != "" {
				r.Feedback = []journal.Feedback{{Title: p.Title, Gene: p.Gene, Outcome: outcome}}
			}
		}
	}
	_, err := journalOf(c).Add(r, now)
	if len(r.Signals) > 0 {
		err = errors.Join(err, unpack(c, state))
	}
	if err != nil || r.Failure.ID == "" || r.Tool != "bash" || !c.Settings.Of("stuck").Bool || !c.Can("context") {
		return err
	}
	// This is the second time: an agent that reads a hook's text after a call gets it
	// now, not after another attempt.
	return offer(c, journalOf(c).Troubled(), r.Command)
}

// unpack has the words unpacked with which a failure is compared, in the background and once a
// session: until they are, the second failure would wait for it.
func unpack(c *behaviour.Call, state protocol.Object) error {
	if c.Runtime.Words == nil || c.Runtime.Cache == "" || state.Bool("unpacking") {
		return nil
	}
	if _, err := os.Stat(c.Runtime.Words(c.Runtime.Cache)); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := c.State.Update(stateName, func(o protocol.Object) protocol.Object { o.Set("unpacking", protocol.Raw("true")); return o }); err != nil {
		return err
	}
	return c.Runtime.Detach(c.Project(), c.Env, "builtin", "worker", "evolution")
}
