package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Set is the tools of one behaviour.
type Set struct {
	Name  string
	About string // one line
	// Off says why the tools are not offered in a folder, "" if they are; nil for
	// always.
	Off   func(dir string) string
	Tools []Tool
}

// A Tool is one thing that a model can call.
type Tool struct {
	Name        string
	Description string
	Args        []Arg
	// Input is the schema of the arguments of a tool that checks them itself; nil
	// for one that leaves it to Args.
	Input json.RawMessage
	Core  bool // offered without being asked for

	ReadOnly    bool
	Destructive bool // takes something away
	Idempotent  bool // doing it twice is doing it once
	OpenWorld   bool // reaches beyond this machine

	// Command does the same in a shell: "memory save".
	Command string

	// Call does it. The result is what encoding/json makes an object of; an
	// [Error] says what is wrong, any other error is a failure of ours.
	Call func(ctx context.Context, c Call) (any, error)
}

// A Call is one call of a tool.
type Call struct {
	Dir     string // where the project is looked for
	Session string // the agent's session, "" if nobody said
	Args    protocol.Object
}

// The types of arguments, as JSON Schema calls them; Strings is an array of
// strings, which one string may stand for.
const (
	String  = "string"
	Integer = "integer"
	Number  = "number"
	Boolean = "boolean"
	Object  = "object"
	Array   = "array" // of anything
	Strings = "strings"
)

// An Arg is one argument of a tool.
type Arg struct {
	Name        string
	Type        string
	Required    bool
	Enum        []string // of a String
	Items       string   // JSON Schema of the elements of an Array; "" says strings
	Description string
}

// Schema is the JSON Schema of a tool's arguments.
func (t *Tool) Schema() json.RawMessage {
	if t.Input != nil {
		return t.Input
	}
	var properties, schema protocol.Object
	var required []string
	for _, a := range t.Args {
		properties.Set(a.Name, a.schema())
		if a.Required {
			required = append(required, a.Name)
		}
	}
	schema.SetText("type", "object")
	schema.Set("properties", properties.Raw())
	if required != nil {
		schema.Set("required", protocol.TextList(required))
	}
	schema.Set("additionalProperties", protocol.Raw("false"))
	return json.RawMessage(schema.Raw())
}

func (a *Arg) schema() protocol.Raw {
	var o protocol.Object
	switch a.Type {
	case Strings:
		o.SetText("type", "array")
		o.Set("items", protocol.Raw(`{"type": "string"}`))
	case Array:
		// Some models' services refuse an array that does not say of what.
		items := a.Items
		if items == "" {
			items = `{"type": "string"}`
		}
		o.SetText("type", "array")
		o.Set("items", protocol.Raw(items))
	default:
		o.SetText("type", a.Type)
	}
	if a.Enum != nil {
		o.Set("enum", protocol.TextList(a.Enum))
	}
	if a.Description != "" {
		o.SetText("description", a.Description)
	}
	return o.Raw()
}

// An Error is what a model can do something about.
type Error struct {
	Code    string // BAD_ARGUMENT, NOT_FOUND, or the behaviour's own
	Message string
	Fix     string
}

func (e *Error) Error() string { return e.Message }

// Fail makes an Error.
func Fail(code, fix, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Fix: fix}
}

// check reads the arguments of a call: none that the tool does not know, all
// that it needs, each of its type. What models often get wrong and cannot be
// misunderstood is put right: a number or a truth in quotes, one string for a
// list, null for nothing.
func (t *Tool) check(raw json.RawMessage) (protocol.Object, error) {
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	given, err := protocol.ParseObject(raw)
	if err != nil {
		return nil, t.bad("the arguments are no JSON object: %v", err)
	}
	if t.Input != nil {
		return given, nil
	}
	var out protocol.Object
	for _, m := range given {
		i := slices.IndexFunc(t.Args, func(a Arg) bool { return a.Name == m.Name })
		if i < 0 {
			return nil, t.bad("%s has no argument %q", t.Name, m.Name)
		}
		if string(m.Value) == "null" {
			continue
		}
		value, ok := t.Args[i].take(m.Value)
		if !ok {
			return nil, t.bad("%s: %s is %.60s; want %s", t.Name, m.Name, m.Value, t.Args[i].want())
		}
		out.Set(m.Name, value)
	}
	for _, a := range t.Args {
		if a.Required && !out.Has(a.Name) {
			return nil, t.bad("%s: %s is missing: %s", t.Name, a.Name, a.want())
		}
	}
	return out, nil
}

// bad is an error about arguments, which tells what they have to be.
func (t *Tool) bad(format string, args ...any) error {
	var list []string
	for _, a := range t.Args {
		word := a.Name
		if !a.Required {
			word += "?"
		}
		list = append(list, word)
	}
	fix := t.Name + " takes no arguments"
	if list != nil {
		fix = "arguments of " + t.Name + ": " + strings.Join(list, ", ")
	}
	return Fail("BAD_ARGUMENT", fix, format, args...)
}

func (a *Arg) want() string {
	switch {
	case a.Enum != nil:
		return "one of " + strings.Join(a.Enum, ", ")
	case a.Type == Strings:
		return "an array of strings"
	case a.Type == Integer:
		return "a whole number"
	case a.Type == Boolean:
		return "true or false"
	case a.Type == Object, a.Type == Array:
		return "an " + a.Type
	}
	return "a " + a.Type
}

// take is a value as its type wants it.
func (a *Arg) take(raw protocol.Raw) (protocol.Raw, bool) {
	text, isText := unquote(raw)
	switch a.Type {
	case String:
		return raw, isText && (a.Enum == nil || slices.Contains(a.Enum, text))
	case Integer, Number, Boolean:
		if isText {
			raw = protocol.Raw(strings.TrimSpace(text))
		}
		var v any
		if json.Unmarshal(raw, &v) != nil {
			return nil, false
		}
		switch n := v.(type) {
		case bool:
			return raw, a.Type == Boolean
		case float64:
			return raw, a.Type == Number || a.Type == Integer && n == float64(int64(n))
		}
		return nil, false
	case Strings:
		if isText {
			return protocol.TextList([]string{text}), true
		}
		for _, e := range protocol.ElementsOf(raw) {
			if _, ok := unquote(e); !ok {
				return nil, false
			}
		}
		return raw, raw[0] == '['
	case Object:
		return raw, raw[0] == '{'
	case Array:
		if isText {
			return protocol.TextList([]string{text}), true
		}
		return raw, raw[0] == '['
	}
	return raw, true
}

func unquote(raw protocol.Raw) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	return protocol.TextOf(raw), true
}
