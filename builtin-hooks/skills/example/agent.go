package main

import (
	"context"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
)

// A Message is one of the conversation.
type Message struct {
	Role    string
	Content string
	Hook    string // the skill and prompt that it is of, "" if it is of none
}

// newMessage makes a message of what a Manager wants put in. A program that
// stores its history would store the mark beside the message.
func newMessage(m skills.Message) *Message {
	hook := ""
	if m.Mark.Name != "" {
		hook = m.Mark.Skill + "/" + m.Mark.Name
	}
	return &Message{Role: string(m.Role), Content: m.Content, Hook: hook}
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

// Request answers the last message of a list. All that it puts in between stands
// in the list too; what does not belong there is taken out however it ends. The
// persistent prompts are returned, for the caller to store.
func (a *Agent) Request(ctx context.Context, messages *[]*Message, tools bool) (stored []skills.Stored, err error) {
	m := skills.NewManager(messages, a.Hooks, newMessage)
	defer m.Close()
	m.Input = (*messages)[len(*messages)-1].Content
	stored = m.Inject(skills.AfterUserInput)
	if !tools {
		_, err := a.call(ctx, "direct call", messages)
		return stored, err
	}
	need, more, err := a.plan(ctx, m, messages)
	stored = append(stored, more...)
	if err != nil || !need {
		return stored, err
	}
	more, err = a.loop(ctx, m, messages)
	return append(stored, more...), err
}

// plan asks the model, without tools, whether it needs any.
func (a *Agent) plan(ctx context.Context, m *skills.Manager[Message], messages *[]*Message) (need bool, stored []skills.Stored, err error) {
	stored = m.Inject(skills.BeforePlanning)
	prompt := m.InjectPrompt("Plan first: do you need a tool?", skills.System)
	reply, err := a.call(ctx, "planning", messages)
	m.RemovePrompt(prompt)
	m.Remove(skills.BeforePlanning)
	return reply.NeedTool, stored, err
}

// loop calls the model and its tools until it asks for none.
func (a *Agent) loop(ctx context.Context, m *skills.Manager[Message], messages *[]*Message) (stored []skills.Stored, err error) {
	defer func() {
		m.Remove(skills.BeforeFirstAgent)
		m.Remove(skills.AfterToolCall)
		m.Remove(skills.BeforeEachAgent)
	}()
	for first := true; ; first = false {
		m.Remove(skills.BeforeEachAgent)
		stored = append(stored, m.Inject(skills.BeforeEachAgent)...)
		if first {
			stored = append(stored, m.Inject(skills.BeforeFirstAgent)...)
		}
		step := m.InjectPrompt("Go on, step by step.", skills.System)
		reply, err := a.call(ctx, "round", messages)
		if err != nil {
			return stored, err
		}
		if len(reply.Calls) > 0 {
			for _, tool := range reply.Calls {
				result, err := a.Tool(ctx, tool)
				if err != nil {
					return stored, err
				}
				*messages = append(*messages, &Message{Role: "tool", Content: result})
			}
			m.Remove(skills.AfterToolCall)
			for _, tool := range reply.Calls {
				stored = append(stored, m.Inject(skills.AfterToolCall, tool)...)
			}
		}
		m.RemovePrompt(step)
		if len(reply.Calls) == 0 {
			return stored, nil
		}
	}
}

// call calls the model and keeps what it said.
func (a *Agent) call(ctx context.Context, what string, messages *[]*Message) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	reply, err := a.Model(ctx, what, *messages)
	if err == nil && reply.Text != "" {
		*messages = append(*messages, &Message{Role: "assistant", Content: reply.Text})
	}
	return reply, err
}
