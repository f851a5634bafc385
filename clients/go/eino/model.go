package main

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// scripted is a model that runs commands one after another, and then says what it read.
type scripted struct {
	commands []string
	read     [][]*schema.Message // what it was given, each time
}

func (m *scripted) Generate(_ context.Context, messages []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	m.read = append(m.read, messages)
	if len(m.commands) == 0 {
		return schema.AssistantMessage("I read: "+messages[len(messages)-1].Content, nil), nil
	}
	arguments, err := json.Marshal(command{m.commands[0]})
	if err != nil {
		return nil, err
	}
	m.commands = m.commands[1:]
	call := schema.ToolCall{ID: "call-" + strconv.Itoa(len(m.read)), Type: "function", Function: schema.FunctionCall{Name: "run_command", Arguments: string(arguments)}}
	return schema.AssistantMessage("", []schema.ToolCall{call}), nil
}

func (m *scripted) Stream(ctx context.Context, messages []*schema.Message, o ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	said, err := m.Generate(ctx, messages, o...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{said}), nil
}

func (m *scripted) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) { return m, nil }
