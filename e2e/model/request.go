package model

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Wire is a protocol between an agent and its model.
type Wire string

const (
	Anthropic Wire = "anthropic-messages"
	Responses Wire = "openai-responses"
	Chat      Wire = "openai-chat"
	Gemini    Wire = "gemini-generate-content"
	Augment   Wire = "augment-chat-stream"
)

// A Request is one request to the model.
type Request struct {
	Seq    int             `json:"seq"` // from 0
	Time   time.Time       `json:"time"`
	Wire   Wire            `json:"wire"`
	Path   string          `json:"path"`
	Model  string          `json:"model,omitempty"`
	Stream bool            `json:"stream"`
	Tools  []string        `json:"tools"` // names of the tools offered
	Body   json.RawMessage `json:"body"`

	texts []string
}

// Says reports whether text is in anything that the model reads: the system prompt, the
// messages, tool calls and tool results, but not the descriptions of tools. A text that
// spans two strings of the body is not found.
func (r *Request) Says(text string) bool {
	return slices.ContainsFunc(r.texts, func(s string) bool { return strings.Contains(s, text) })
}

// Texts are the strings that [Request.Says] searches, ending with the conversation in
// its order.
func (r *Request) Texts() []string { return r.texts }

func newRequest(wire Wire, path string, body []byte) (*Request, error) {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, err
	}
	r := &Request{Time: time.Now(), Wire: wire, Path: path, Body: body}
	_ = json.Unmarshal(doc["model"], &r.Model)
	_ = json.Unmarshal(doc["stream"], &r.Stream)
	r.Tools = append(toolNames(doc["tools"]), toolNames(doc["tool_definitions"])...)
	r.readInput(doc["input"])
	talk := []string{"messages", "input", "contents", "chat_history", "message", "nodes"}
	for name, value := range doc {
		if name != "tools" && name != "tool_definitions" && !slices.Contains(talk, name) {
			r.texts = append(r.texts, leaves(value)...)
		}
	}
	for _, name := range talk {
		r.texts = append(r.texts, leaves(doc[name])...)
	}
	return r, nil
}

// readInput finds tools that a Responses request offers in its input, as it does for
// some models.
func (r *Request) readInput(input json.RawMessage) {
	var items []struct {
		Type  string          `json:"type"`
		Tools json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(input, &items) != nil {
		return
	}
	for _, it := range items {
		if it.Type == "additional_tools" {
			r.Tools = append(r.Tools, toolNames(it.Tools)...)
		}
	}
}

// toolNames reads the names in the tool lists of all protocols: a name on the tool,
// under "function", in a list of "functionDeclarations", or, if a tool has none, its
// type.
func toolNames(raw json.RawMessage) []string {
	type named struct {
		Name string `json:"name"`
	}
	var tools []struct {
		Type         string          `json:"type"`
		Name         string          `json:"name"`
		Function     named           `json:"function"`
		Declarations []named         `json:"functionDeclarations"`
		Tools        json.RawMessage `json:"tools"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &tools) != nil {
		return nil
	}
	var names []string
	for _, t := range tools {
		switch {
		case t.Declarations != nil:
			for _, d := range t.Declarations {
				names = append(names, d.Name)
			}
		case len(t.Tools) > 0: // a namespace of tools
			for _, n := range toolNames(t.Tools) {
				names = append(names, t.Name+"."+n)
			}
		case t.Function.Name != "":
			names = append(names, t.Function.Name)
		case t.Name != "":
			names = append(names, t.Name)
		case t.Type != "":
			names = append(names, t.Type)
		}
	}
	return names
}

// leaves lists all strings in a JSON text that are values, not keys. Strings that are
// themselves JSON objects (the arguments of calls in OpenAI's protocols) are listed
// both whole and by their own leaves.
func leaves(raw []byte) []string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	var out []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
			if strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[") {
				out = append(out, leaves([]byte(v))...)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(v[k])
			}
		}
	}
	walk(v)
	return out
}
