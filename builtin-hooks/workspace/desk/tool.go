package desk

import (
	"context"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Tool is one operation.
type Tool struct {
	Name    string // of the tool: node_create
	Command string // of the command line, below "workspace": "node create"
	// What it does, for whoever chooses among tools.
	English, Chinese string
	Args             []Arg
	// Words are the arguments that the command line takes without a flag, in this
	// order.
	Words       []string
	ReadOnly    bool // changes no workspace
	Destructive bool // takes something away for good
	Idempotent  bool // a second call with the same arguments changes nothing more
	Core        bool // one of the small set (WS-24)

	run func(*call) (protocol.Object, error)
}

// Kinds of an argument.
type Kind uint8

const (
	Text Kind = iota
	Bool
	Int
	Texts   // a list of texts
	Docs    // a list of {path, description}
	Cases   // a list of {when, then}
	Confirm // {token, userInput}
	Free    // an object of anything
)

// An Arg is an argument of a Tool.
type Arg struct {
	Name             string // workspaceId
	Kind             Kind
	Required         bool
	Words            []string // of a Text that is one of these
	English, Chinese string
}

// Flag is the name of an argument on the command line, without dashes:
// workspaceId is workspace-id.
func (a Arg) Flag() string {
	var b strings.Builder
	for _, r := range a.Name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Text is what the tool does.
func (t Tool) Text(chinese bool) string { return pick(chinese, t.English, t.Chinese) }

// Text is what the argument is for.
func (a Arg) Text(chinese bool) string { return pick(chinese, a.English, a.Chinese) }

func pick(chinese bool, en, zh string) string {
	if chinese && zh != "" {
		return zh
	}
	return en
}

// Arg is the argument of a name; ok is false if there is none.
func (t Tool) Arg(name string) (Arg, bool) {
	for _, a := range t.Args {
		if a.Name == name {
			return a, true
		}
	}
	return Arg{}, false
}

// Schema is the JSON Schema of a tool's arguments.
func (t Tool) Schema(chinese bool) protocol.Object {
	var props protocol.Object
	required := []string{}
	for _, a := range t.Args {
		props.Set(a.Name, a.schema(chinese).Raw())
		if a.Required {
			required = append(required, a.Name)
		}
	}
	return object("type", "object", "properties", props, "required", required, "additionalProperties", false)
}

func (a Arg) schema(chinese bool) protocol.Object {
	o := object()
	switch a.Kind {
	case Text:
		o = object("type", "string")
		if a.Words != nil {
			o.Set("enum", protocol.TextList(a.Words))
		}
	case Bool:
		o = object("type", "boolean")
	case Int:
		o = object("type", "integer", "minimum", 0)
	case Texts:
		o = object("type", "array", "items", object("type", "string"))
	case Docs:
		o = object("type", "array", "items", pair("path", "description"))
	case Cases:
		o = object("type", "array", "items", pair("when", "then"))
	case Confirm:
		o = pair("token", "userInput")
	case Free:
		o = object("type", "object")
	}
	o.SetText("description", a.Text(chinese))
	return o
}

func pair(a, b string) protocol.Object {
	text := object("type", "string")
	return object("type", "object", "properties", object(a, text, b, text), "required", []string{a, b})
}

// Tools are all operations, in the order of their names' groups.
func Tools() []Tool {
	var all []Tool
	for _, group := range [][]Tool{
		spaceTools(), nodeTools(), transitionTools(), recordTools(), contextTools(), memoTools(),
		sessionTools(), dispatchTools(), configTools(), helpTools(), importTools(), capabilityTools(),
	} {
		all = append(all, group...)
	}
	return all
}

// Find is the tool of a name.
func Find(name string) (Tool, bool) {
	for _, t := range Tools() {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// An Error is an operation that was refused. Code is one that agents know.
type Error struct {
	Code    string
	Message string
	Fix     string // what to do, "" if nothing can be said
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Call does what a tool does. An *Error says what was wrong with the call; any
// other error is one of the machine.
func (d *Desk) Call(ctx context.Context, name string, args protocol.Object) (protocol.Object, error) {
	t, ok := Find(name)
	if !ok {
		return nil, &Error{Code: "INVALID_PARAMS", Message: "there is no tool " + strconv.Quote(name)}
	}
	c := &call{Context: ctx, Desk: d, tool: t, now: d.Now()}
	if err := c.take(args); err != nil {
		return nil, err
	}
	answer, err := t.run(c)
	if err != nil {
		return nil, c.explain(err)
	}
	return answer, nil
}

// object makes an object of names and values: texts, numbers, booleans, lists,
// objects, and nil for null.
func object(kv ...any) protocol.Object {
	o := make(protocol.Object, 0, len(kv)/2)
	for i := 0; i < len(kv); i += 2 {
		o = append(o, protocol.Member{Name: kv[i].(string), Value: value(kv[i+1])})
	}
	return o
}

func value(v any) protocol.Raw {
	switch v := v.(type) {
	case nil:
		return protocol.Raw("null")
	case string:
		return protocol.Quote(v)
	case bool:
		return strconv.AppendBool(nil, v)
	case int:
		return strconv.AppendInt(nil, int64(v), 10)
	case []string:
		return protocol.TextList(v)
	case protocol.Raw:
		if v == nil {
			return protocol.Raw("null")
		}
		return v
	case protocol.Object:
		return v.Raw()
	case []protocol.Object:
		raw := protocol.Raw{'['}
		for i, o := range v {
			if i > 0 {
				raw = append(raw, ", "...)
			}
			raw = o.Append(raw)
		}
		return append(raw, ']')
	}
	panic("desk: a value that is no JSON")
}
