package model

import (
	"fmt"
	"net/http"
)

// answerChat writes a turn in OpenAI's Chat Completions protocol.
func answerChat(w http.ResponseWriter, r *Request, t Turn) {
	usage := object{"prompt_tokens": t.inputTokens(), "completion_tokens": 5, "total_tokens": t.inputTokens() + 5}
	finish := "stop"
	calls := []object{}
	for i, c := range t.Calls {
		finish = "tool_calls"
		calls = append(calls, object{"index": i, "id": r.id("call", i), "type": "function", "function": object{"name": c.Name, "arguments": c.arguments()}})
	}
	if !r.Stream {
		message := object{"role": "assistant", "content": t.Text}
		if len(calls) > 0 {
			message["tool_calls"] = calls
		}
		reply(w, object{
			"id": r.id("chatcmpl", 0), "object": "chat.completion", "created": r.Time.Unix(), "model": r.Model,
			"choices": []object{{"index": 0, "message": message, "finish_reason": finish}}, "usage": usage,
		})
		return
	}
	s := startStream(w)
	chunk := func(delta object, finish any, usage any) {
		choices := []object{}
		if delta != nil {
			choices = append(choices, object{"index": 0, "delta": delta, "finish_reason": finish})
		}
		c := object{"id": r.id("chatcmpl", 0), "object": "chat.completion.chunk", "created": r.Time.Unix(), "model": r.Model, "choices": choices}
		if usage != nil {
			c["usage"] = usage
		}
		s.send("", c)
	}
	chunk(object{"role": "assistant", "content": ""}, nil, nil)
	if t.Text != "" {
		chunk(object{"content": t.Text}, nil, nil)
	}
	for _, c := range calls {
		chunk(object{"tool_calls": []object{c}}, nil, nil)
	}
	chunk(object{}, finish, nil)
	chunk(nil, nil, usage)
	fmt.Fprint(w, "data: [DONE]\n\n")
}
