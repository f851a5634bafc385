package main

import (
	"context"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
)

// A Message is one of the conversation.
type Message struct {
	Role    string
	Content string
	Hook    string      // the skill and prompt that it is of, "" if it is of none
	Mark    skills.Mark // stored with the history
}

// newMessage makes a message of what a loop wants put in.
func newMessage(m skills.Message) *Message {
	hook := ""
	if m.Mark.Name != "" {
		hook = m.Mark.Skill + "/" + m.Mark.Name
	}
	return &Message{Role: string(m.Role), Content: m.Content, Hook: hook, Mark: m.Mark}
}

// A Reply is what a model answered.
type Reply struct {
	Text     string
	NeedTool bool     // of the planning call
	Calls    []string // tools to run
}

// An Agent is a model, its tools, and the prompts of the enabled skills.
type Agent struct {
	Model func(ctx context.Context, call string, messages []*Message) (Reply, error)
	Tool  func(ctx context.Context, name string) (string, error)
	Hooks []skills.Hook
}

// Request answers the last message of a list. The persistent prompts are returned,
// for the caller to store; all else that was put in is taken out however it ends.
func (a *Agent) Request(ctx context.Context, messages *[]*Message, tools bool) (stored []skills.Stored, err error) {
	loop := skills.Loop[Message]{
		Hooks:   a.Hooks,
		Plan:    "Plan first: do you need a tool?",
		Step:    "Go on, step by step.",
		Message: newMessage,
		Mark:    func(m *Message) (skills.Mark, bool) { return m.Mark, m.Mark != skills.Mark{} },
		Model:   a.model,
		Store:   func(more []skills.Stored) error { stored = append(stored, more...); return nil },
	}
	if tools {
		loop.Tool = a.tool
	}
	err = loop.Run(ctx, messages, (*messages)[len(*messages)-1].Content)
	return stored, err
}

func (a *Agent) model(ctx context.Context, at skills.Phase, messages []*Message) (r skills.Reply[Message], err error) {
	said, err := a.Model(ctx, string(at), messages)
	if err == nil && said.Text != "" {
		r.Message = &Message{Role: "assistant", Content: said.Text}
	}
	for _, name := range said.Calls {
		r.Calls = append(r.Calls, skills.Call{Name: name})
	}
	r.Done = !said.NeedTool
	return r, err
}

func (a *Agent) tool(ctx context.Context, call skills.Call) (*Message, error) {
	result, err := a.Tool(ctx, call.Name)
	return &Message{Role: "tool", Content: result}, err
}
