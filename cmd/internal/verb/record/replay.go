package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/dispatch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/recorded"
	"github.com/agents-hooks/agents-hooks/cmd/internal/scratch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

func replayCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "play recorded events through the hooks of today",
		ArgsUsage: "FILE...",
		Description: "Plays what record kept, or an agent's bare payload, through the hooks that\n" +
			"are there now, and shows where an answer would be another one. The hooks run\n" +
			"for real: what they write, send or start is written, sent and started. Only\n" +
			"async hooks are not started, and what we remember ourselves (loop guard,\n" +
			"run log, a hook's state directory) is a copy that is thrown away.\n\n" +
			"A project's hooks run if they are trusted. Exit 0 if all is the same, 1 if\n" +
			"something differs.",
		BashComplete: shell.Arguments(shell.Each(recorded.Files(sh))),
		Flags: []cli.Flag{
			shell.Offer(&cli.StringFlag{Name: "agent", Usage: "play as if from the agent `ID`, as far as it has these events"}, hookset.Agents),
			shell.Offer(&cli.StringFlag{Name: "from", Usage: "bare payloads are of the agent `ID`"}, hookset.Agents),
			shell.Offer(&cli.StringFlag{Name: "event", Usage: "the `NATIVE` name of a bare payload, if not in it"}, hookset.NativeEvents),
			shell.Offer(&cli.StringFlag{Name: "dir", Aliases: []string{"C"}, Usage: "play as if in `DIR`, not where it happened"}, shell.Folders),
			shell.Offer(&cli.StringFlag{Name: "trust", Usage: "project hooks need no approval (`always`)"}, shell.Fixed("always")),
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return replay(sh, c) },
	}
}

// What became of an event that was played.
const (
	SameAnswer  = "same"
	otherAnswer = "differs"
	firstAnswer = "new"     // nothing was recorded to compare it with
	notPlayed   = "skipped" // it could not be played
)

// A Replay is what came of all files.
type Replay struct {
	Schema  int          `json:"schema"`
	Agent   string       `json:"agent"` // that it was played as, "" for the one that it is from
	Files   []playedFile `json:"files"`
	Same    int          `json:"same"`
	Differs int          `json:"differs"`
	New     int          `json:"new"`
	Skipped int          `json:"skipped"`
}

type playedFile struct {
	File   string        `json:"file"`
	Bad    []int         `json:"bad_lines"` // that are no event
	Events []playedEvent `json:"events"`
}

type playedEvent struct {
	Line     int      `json:"line"`
	Time     string   `json:"time"` // when it was recorded, "" of a bare payload
	Agent    string   `json:"agent"`
	Native   string   `json:"native_event"`
	Event    string   `json:"event"`
	Tool     string   `json:"tool"`
	Result   string   `json:"result"`
	Why      string   `json:"why"`      // it was skipped
	Changed  []string `json:"changed"`  // decision, reason, answer
	Redacted bool     `json:"redacted"` // something in it was blotted out or cut
	Recorded *said    `json:"recorded"`
	Now      *said    `json:"now"`
	Async    []string `json:"async"` // hooks that were not started
}

// A said is an answer as it is printed.
type said struct {
	Decision string        `json:"decision"`
	Reason   string        `json:"reason"`
	Exit     int           `json:"exit"`
	Stdout   string        `json:"stdout"`
	Stderr   string        `json:"stderr"`
	Files    []string      `json:"files,omitempty"`
	Hooks    []record.Hook `json:"hooks"`
}

func saidOf(a record.Answer) *said {
	s := said{a.Decision, a.Reason, a.Exit, a.Stdout, a.Stderr, a.Files, a.Hooks}
	if s.Hooks == nil {
		s.Hooks = []record.Hook{}
	}
	return &s
}

// A player is what the flags of replay say.
type player struct {
	*shell.Shell
	ctx   context.Context
	as    *protocol.Dialect // nil: as it was
	from  *protocol.Dialect // of bare payloads, nil: by their shape
	event string
	dir   string // "" where it happened
	trust bool
}

