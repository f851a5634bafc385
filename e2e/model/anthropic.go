package model

import (
	"encoding/json"
	"maps"
	"net/http"
)

// answerAnthropic writes a turn in the Messages protocol.
func answerAnthropic(w http.ResponseWriter, r *Request, t Turn) {
	blocks, stop := anthropicBlocks(r, t)
	message := object{
		"id": r.id("msg", 0), "type": "message", "role": "assistant", "model": r.Model,
		"content": blocks, "stop_reason": stop, "stop_sequence": nil,
		"usage": object{"input_tokens": t.inputTokens(), "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
	}
	if !r.Stream {
		reply(w, message)
		return
	}
	s := startStream(w)
	start := maps.Clone(message)
	start["content"], start["stop_reason"] = []any{}, nil
	s.send("message_start", object{"type": "message_start", "message": start})
	for i, b := range blocks {
		sendBlock(s, i, b)
	}
	s.send("message_delta", object{
		"type":  "message_delta",
		"delta": object{"stop_reason": stop, "stop_sequence": nil},
		"usage": object{"output_tokens": 5},
	})
	s.send("message_stop", object{"type": "message_stop"})
}

func anthropicBlocks(r *Request, t Turn) (blocks []object, stop string) {
	stop = "end_turn"
	if t.Text != "" || len(t.Calls) == 0 {
		blocks = append(blocks, object{"type": "text", "text": t.Text})
	}
	for i, c := range t.Calls {
		stop = "tool_use"
		blocks = append(blocks, object{"type": "tool_use", "id": r.id("toolu", i), "name": c.Name, "input": json.RawMessage(c.arguments())})
	}
	return blocks, stop
}

func sendBlock(s stream, i int, b object) {
	empty, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": b["text"]}
	if b["type"] == "tool_use" {
		empty = object{"type": "tool_use", "id": b["id"], "name": b["name"], "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": string(b["input"].(json.RawMessage))}
	}
	s.send("content_block_start", object{"type": "content_block_start", "index": i, "content_block": empty})
	s.send("content_block_delta", object{"type": "content_block_delta", "index": i, "delta": delta})
	s.send("content_block_stop", object{"type": "content_block_stop", "index": i})
}
