package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Event is one thing that happens in an agent. The constructors create events, and
// With adds other known members; spec/event.schema.json lists them all.
type Event struct {
	kind   protocol.EventType
	fields protocol.Object
	err    error // a value that cannot be encoded
}

// Type is the name of the event, such as "pre-tool-call".
func (e Event) Type() string { return string(e.kind) }

// With returns the event with one more member, encoded as JSON: "transcript_path",
// "model", "permission_mode", or one of your own, which hooks see too. It replaces a
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

// text adds a member unless it is empty.
func (e Event) text(name, value string) Event {
	if value == "" {
		return e
	}
	return e.With(name, value)
}

// PreSession: a session begins. source is "startup", "resume", "clear" or "compact".
// Add AdditionalContext to what the model reads, and Env to the environment of the
// commands that you run. If it is blocked, do not begin the session.
func PreSession(source string) Event { return event(protocol.PreSession).text("source", source) }

// PostSession: a session has ended. reason is "user_exit", "error" or another word.
func PostSession(reason string) Event {
	return event(protocol.PostSession).text("exit_reason", reason)
}

// PreAgentTurn: a user's prompt has arrived. If it is blocked, do not send it, and show
// the Reason to the user; otherwise add AdditionalContext to it. For a prompt that no
// user wrote add With("source", "notification").
func PreAgentTurn(prompt string) Event { return event(protocol.PreAgentTurn).With("prompt", prompt) }

// PostAgentTurn: the model has answered a prompt, and its tools have run.
func PostAgentTurn() Event { return event(protocol.PostAgentTurn) }

// PreAgentTurnStop: the agent is about to stop. If [Outcome.GoOn] returns a text, send
// that text to the model instead of stopping, and dispatch this event again later.
// final is the model's last message.
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

// PreToolCall: a tool is about to be called. If it is blocked, do not call it, and give
// the model the Reason; on Ask, ask the user. If there is a ModifiedInput, call the
// tool with that. Use the portable tool names for tools that have one
// (docs/matchers.md). id is the model's id of the call, input an object: a
// json.RawMessage, a map, a struct.
func PreToolCall(id, name string, input any) Event {
	return toolEvent(protocol.PreToolCall, id, name, input)
}

// PostToolCall: a tool call succeeded. The model reads ModifiedOutput in place of the
// result, if there is one, and after it AdditionalContext and the Reason of a block.
func PostToolCall(id, name string, input, response any) Event {
	return toolEvent(protocol.PostToolCall, id, name, input).With("tool_response", response)
}

// PostToolCallFailure: a tool call failed. The outcome is used as for PostToolCall.
func PostToolCallFailure(id, name string, input any, failure string) Event {
	return toolEvent(protocol.PostToolCallFailure, id, name, input).With("error", failure)
}

func toolEvent(kind protocol.EventType, id, name string, input any) Event {
	return event(kind).With("tool_name", name).With("tool_input", input).text("tool_use_id", id)
}

// PermissionRequest: the user is about to be asked about a tool call. Allow answers for
// the user, Block denies.
func PermissionRequest(id, name string, input any) Event {
	return toolEvent(protocol.PermissionRequest, id, name, input)
}

// Notification: the agent needs the user's attention. The outcome has no effect.
func Notification(kind, message string) Event {
	return event(protocol.Notification).text("kind", kind).With("message", message)
}

// PreSubagent: a subagent is about to start. If it is blocked, do not start it;
// otherwise give it AdditionalContext.
func PreSubagent(id, kind, task string) Event {
	return event(protocol.PreSubagent).text("agent_id", id).text("subagent_type", kind).text("task_description", task)
}

// PostSubagent: a subagent has ended. As with PreAgentTurnStop, it may have to go on.
func PostSubagent(id, kind, status string) Event {
	return event(protocol.PostSubagent).text("agent_id", id).text("subagent_type", kind).text("status", status)
}

// PreContextCompact: the conversation is about to be compacted. trigger is "manual" or
// "auto". If it is blocked, do not compact.
func PreContextCompact(trigger string) Event {
	return event(protocol.PreContextCompact).text("trigger", trigger)
}

// PostContextCompact: the conversation was compacted.
func PostContextCompact(trigger string) Event {
	return event(protocol.PostContextCompact).text("trigger", trigger)
}