func replay(sh *shell.Shell, c *cli.Context) error {
	words, err := shell.Args(c, 1, -1, "at least one file; agents-hooks record status names what was recorded")
	if err != nil {
		return err
	}
	p, err := newPlayer(sh, c)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
	defer stop()
	p.ctx = ctx
	all := &Replay{Schema: 1, Files: []playedFile{}}
	if p.as != nil {
		all.Agent = p.as.ID
	}
	for _, w := range words {
		f, err := p.file(w)
		if err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		all.add(f)
	}
	if ctx.Err() != nil {
		return errors.New("replay: interrupted")
	}
	if c.Bool("json") {
		err = sh.JSON(all)
	} else {
		printReplay(sh, all)
	}
	if all.Differs > 0 {
		err = errors.Join(err, shell.ErrReported)
	}
	if all.Same+all.Differs+all.New == 0 && err == nil {
		return errors.New("replay: none of these events could be played")
	}
	return err
}

func newPlayer(sh *shell.Shell, c *cli.Context) (*player, error) {
	p := &player{Shell: sh, event: c.String("event")}
	for name, d := range map[string]**protocol.Dialect{"agent": &p.as, "from": &p.from} {
		if id := c.String(name); id != "" {
			found, ok := agents.Lookup(id)
			if !ok {
				_, err := hookset.LookupAgent(id)
				return nil, err
			}
			*d = found
		}
	}
	if c.IsSet("dir") {
		dir, err := hookset.LookFrom(sh, c)
		if err != nil {
			return nil, err
		}
		p.dir = dir
	}
	if c.IsSet("trust") && c.String("trust") != "always" {
		return nil, shell.Usagef("replay: --trust: want always, have %q", c.String("trust"))
	}
	p.trust = c.String("trust") == "always"
	return p, nil
}

func (r *Replay) add(f playedFile) {
	r.Files = append(r.Files, f)
	for _, e := range f.Events {
		switch e.Result {
		case SameAnswer:
			r.Same++
		case otherAnswer:
			r.Differs++
		case firstAnswer:
			r.New++
		case notPlayed:
			r.Skipped++
		}
	}
}

// file plays one file, on a copy of our state that is its own: a session begins
// anew in it.
func (p *player) file(word string) (playedFile, error) {
	path, err := p.Abs(word)
	if err != nil {
		return playedFile{}, err
	}
	f := playedFile{File: path, Bad: []int{}, Events: []playedEvent{}}
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
		if p.ctx.Err() != nil {
			break
		}
		if take.bad != nil {
			f.Bad = append(f.Bad, take.line)
			continue
		}
		f.Events = append(f.Events, p.play(take, state))
	}
	return f, nil
}

// play plays one event and compares the answers.
func (p *player) play(take take, state string) playedEvent {
	e := playedEvent{
		Line: take.line, Agent: take.entry.Agent, Native: take.entry.NativeEvent, Event: take.entry.Event,
		Redacted: take.entry.Redacted || take.entry.Cut, Result: notPlayed, Changed: []string{}, Async: []string{},
	}
	if !take.entry.Time.IsZero() {
		e.Time = protocol.Timestamp(take.entry.Time)
	}
	if !take.bare {
		e.Recorded = saidOf(take.entry.Answer)
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
	// Two events of one tool use were answered once when they came, or are two.
	scratch.RemoveAll(dedupDir(state))
	done := dispatch.Play(p.ctx, p.on(state), d, events, p.trust)
	if done.Echo {
		e.Why = d.Name + " repeats here what it was told to go on with; no hook is asked"
		return e
	}
	if done.Async != nil {
		e.Async = done.Async
	}
	now := p.asKept(done.Answer, state)
	e.Now = saidOf(now)
	if take.bare {
		e.Result = firstAnswer
		return e
	}
	e.Changed = p.changed(take.entry.Answer, now)
	if e.Result = SameAnswer; len(e.Changed) > 0 {
		e.Result = otherAnswer
	}
	return e
}

// changed names what differs. As another agent the same thing is said in other
// words, and only what was decided can be compared.
func (p *player) changed(was, now record.Answer) []string {
	changed := []string{}
	if was.Decision != now.Decision {
		changed = append(changed, "decision")
	}
	if was.Reason != now.Reason {
		changed = append(changed, "reason")
	}
	was.Decision, was.Reason = now.Decision, now.Reason
	if p.as == nil && !was.Same(now) {
		changed = append(changed, "answer")
	}
	return changed
}
