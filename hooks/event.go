package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Event is one thing that happens in an agent. The constructors make them, With adds
// what else is known; spec/event.schema.json has all members.
type Event struct {
	kind   protocol.EventType
	fields protocol.Object
	err    error // a value that has no JSON
}

// Type is the name of the event, such as "pre-tool-call".
func (e Event) Type() string { return string(e.kind) }

// With is the event with one more member, in JSON: "transcript_path", "model",
// "permission_mode", or one of your own, which hooks see too. It takes the place of a
// member of that name.
func (e Event) With(name string, value any) Event {
	raw, err := encode(value)
	if err != nil {
		e.err = fmt.Errorf("%s of %s: %w", name, e.kind, err)
		return e
	}
	e.fields = e.fields.Clone()
	e.fields.Set(name, raw)
	return e
}

// encode writes a value as JSON that keeps its <, > and &.
func encode(value any) (protocol.Raw, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return protocol.Raw(bytes.TrimSpace(b.Bytes())), nil
}

func event(kind protocol.EventType) Event { return Event{kind: kind} }

// text adds a member if there is something to say.
func (e Event) text(name, value string) Event {
	if value == "" {
		return e
	}
	return e.With(name, value)
}

// PreSession: a session begins. source is "startup", "resume", "clear" or "compact".
// Add AdditionalContext to what the model reads, and Env to the variables of commands
// that you run. Do not begin a session that is blocked.
func PreSession(source string) Event { return event(protocol.PreSession).text("source", source) }

// PostSession: a session has ended. reason is "user_exit", "error" or another word.
func PostSession(reason string) Event {
	return event(protocol.PostSession).text("exit_reason", reason)
}

// PreAgentTurn: a person's prompt has arrived. Do not send one that is blocked, and show
// the Reason to the person; add AdditionalContext to it. Where no person wrote it, say so:
// With("source", "notification").
func PreAgentTurn(prompt string) Event { return event(protocol.PreAgentTurn).With("prompt", prompt) }

// PostAgentTurn: the model has answered a prompt, and its tools have run.
func PostAgentTurn() Event { return event(protocol.PostAgentTurn) }

// PreAgentTurnStop: the agent is about to stop. Unless [Outcome.GoOn] says what it has to
// go on with: send that text to the model, and come here again. final is what it said last.
func PreAgentTurnStop(final string) Event {
	return event(protocol.PreAgentTurnStop).final(final)
}

// PostAgentTurnStop: the agent has stopped.
func PostAgentTurnStop(final string) Event {
	return event(protocol.PostAgentTurnStop).final(final)
}

func (e Event) final(text string) Event {
	if text == "" {
		return e
	}
	return e.With("final_message", map[string]string{"role": "assistant", "content": text})
}

// PreToolCall: a tool is about to be called. Do not call it if that is blocked, and give
// the model the Reason; ask the person at Ask. Call it with ModifiedInput where there is
// one. Names of tools are the portable ones where you have such a tool (docs/matchers.md),
// id is the model's for the call, input an object: a json.RawMessage, a map, a struct.
func PreToolCall(id, name string, input any) Event {
	return toolEvent(protocol.PreToolCall, id, name, input)
}

// PostToolCall: a tool was called, and this came of it. The model reads ModifiedOutput in
// its place where there is one, AdditionalContext behind it, and the Reason of a block.
func PostToolCall(id, name string, input, response any) Event {
	return toolEvent(protocol.PostToolCall, id, name, input).With("tool_response", response)
}

// PostToolCallFailure: a tool was called, and failed. As for PostToolCall.
func PostToolCallFailure(id, name string, input any, failure string) Event {
	return toolEvent(protocol.PostToolCallFailure, id, name, input).With("error", failure)
}

func toolEvent(kind protocol.EventType, id, name string, input any) Event {
	return event(kind).With("tool_name", name).With("tool_input", input).text("tool_use_id", id)
}

// PermissionRequest: the person is about to be asked for a tool call. Allow answers for
// them, Block denies.
func PermissionRequest(id, name string, input any) Event {
	return toolEvent(protocol.PermissionRequest, id, name, input)
}

// Notification: the agent wants its person. Nothing comes of it.
func Notification(kind, message string) Event {
	return event(protocol.Notification).text("kind", kind).With("message", message)
}

// PreSubagent: a subagent is about to start. Do not start one that is blocked; give it
// AdditionalContext.
func PreSubagent(id, kind, task string) Event {
	return event(protocol.PreSubagent).text("agent_id", id).text("subagent_type", kind).text("task_description", task)
}

// PostSubagent: a subagent has ended. As for PreAgentTurnStop, it may have to go on.
func PostSubagent(id, kind, status string) Event {
	return event(protocol.PostSubagent).text("agent_id", id).text("subagent_type", kind).text("status", status)
}

// PreContextCompact: the conversation is about to be shortened. trigger is "manual" or
// "auto". Do not do it if that is blocked.
func PreContextCompact(trigger string) Event {
	return event(protocol.PreContextCompact).text("trigger", trigger)
}

// PostContextCompact: the conversation was shortened.
func PostContextCompact(trigger string) Event {
	return event(protocol.PostContextCompact).text("trigger", trigger)
}
