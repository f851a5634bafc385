// Command agent is a small coding agent with hooks, whole: prompts, tools, questions to
// the person, subagents, compaction. Its model, its tools and its person are a script
// (script.go), so that it runs anywhere and every run is the same; put your own in their
// place. Arguments are a program that runs hooks, such as "agents-hooks-run run
// --stream"; without any it runs them itself.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"

	"github.com/agents-hooks/agents-hooks/hooks"
)

type agent struct {
	script
	session *hooks.Session
	history []message
}

func main() {
	a := &agent{script: newScript(os.Stdin, os.Stdout)}
	h, err := hooks.New(hooks.Options{
		Agent: "example", Version: "1", Program: os.Args[1:],
		Tell: func(text string) { a.show("person", text) },
		Ask: func(_ context.Context, call hooks.Call, reason string) bool {
			a.show("ask", reason)
			return a.next().Yes
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	for l := a.next(); l.End == ""; l = a.next() {
		if l.Begin != "" {
			a.begin(ctx, h.Session(l.Session), l.Begin)
		} else if l.Compact != "" {
			a.compact(ctx, l.Compact)
		} else {
			a.turn(ctx, l.Prompt)
		}
	}
	a.ask(ctx, hooks.PostSession("user_exit"))
	_ = h.Close() // what hooks said is told already
}

func (a *agent) begin(ctx context.Context, s *hooks.Session, source string) {
	a.session = s
	o := a.ask(ctx, hooks.PreSession(source))
	if o.Blocked() {
		a.show("refused", o.Reason)
		os.Exit(0)
	}
	a.show("env", o.Env)
	a.read("system", o.AdditionalContext)
}

func (a *agent) turn(ctx context.Context, prompt string) {
	o := a.ask(ctx, hooks.PreAgentTurn(prompt))
	if o.Blocked() {
		a.show("refused", o.Reason)
		return
	}
	a.read("user", prompt)
	a.read("user", o.AdditionalContext)
	for {
		said := a.think(ctx)
		text, on := a.ask(ctx, hooks.PreAgentTurnStop(said)).GoOn()
		if !on {
			a.ask(ctx, hooks.PostAgentTurnStop(said))
			a.ask(ctx, hooks.PostAgentTurn())
			a.show("done", said)
			return
		}
		a.read("user", text)
	}
}

// think asks the model until it wants no more tools.
func (a *agent) think(ctx context.Context) string {
	for {
		a.show("model", a.history)
		l := a.next()
		a.read("assistant", l.Say)
		if len(l.Calls) == 0 {
			return l.Say
		}
		for _, c := range l.Calls {
			r, err := a.session.Tool(ctx, hooks.Call{ID: c.ID, Name: c.Name, Input: c.Input}, func(ctx context.Context, input json.RawMessage) (string, error) {
				if c.Name == "Task" {
					return a.subagent(ctx, c.ID, input)
				}
				return a.tool(c.Name, input)
			})
			if err != nil {
				log.Fatal(err) // ctx is done
			}
			a.read("tool", r.Text)
		}
	}
}

func (a *agent) subagent(ctx context.Context, id string, input json.RawMessage) (string, error) {
	var t task
	_ = json.Unmarshal(input, &t)
	o := a.ask(ctx, hooks.PreSubagent(id, t.Kind, t.Prompt))
	if o.Blocked() {
		return "", errors.New(o.Reason)
	}
	sub := *a // with a history of its own
	sub.history = nil
	sub.read("user", t.Prompt)
	sub.read("user", o.AdditionalContext)
	for {
		said := sub.think(ctx)
		text, on := a.ask(ctx, hooks.PostSubagent(id, t.Kind, "completed")).GoOn()
		if !on {
			return said, nil
		}
		sub.read("user", text)
	}
}

func (a *agent) compact(ctx context.Context, trigger string) {
	if o := a.ask(ctx, hooks.PreContextCompact(trigger)); o.Blocked() {
		a.show("refused", o.Reason)
		return
	}
	a.history = a.history[max(0, len(a.history)-1):]
	a.ask(ctx, hooks.PostContextCompact(trigger))
}

// ask asks hooks. Where they cannot be asked work goes on, and the person is told.
func (a *agent) ask(ctx context.Context, ev hooks.Event) hooks.Outcome {
	o, err := a.session.Dispatch(ctx, ev)
	if err != nil {
		a.show("person", err.Error())
	}
	return o
}

func (a *agent) read(role, text string) {
	if text != "" {
		a.history = append(a.history, message{role, text})
	}
}
