// Package replay runs recorded events, or an agent's bare payloads, through the current
// hooks, and compares the answers with the recorded ones.
//
// The hooks run for real. Our own state is a temporary copy, one for each file, in
// which the session begins again. Async hooks are not started.
package replay

import (
	"context"

	"github.com/agents-hooks/agents-hooks/cmd/internal/dispatch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/scratch"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The results of playing an event.
const (
	Same    = "same"
	Differs = "differs"
	New     = "new"     // nothing was recorded to compare it with
	Skipped = "skipped" // it could not be played
)

// Options say how to play events.
type Options struct {
	As     *protocol.Dialect // nil: as the original agent
	From   *protocol.Dialect // of bare payloads, nil: recognised by their shape
	Native string            // the event of a bare payload that does not name it
	Dir    string            // the folder where it is to happen, "" for the original one
	Trust  bool              // the project's hooks need no approval
	Warn   func(error)       // is called with problems that do not end the replay
}

// A Result is the result for all files. Its JSON form is stable.
type Result struct {
	Schema  int    `json:"schema"`
	Agent   string `json:"agent"` // the agent that it was played as, "" for the original one
	Files   []File `json:"files"`
	Same    int    `json:"same"`
	Differs int    `json:"differs"`
	New     int    `json:"new"`
	Skipped int    `json:"skipped"`
}

// A File is the result for one file.
type File struct {
	File   string  `json:"file"`
	Bad    []int   `json:"bad_lines"` // that are not events
	Events []Event `json:"events"`
}

// An Event is one that was played, or skipped.
type Event struct {
	Line     int      `json:"line"`
	Time     string   `json:"time"` // when it was recorded, "" for a bare payload
	Agent    string   `json:"agent"`
	Native   string   `json:"native_event"`
	Event    string   `json:"event"`
	Tool     string   `json:"tool"`
	Result   string   `json:"result"`
	Why      string   `json:"why"`      // it was skipped
	Changed  []string `json:"changed"`  // decision, reason, answer
	Redacted bool     `json:"redacted"` // something in it was redacted or cut
	Recorded *Answer  `json:"recorded"`
	Now      *Answer  `json:"now"`
	Async    []string `json:"async"` // hooks that were not started
}

// An Answer is what the agent was told, or would be now.
type Answer struct {
	Decision string        `json:"decision"`
	Reason   string        `json:"reason"`
	Exit     int           `json:"exit"`
	Stdout   string        `json:"stdout"`
	Stderr   string        `json:"stderr"`
	Files    []string      `json:"files,omitempty"`
	Hooks    []record.Hook `json:"hooks"`
}

func answerOf(a record.Answer) *Answer {
	return &Answer{a.Decision, a.Reason, a.Exit, a.Stdout, a.Stderr, a.Files, append([]record.Hook{}, a.Hooks...)}
}

// Files plays files, one after another. Ending ctx stops the running hook and skips
// the rest.
func Files(ctx context.Context, h host.Host, paths []string, o Options) (*Result, error) {
	r := &Result{Schema: 1, Files: []File{}}
	if o.As != nil {
		r.Agent = o.As.ID
	}
	p := player{Options: o, host: h}
	for _, path := range paths {
		f, err := p.file(ctx, path)
		if err != nil {
			return nil, err
		}
		r.add(f)
	}
	return r, nil
}

func (r *Result) add(f File) {
	r.Files = append(r.Files, f)
	for _, e := range f.Events {
		switch e.Result {
		case Same:
			r.Same++
		case Differs:
			r.Differs++
		case New:
			r.New++
		case Skipped:
			r.Skipped++
		}
	}
}

// A player plays on a machine.
type player struct {
	Options
	host host.Host
}

// file plays one file.
func (p *player) file(ctx context.Context, path string) (File, error) {
	f := File{File: path, Bad: []int{}, Events: []Event{}}
	takes, err := p.takes(path)
	if err != nil {
		return f, err
	}
	state, err := p.copyState()
	if err != nil {
		return f, err
	}
	defer scratch.RemoveAll(state)
	for _, take := range takes {
		if ctx.Err() != nil {
			break
		}
		if take.bad != nil {
			f.Bad = append(f.Bad, take.line)
			continue
		}
		f.Events = append(f.Events, p.play(ctx, take, state))
	}
	return f, nil
}

// play plays one event and compares the answers.
func (p *player) play(ctx context.Context, take take, state string) Event {
	e := Event{
		Line: take.line, Agent: take.entry.Agent, Native: take.entry.NativeEvent, Event: take.entry.Event,
		Redacted: take.entry.Redacted || take.entry.Cut, Result: Skipped, Changed: []string{}, Async: []string{},
	}
	if !take.entry.Time.IsZero() {
		e.Time = protocol.Timestamp(take.entry.Time)
	}
	if !take.bare {
		e.Recorded = answerOf(take.entry.Answer)
	}
	d, events, err := p.events(take, state)
	if err != nil {
		e.Why = err.Error()
		return e
	}
	first := events[0]
	e.Agent, e.Native, e.Event = d.ID, first.NativeEvent, string(first.Type)
	if first.Call != nil {
		e.Tool = first.Call.Name
	}
	forgetTwins(state)
	there := p.host
	there.State = state
	done := dispatch.Play(ctx, there, d, events, p.Trust)
	if done.Echo {
		e.Why = d.Name + " repeats here what it was told to go on with; no hook is asked"
		return e
	}
	e.Async = append(e.Async, done.Async...)
	now := p.asKept(done.Answer, state)
	e.Now = answerOf(now)
	if take.bare {
		e.Result = New
		return e
	}
	e.Changed = p.changed(take.entry.Answer, now)
	if e.Result = Same; len(e.Changed) > 0 {
		e.Result = Differs
	}
	return e
}

// changed names what differs. For another agent the wording differs anyway, so only
// the decision is compared.
func (p *player) changed(was, now record.Answer) []string {
	changed := []string{}
	if was.Decision != now.Decision {
		changed = append(changed, "decision")
	}
	if was.Reason != now.Reason {
		changed = append(changed, "reason")
	}
	was.Decision, was.Reason = now.Decision, now.Reason
	if p.As == nil && !was.Same(now) {
		changed = append(changed, "answer")
	}
	return changed
}
