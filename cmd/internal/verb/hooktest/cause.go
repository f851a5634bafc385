package hooktest

import (
	"bytes"
	"context"
	"fmt"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/runner"
)

// Why a call that does what the hook stops gets past it, besides the keys of the matcher.
const (
	passes = "passes" // the script has no objection
	fails  = "fails"  // it ends without a verdict
	late   = "late"   // it exceeds its time limit
)

// A miss says how a call gets past the hook; its cause is "" if it does not.
type miss struct{ cause, detail string }

// by sends a call through the matcher and the hook, and says how it gets past them.
func (b *bench) by(ctx context.Context, ev *protocol.Event) (miss, runner.Result) {
	if match := b.reaches(ev); !match.OK {
		return miss{match.Gate, "it does not reach the hook: matcher." + match.Gate + " does not match"}, runner.Result{Verdict: runner.Skipped, Exit: -1}
	}
	got := b.settled(ctx, ev)
	switch {
	case stops(got):
		return miss{}, got
	case got.Verdict == runner.TimedOut:
		return miss{late, "it is not stopped" + because(got)}, got
	case !ended(got):
		return miss{fails, "it is not stopped" + because(got)}, got
	}
	return miss{passes, "it is not stopped" + because(got)}, got
}

// A cause is one reason why calls get past the hook, with all the calls that do, and what to
// change. Its JSON form is stable.
type cause struct {
	Cause     string   `json:"cause"`     // a key of the matcher, or passes, fails, late
	Text      string   `json:"text"`      // what happens
	Fix       string   `json:"fix"`       // what to change in the hook
	Spellings []string `json:"spellings"` // what was different
	Agents    []string `json:"agents"`    // whose own tools did it
	Example   example  `json:"example"`
}

// An example is the shortest of the calls.
type example struct {
	Agent   string       `json:"agent"` // the agent whose payload it is, "" for the format's own form
	Payload protocol.Raw `json:"payload"`
}

// causes groups everything that got past the hook by the reason, the most frequent first.
func (b *bench) causes(d *tested, scenes []scene) []cause {
	list := []cause{}
	at := func(kind, detail string) *cause {
		i := slices.IndexFunc(list, func(c cause) bool { return c.Cause == kind })
		if i < 0 {
			i = len(list)
			list = append(list, cause{Cause: kind, Text: b.happens(kind, detail), Fix: b.fix(kind, scenes), Spellings: []string{}, Agents: []string{}})
		}
		return &list[i]
	}
	shown := func(c *cause, agent string, payload protocol.Raw) {
		if c.Example.Payload == nil || len(payload) < len(c.Example.Payload) {
			c.Example = example{agent, payload}
		}
	}
	for _, r := range d.Hostile {
		if r.Class == hole && r.Cause != "" {
			c := at(r.Cause, r.Detail)
			c.Spellings = append(c.Spellings, r.What)
			shown(c, "", r.Payload)
		}
	}
	for _, a := range d.Played {
		for _, m := range a.Missed {
			c := at(m.Cause, m.Detail)
			if !slices.Contains(c.Agents, a.Agent) {
				c.Agents = append(c.Agents, a.Agent)
			}
			shown(c, a.Agent, m.Payload)
		}
	}
	order.By(list, func(a, c cause) int {
		return len(c.Spellings) + len(c.Agents) - len(a.Spellings) - len(a.Agents)
	})
	return list
}

// happens says what a cause does, as the beginning of a sentence.
func (b *bench) happens(kind, detail string) string {
	entry := b.entry()
	switch kind {
	case passes:
		return entry + " has no objection to it"
	case fails, late:
		_, why, _ := strings.Cut(detail, ": it ")
		return entry + " " + why
	case "trigger":
		return "it is another event"
	}
	return fmt.Sprintf("matcher.%s %s does not find it", kind, shell.Plain(b.expression(kind)))
}

// fix says what to change in the hook so that calls no longer get past it for a cause.
func (b *bench) fix(kind string, scenes []scene) string {
	runs, changes := about(scenes)
	switch kind {
	case "tool":
		switch {
		case runs:
			return "HOOK.md: leave matcher.tool out and say command: in its place, which is tried on whatever runs commands"
		case changes:
			return "HOOK.md: leave matcher.tool out and say path: or content: in its place, which are tried on whatever changes files"
		}
		return "HOOK.md: let matcher.tool name these tools as well"
	case "pattern":
		switch {
		case runs:
			return "HOOK.md: say command: in place of pattern:, which is tried on texts as somebody typed them"
		case changes:
			return "HOOK.md: say path: or content: in place of pattern:, which is tried on texts as they come"
		}
	case "command":
		return "HOOK.md: let matcher.command be about the words of one command, quotes resolved, such as '^git push\\b', and leave room for options"
	case "path":
		return "HOOK.md: let matcher.path end with what the file is called, such as '(^|/)NAME$'; paths are absolute"
	case "content":
		return "HOOK.md: let matcher.content find the least that is wrong; it is tried on each text that is written"
	case fails:
		return b.entry() + ": end with 2 where the event is not as expected; an exception, or any other exit code, blocks nothing"
	case late:
		return b.entry() + ": answer in time, or raise the timeout in HOOK.md"
	}
	switch {
	case kind != passes:
	case runs && !b.reads("commands"):
		return b.entry() + ": read commands[].argv of the event, quotes resolved and the same in every agent, in place of tool_input"
	case runs:
		return b.entry() + ": compare commands[].argv word by word, and leave room for options"
	case changes && !b.reads("changes"):
		return b.entry() + ": read changes[] of the event (path, to, new), the same in every agent, in place of tool_input"
	case changes:
		return b.entry() + ": look at each entry of changes[], at to as well as path, and at new"
	}
	return b.entry() + ": look at the whole of tool_input"
}

// about says what the hook's own tests are about: calls that run commands, or calls that change
// files.
func about(scenes []scene) (runs, changes bool) {
	if len(scenes) == 0 || scenes[0].ev.Call == nil {
		return false, false
	}
	d := deed.Of(scenes[0].ev)
	runs = scenes[0].ev.Call.Does.Has(protocol.Runs) && len(d.Lines) > 0
	return runs, !runs && len(d.Changes) > 0
}

// entry is the script's path in the hook's folder.
func (b *bench) entry() string {
	if rel, err := filepath.Rel(b.hook.Dir, b.hook.Entry.Path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return "the hook"
}

// reads reports whether the script contains a word.
func (b *bench) reads(word string) bool {
	script, err := hookset.Below(b.hook, b.hook.Entry.Path).Read(b.hook.Entry.Path, 1<<20)
	return err == nil && bytes.Contains(script, []byte(word))
}

// expression is the expression of a matcher key, quoted.
func (b *bench) expression(key string) string {
	m := b.hook.Matcher
	of := map[string]string{"tool": m.Tool, "pattern": m.Pattern, "command": m.Command, "path": m.Path, "content": m.Content}
	return text.Clip(fmt.Sprintf("%q", of[key]), 60)
}
