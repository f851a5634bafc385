package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A Tool is an operation, as a server and the command line offer it.
type Tool struct {
	Name        string // evolve_analyze
	Verb        string // analyze
	Description string
	Args        []Arg
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	Core        bool // of the small set
	Person      bool // not for an agent to do
}

// An Arg is an argument of a Tool.
type Arg struct {
	Name     string
	Type     string // string, number, integer, boolean, array, object
	Items    string // of an array: string, or "" for any
	Help     string
	Words    []string // what it may be, if that is a list
	Required bool
}

// Schema is the JSON Schema of a tool's arguments.
func (t Tool) Schema() map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, a := range t.Args {
		p := map[string]any{"type": a.Type, "description": a.Help}
		if a.Type == "array" && a.Items != "" {
			p["items"] = map[string]any{"type": a.Items}
		}
		if len(a.Words) > 0 {
			p["enum"] = a.Words
		}
		properties[a.Name] = p
		if a.Required {
			required = append(required, a.Name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// An operation is a tool, and what it does.
type operation struct {
	Tool
	call func(*Desk, context.Context, json.RawMessage) (any, error)
}

// op makes an operation of a function. Its arguments are the fields of T: the
// tag json names one, help describes it, words lists what it may be, and need
// says that it must be there.
func op[T any](t Tool, do func(*Desk, context.Context, T) (any, error)) operation {
	for f := range fieldsOf(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		a := Arg{Name: name, Help: f.Tag.Get("help"), Required: f.Tag.Get("need") != ""}
		if w := f.Tag.Get("words"); w != "" {
			a.Words = strings.Split(w, " ")
		}
		a.Type, a.Items = typeOf(f.Type)
		t.Args = append(t.Args, a)
	}
	return operation{t, func(d *Desk, ctx context.Context, raw json.RawMessage) (any, error) {
		var in T
		if err := read(raw, &in, t.Args); err != nil {
			return nil, err
		}
		return do(d, ctx, in)
	}}
}

func fieldsOf(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

func typeOf(t reflect.Type) (kind, items string) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[json.RawMessage]() {
		return "object", ""
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean", ""
	case reflect.Int:
		return "integer", ""
	case reflect.Float64:
		return "number", ""
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return "array", "string"
		}
		return "array", ""
	case reflect.Struct:
		return "object", ""
	}
	return "string", ""
}

// read takes arguments apart. What is unknown or missing is an error that says
// what would do.
func read(raw json.RawMessage, in any, args []Arg) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	var names map[string]json.RawMessage
	if err := json.Unmarshal(raw, &names); err != nil {
		return &Error{Code: "usage", Message: "the arguments are no JSON object"}
	}
	known := make([]string, len(args))
	for i, a := range args {
		known[i] = a.Name
		v, ok := names[a.Name]
		if a.Required && (!ok || string(v) == "null" || string(v) == `""` || string(v) == "[]") {
			return &Error{Code: "usage", Message: fmt.Sprintf("%s is missing: %s", a.Name, a.Help)}
		}
		if ok && len(a.Words) > 0 {
			var word string
			if json.Unmarshal(v, &word) != nil || word != "" && !slices.Contains(a.Words, word) {
				return &Error{Code: "usage", Message: fmt.Sprintf("%s is %s: want %s", a.Name, v, strings.Join(a.Words, ", "))}
			}
		}
		delete(names, a.Name)
	}
	for name := range names {
		return &Error{Code: "usage", Message: fmt.Sprintf("there is no argument %q: want %s", name, strings.Join(known, ", "))}
	}
	err := json.Unmarshal(raw, in)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return &Error{Code: "usage", Message: fmt.Sprintf("%s is a %s, want %s", wrong.Field, wrong.Value, wrong.Type)}
	}
	if err != nil {
		return &Error{Code: "usage", Message: err.Error()}
	}
	return nil
}

// An Error is why an operation was not done.
type Error struct {
	Code    string // usage, no_gene, quarantined, refused, similar, too_early, store
	Message string
	Hint    string // what would help, a command; "" if there is none
}

func (e *Error) Error() string { return e.Message }

// Tools are all operations, in the order of the help.
func Tools() []Tool {
	var out []Tool
	for _, o := range operations() {
		out = append(out, o.Tool)
	}
	return out
}

