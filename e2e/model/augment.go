package model

import (
	"encoding/json"
	"net/http"
	"strings"
)

// The kinds of nodes in an answer of Augment's backend.
const (
	augmentText    = 0
	augmentToolUse = 5
)

// answerAugment writes a turn like Augment's own backend: lines of JSON, whose nodes
// are text and tool calls.
func answerAugment(w http.ResponseWriter, r *Request, t Turn) {
	w.Header().Set("Content-Type", "application/json")
	lines := json.NewEncoder(w)
	reason := 1 // the end of the turn
	if t.Text != "" {
		_ = lines.Encode(object{"text": t.Text, "nodes": []object{{"id": 1, "type": augmentText, "content": t.Text}}})
	}
	for i, c := range t.Calls {
		reason = 3 // tools are called
		_ = lines.Encode(object{"text": "", "nodes": []object{{"id": 2 + i, "type": augmentToolUse, "content": "", "tool_use": object{
			"tool_use_id": r.id("call", i), "tool_name": c.Name, "input_json": c.arguments(),
		}}}})
	}
	_ = lines.Encode(object{"text": "", "nodes": []object{}, "stop_reason": reason})
}

// otherAugment answers what Augment's programs ask their backend besides the model.
// Hooks run only if the backend allows it.
func otherAugment(w http.ResponseWriter, path string) bool {
	switch {
	case strings.HasSuffix(path, "/get-models"):
		reply(w, object{
			"default_model": "fake-model", "user_tier": "professional_tier",
			"models":        []object{{"name": "fake-model", "suggested_prefix_char_count": 1000, "suggested_suffix_char_count": 1000}},
			"languages":     []object{},
			"feature_flags": object{"enable_hooks": true},
		})
	case strings.HasSuffix(path, "/find-missing"):
		reply(w, object{"unknown_memory_names": []string{}, "nonindexed_blob_names": []string{}})
	case strings.HasSuffix(path, "/agents/list-remote-tools"):
		reply(w, object{"tools": []object{}})
	default:
		return false
	}
	return true
}
