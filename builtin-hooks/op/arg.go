package op

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

type (
	// Object is a JSON object, its members in order.
	Object = protocol.Object
	// Raw is a JSON value as it is written.
	Raw = protocol.Raw
)

// A Kind is what an argument may be.
type Kind uint8

const (
	String  Kind = iota
	Day          // a text that names a day, or a time of it
	Bool         // true or false
	Int          // a whole number
	Count        // a whole number from 0
	Number       // any number
	Texts        // a list of texts
	List         // a list of texts or of objects
	Objects      // a list of objects
	Docs         // a list of {path, description}
	Cases        // a list of {when, then}
	Confirm      // {token, userInput}
	Free         // an object; on a command line NAME=TEXT
	JSON         // an object; on a command line too
)

// An Arg is one argument of an Op.
type Arg struct {
	Name     string // workspaceId
	Kind     Kind
	Required bool
	Empty    bool     // an empty text or list will do for one that is required
	Words    []string // of a String that is one of these
	Known    []string // that it often is, and need not be
	From     string   // where a list of what it may be is found; see Op.Offer
	Default  string   // that the help tells of
	Model    Text     // what it is for
	People   Text     // the same on a command line, where other words are better
	Flags    []string // what it is called there, the first before all others; see [Arg.Names]
	Split    bool     // a list is parted at commas there
	NoFlag   bool     // it is no flag there: a word of the command, or for models only
	Plain    bool     // its name says what it is: a model is told no more
	NoTool   bool     // for people only: no model is told of it, or may say it
}

// Names are what an argument is called on the command line: workspaceId is
// --workspace-id, --workspace, and --workspaceId for whoever knows the tool.
func (a *Arg) Names() []string {
	if a.Flags != nil {
		return a.Flags
	}
	name := Kebab(a.Name)
	names := []string{name}
	if short := strings.TrimSuffix(name, "-id"); short != name {
		names = append(names, short)
	}
	if name != a.Name {
		names = append(names, a.Name)
	}
	return names
}

// Flag is the first of its names on the command line.
func (a *Arg) Flag() string { return a.Names()[0] }

// Schema is the JSON Schema of an operation's arguments.
func (o *Op) Schema(chinese bool) Object {
	var properties, schema Object
	required := []string{}
	for i := range o.Args {
		a := &o.Args[i]
		properties.Set(a.Name, a.schema(chinese).Raw())
		if a.Required {
			required = append(required, a.Name)
		}
	}
	schema.SetText("type", "object")
	schema.Set("properties", properties.Raw())
	if len(required) > 0 || o.ListsRequired {
		schema.Set("required", protocol.TextList(required))
	}
	schema.Set("additionalProperties", Raw("false"))
	return schema
}

func (a *Arg) schema(chinese bool) Object {
	var o Object
	switch a.Kind {
	case Confirm:
		o = pair("token", "userInput")
	case Docs:
		o = array(pair("path", "description").Raw())
	case Cases:
		o = array(pair("when", "then").Raw())
	case Texts, List: // some models' services refuse an array that does not say of what
		o = array(Raw(`{"type": "string"}`))
	case Objects:
		o = array(Raw(`{"type": "object"}`))
	default:
		o.SetText("type", a.Kind.jsonType())
	}
	if a.Kind == Count {
		o.Set("minimum", Raw("0"))
	}
	if a.Words != nil {
		o.Set("enum", protocol.TextList(a.Words))
	}
	if text := a.Model.In(chinese); text != "" && !a.Plain {
		o.SetText("description", text)
	}
	return o
}

func (k Kind) jsonType() string {
	switch k {
	case String, Day:
		return "string"
	case Bool:
		return "boolean"
	case Int, Count:
		return "integer"
	case Number:
		return "number"
	case Confirm, Free, JSON:
		return "object"
	}
	return "array"
}

func array(items Raw) (o Object) {
	o.SetText("type", "array")
	o.Set("items", items)
	return o
}

func pair(a, b string) (o Object) {
	var of Object
	of.Set(a, Raw(`{"type": "string"}`))
	of.Set(b, Raw(`{"type": "string"}`))
	o.SetText("type", "object")
	o.Set("properties", of.Raw())
	o.Set("required", protocol.TextList([]string{a, b}))
	return o
}