// Call does an operation: by its name, or by its verb.
func (d *Desk) Call(ctx context.Context, name string, args json.RawMessage) (any, error) {
	for _, o := range operations() {
		if o.Name == name || o.Verb == name {
			answer, err := o.call(d, ctx, args)
			return answer, d.told(err)
		}
	}
	return nil, &Error{Code: "usage", Message: fmt.Sprintf("there is no operation %q", name)}
}

// operations is the table.
func operations() []operation {
	return []operation{
		op(Tool{Name: "evolve_analyze", Verb: "analyze", Core: true, Description: "Which gene fits the signals of a problem: its steps, how sure that is, and what else there is."}, (*Desk).analyze),
		op(Tool{Name: "evolve_record", Verb: "record", Core: true, Description: "Record how it went after a gene was suggested. Say whether its steps were followed. A record of yours replaces what was concluded from the next command."}, (*Desk).record),
		op(Tool{Name: "evolve_create_gene", Verb: "create", Core: true, Description: "Keep a way to solve a problem for other projects: general steps, without paths, line numbers, names of this project or secrets."}, (*Desk).create),
		op(Tool{Name: "evolve_report", Verb: "report", Core: true, Description: "Report how a piece of work went as a whole: what was seen, and the outcome."}, (*Desk).report),
		op(Tool{Name: "evolve_list", Verb: "list", ReadOnly: true, Core: true, Description: "The genes there are, with how often each helped."}, (*Desk).list),
		op(Tool{Name: "evolve_show", Verb: "show", ReadOnly: true, Core: true, Description: "One gene in full, with what is known of it."}, (*Desk).show),
		op(Tool{Name: "evolve_browse", Verb: "browse", ReadOnly: true, Description: "Genes that were published or came with the program, the most proven first."}, (*Desk).browse),
		op(Tool{Name: "evolve_passive", Verb: "passive", ReadOnly: true, Description: "What has worked here: at most five genes with at least three outcomes."}, (*Desk).passive),
		op(Tool{Name: "evolve_strategies", Verb: "strategies", ReadOnly: true, Description: "At most three proven genes for signals, with their steps."}, (*Desk).strategies),
		op(Tool{Name: "evolve_import", Verb: "import", Description: "Take in genes of a file (they wait in quarantine until a person approves them), or fork a gene that is here."}, (*Desk).importGenes),
		op(Tool{Name: "evolve_approve", Verb: "approve", Person: true, Idempotent: true, Description: "Let genes out of quarantine, after reading them."}, (*Desk).approve),
		op(Tool{Name: "evolve_reject", Verb: "reject", Person: true, Destructive: true, Idempotent: true, Description: "Remove genes from quarantine; the same ones are not taken in again."}, (*Desk).reject),
		op(Tool{Name: "evolve_export", Verb: "export", ReadOnly: true, Description: "Genes as one document, which import reads."}, (*Desk).export),
		op(Tool{Name: "evolve_export_skill", Verb: "export-skill", ReadOnly: true, Description: "A gene with at least five successes as a SKILL.md."}, (*Desk).exportSkill),
		op(Tool{Name: "evolve_publish", Verb: "publish", Idempotent: true, Description: "Share a gene: on trial first (canary), or at once. It leaves this machine only if a server is set up."}, (*Desk).publish),
		op(Tool{Name: "evolve_distill", Verb: "distill", Description: "Make one gene of those that solved the same problem, once there are ten successes."}, (*Desk).distill),
		op(Tool{Name: "evolve_review", Verb: "review", ReadOnly: true, Core: true, Description: "What waits for a decision: suggestions without an outcome, genes in quarantine, genes that fail, problems ripe for distilling."}, (*Desk).review),
		op(Tool{Name: "evolve_stats", Verb: "stats", ReadOnly: true, Description: "Numbers: genes, outcomes, signals, suggestions, and whether problems come back less."}, (*Desk).stats),
		op(Tool{Name: "evolve_achievements", Verb: "achievements", ReadOnly: true, Description: "Milestones that were reached."}, (*Desk).achievements),
		op(Tool{Name: "evolve_delete", Verb: "delete", Destructive: true, Idempotent: true, Description: "Remove genes. Their outcomes are kept, and no pull brings them back."}, (*Desk).remove),
	}
}
