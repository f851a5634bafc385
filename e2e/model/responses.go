package model

import (
	"maps"
	"net/http"
)

// answerResponses writes a turn in OpenAI's Responses protocol.
func answerResponses(w http.ResponseWriter, r *Request, t Turn) {
	items := responseItems(r, t)
	response := object{
		"id": r.id("resp", 0), "object": "response", "created_at": r.Time.Unix(), "status": "completed", "model": r.Model,
		"output": items, "error": nil, "incomplete_details": nil, "parallel_tool_calls": true, "tools": []any{},
		"usage": object{
			"input_tokens": t.inputTokens(), "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": 5, "output_tokens_details": object{"reasoning_tokens": 0},
			"total_tokens": t.inputTokens() + 5,
		},
	}
	if !r.Stream {
		reply(w, response)
		return
	}
	s := &numbered{stream: startStream(w)}
	begun := maps.Clone(response)
	begun["status"], begun["output"], begun["usage"] = "in_progress", []any{}, nil
	s.send("response.created", object{"response": begun})
	s.send("response.in_progress", object{"response": begun})
	for i, item := range items {
		sendItem(s, i, item)
	}
	s.send("response.completed", object{"response": response})
}

// numbered numbers the events of a stream, as this protocol requires.
type numbered struct {
	stream
	n int
}

func (s *numbered) send(kind string, v object) {
	v["type"], v["sequence_number"] = kind, s.n
	s.n++
	s.stream.send(kind, v)
}

func responseItems(r *Request, t Turn) []object {
	items := []object{}
	if t.Text != "" || len(t.Calls) == 0 {
		items = append(items, object{
			"type": "message", "id": r.id("msg", 0), "status": "completed", "role": "assistant",
			"content": []object{{"type": "output_text", "text": t.Text, "annotations": []any{}}},
		})
	}
	for i, c := range t.Calls {
		if c.Input != "" {
			items = append(items, object{"type": "custom_tool_call", "id": r.id("ctc", i), "status": "completed", "call_id": r.id("call", i), "name": c.Name, "input": c.Input})
			continue
		}
		call := object{"type": "function_call", "id": r.id("fc", i), "status": "completed", "call_id": r.id("call", i), "name": c.Name, "arguments": c.arguments()}
		if c.Namespace != "" {
			call["namespace"] = c.Namespace
		}
		items = append(items, call)
	}
	return items
}

func sendItem(s *numbered, i int, item object) {
	id := item["id"]
	begun := maps.Clone(item)
	begun["status"] = "in_progress"
	place := func(more object) object {
		more["item_id"], more["output_index"] = id, i
		return more
	}
	switch item["type"] {
	case "message":
		part := item["content"].([]object)[0]
		begun["content"] = []any{}
		s.send("response.output_item.added", object{"output_index": i, "item": begun})
		s.send("response.content_part.added", place(object{"content_index": 0, "part": object{"type": "output_text", "text": "", "annotations": []any{}}}))
		s.send("response.output_text.delta", place(object{"content_index": 0, "delta": part["text"]}))
		s.send("response.output_text.done", place(object{"content_index": 0, "text": part["text"]}))
		s.send("response.content_part.done", place(object{"content_index": 0, "part": part}))
	case "function_call":
		begun["arguments"] = ""
		s.send("response.output_item.added", object{"output_index": i, "item": begun})
		s.send("response.function_call_arguments.delta", place(object{"delta": item["arguments"]}))
		s.send("response.function_call_arguments.done", place(object{"arguments": item["arguments"]}))
	case "custom_tool_call":
		begun["input"] = ""
		s.send("response.output_item.added", object{"output_index": i, "item": begun})
		s.send("response.custom_tool_call_input.delta", place(object{"delta": item["input"]}))
		s.send("response.custom_tool_call_input.done", place(object{"input": item["input"]}))
	}
	s.send("response.output_item.done", object{"output_index": i, "item": item})
}