// Take reads the arguments of a call: none that the operation does not know, all
// that it needs, each of its kind. What is wrong is a *Fault.
func (o *Op) Take(given Object) (Object, error) {
	out := Object{}
	for _, m := range given {
		a, ok := o.Arg(m.Name)
		if !ok {
			return nil, &Fault{Op: o, Name: m.Name}
		}
		if string(m.Value) == "null" {
			continue
		}
		v, ok := a.take(m.Value)
		if !ok {
			return nil, &Fault{Op: o, Name: m.Name, Arg: &a, Value: m.Value}
		}
		out.Set(m.Name, v)
	}
	var missing []string
	for i := range o.Args {
		if a := &o.Args[i]; a.Required && (!out.Has(a.Name) || !a.Empty && isEmpty(out.Get(a.Name))) {
			missing = append(missing, a.Name)
		}
	}
	if missing != nil {
		a, _ := o.Arg(missing[0])
		return nil, &Fault{Op: o, Name: a.Name, Arg: &a, Missing: missing}
	}
	return out, nil
}

func isEmpty(v Raw) bool {
	return v[0] == '"' && strings.TrimSpace(protocol.TextOf(v)) == "" || v[0] == '[' && len(protocol.ElementsOf(v)) == 0
}

// take is a value as its kind wants it.
func (a *Arg) take(raw Raw) (Raw, bool) {
	text := raw[0] == '"'
	if text && a.Kind != String && a.Kind != Day {
		if raw, text = a.unquoted(raw); text {
			return raw, true
		}
	}
	switch a.Kind {
	case String, Day:
		return raw, text && (a.Words == nil || slices.Contains(a.Words, protocol.TextOf(raw)))
	case Bool:
		return raw, string(raw) == "true" || string(raw) == "false"
	case Int, Count:
		n, err := strconv.ParseFloat(string(raw), 64)
		whole := err == nil && n == math.Trunc(n) && math.Abs(n) <= 1<<53
		return strconv.AppendInt(nil, int64(n), 10), whole && (a.Kind == Int || n >= 0 && n < 1e9)
	case Number:
		_, err := strconv.ParseFloat(string(raw), 64)
		return raw, err == nil && raw[0] != 'N' && raw[0] != 'I'
	case Texts:
		return raw, list(raw, func(e Raw) bool { return e[0] == '"' })
	case List, Objects:
		return raw, list(raw, func(Raw) bool { return true })
	case Docs:
		return raw, list(raw, hasTexts("path"))
	case Cases:
		return raw, list(raw, hasTexts("when", "then"))
	case Confirm:
		return raw, hasTexts("token", "userInput")(raw)
	}
	return raw, raw[0] == '{'
}

// unquoted is what a model has put into quotes; done says that it is the value
// already: one text for a list of them.
func (a *Arg) unquoted(raw Raw) (v Raw, done bool) {
	text := strings.TrimSpace(protocol.TextOf(raw))
	if v := Raw(text); text != "" && protocol.ValidValue(v) == nil && (a.Kind != Texts && a.Kind != List || text[0] == '[') {
		return v, false
	}
	if a.Kind == Texts || a.Kind == List || a.Kind == Objects {
		return protocol.TextList([]string{protocol.TextOf(raw)}), true
	}
	return raw, false
}

func list(raw Raw, ok func(Raw) bool) bool {
	if raw[0] != '[' {
		return false
	}
	for _, e := range protocol.ElementsOf(raw) {
		if !ok(e) {
			return false
		}
	}
	return true
}

func hasTexts(names ...string) func(Raw) bool {
	return func(raw Raw) bool {
		o := protocol.ObjectOf(raw)
		for _, n := range names {
			if strings.TrimSpace(o.Text(n)) == "" {
				return false
			}
		}
		return true
	}
}

// Texts is an argument that is a list of texts.
func (c Call) Texts(name string) []string { return protocol.TextsOf(c.Args.Get(name)) }

// Number is an argument that is a number.
func (c Call) Number(name string, otherwise float64) float64 {
	if n, err := strconv.ParseFloat(string(c.Args.Get(name)), 64); err == nil {
		return n
	}
	return otherwise
}

// Int is an argument that is a whole number.
func (c Call) Int(name string, otherwise int) int { return int(c.Number(name, float64(otherwise))) }
