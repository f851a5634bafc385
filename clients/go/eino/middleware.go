package main

import (
	"context"
	"encoding/json"

	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/agents-hooks/agents-hooks/hooks"
)

// names are the portable ones of this agent's tools: hooks of people go by them.
var names = map[string]string{"run_command": "Shell", "write_file": "WriteFile"}

// Hooked asks hooks about each call of a tool, and obeys. What a tool fails with is a
// result that the model reads.
func Hooked(s *hooks.Session) compose.ToolMiddleware {
	return compose.ToolMiddleware{Invokable: func(next compose.InvokableToolEndpoint) compose.InvokableToolEndpoint {
		return func(ctx context.Context, in *compose.ToolInput) (*compose.ToolOutput, error) {
			name := in.Name
			if portable, ok := names[name]; ok {
				name = portable
			}
			call := hooks.Call{ID: in.CallID, Name: name, Input: json.RawMessage(in.Arguments)}
			r, err := s.Tool(ctx, call, func(ctx context.Context, input json.RawMessage) (string, error) {
				changed := *in
				changed.Arguments = string(input)
				out, err := next(ctx, &changed)
				if err != nil {
					return "", err
				}
				return out.Result, nil
			})
			return &compose.ToolOutput{Result: r.Text}, err
		}
	}}
}

// Turn gives an agent a prompt, and has it go on for as long as hooks want.
func Turn(ctx context.Context, s *hooks.Session, agent *react.Agent, prompt string) (string, error) {
	o, err := s.Dispatch(ctx, hooks.PreAgentTurn(prompt))
	if err != nil && ctx.Err() != nil {
		return "", err
	}
	if o.Blocked() {
		return o.Reason, nil
	}
	messages := []*schema.Message{schema.UserMessage(prompt)}
	if o.AdditionalContext != "" {
		messages = append(messages, schema.UserMessage(o.AdditionalContext))
	}
	for {
		said, err := agent.Generate(ctx, messages)
		if err != nil {
			return "", err
		}
		stop, err := s.Dispatch(ctx, hooks.PreAgentTurnStop(said.Content))
		if err != nil && ctx.Err() != nil {
			return "", err
		}
		more, on := stop.GoOn()
		if !on {
			_, _ = s.Dispatch(ctx, hooks.PostAgentTurnStop(said.Content))
			_, _ = s.Dispatch(ctx, hooks.PostAgentTurn())
			return said.Content, nil
		}
		messages = append(messages, said, schema.UserMessage(more))
	}
}
