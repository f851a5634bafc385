package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
)

// An operation is one row of the table, with its function.
type operation struct {
	op.Op
	call func(*Operator, context.Context, op.Object) (any, error)
}

// of makes an operation from a function. Its arguments are the fields of T: the tag
// json names one, help and zh describe it, words lists its possible values, and need
// makes it required.
func of[T any](o op.Op, do func(*Operator, context.Context, T) (any, error)) operation {
	t := reflect.TypeFor[T]()
	for i := range t.NumField() {
		o.Args = append(o.Args, argOf(t.Field(i)))
	}
	return operation{o, func(d *Operator, ctx context.Context, given op.Object) (any, error) {
		args, err := o.Take(given)
		if err != nil {
			return nil, err
		}
		var in T
		var wrong *json.UnmarshalTypeError
		switch err := json.Unmarshal(args.Raw(), &in); {
		case errors.As(err, &wrong):
			return nil, op.Fail(op.BadArgument, "", "%s is a %s, want %s", wrong.Field, wrong.Value, wrong.Type)
		case err != nil:
			return nil, op.Fail(op.BadArgument, "", "%v", err)
		}
		return do(d, ctx, in)
	}}
}

// genes as the source of an argument means the list of genes; see [Operator.offer].
const genes = "genes"

func argOf(f reflect.StructField) op.Arg {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	a := op.Arg{
		Name: name, Kind: kindOf(f.Type), Required: f.Tag.Get("need") != "",
		Model: op.Text{English: f.Tag.Get("help"), Chinese: f.Tag.Get("zh")},
		Flags: []string{op.Kebab(name)}, NoFlag: name == "genes", // a file, on the command line
		Split: name != "strategy" && name != "preconditions", // which are sentences
	}
	if w := f.Tag.Get("words"); w != "" {
		a.Words = strings.Split(w, " ")
	}
	if a.Flags[0] != name {
		a.Flags = append(a.Flags, name)
	}
	a.People = a.Model
	if a.Kind == op.Texts || a.Kind == op.List {
		a.People.English, a.People.Chinese = a.People.English+"; repeats", a.People.Chinese+"；可重复"
		if a.Split {
			a.People.English, a.People.Chinese = a.People.English+", splits at commas", a.People.Chinese+"，逗号分隔"
		}
	}
	switch name {
	case "gene_id", "gene_ids":
		a.From, a.Flags = genes, append(a.Flags, "gene")
	case "merge_into", "distilled_from", "offered":
		a.From = genes
	case "signals", "signals_match", "signal", "tags":
		for _, k := range signal.Keys() {
			a.Known = append(a.Known, string(k))
		}
	}
	return a
}

func kindOf(t reflect.Type) op.Kind {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return op.JSON
	case t == reflect.TypeFor[[]json.RawMessage]():
		return op.Objects
	case t == reflect.TypeFor[[]gene.Signal]():
		return op.List
	case t == reflect.TypeFor[[]string]():
		return op.Texts
	}
	switch t.Kind() {
	case reflect.Bool:
		return op.Bool
	case reflect.Int:
		return op.Int
	case reflect.Float64:
		return op.Number
	case reflect.String:
		return op.String
	}
	panic(fmt.Sprintf("ops: an argument of type %v", t))
}

// Ops are all operations, each carried out by the operator that at finds for a call.
func Ops(at func(context.Context, op.Call) *Operator) []op.Op {
	var list []op.Op
	for _, o := range operations() {
		o.Needs, o.OwnArgs = o.Needs|op.Store, true
		o.Do = func(ctx context.Context, c op.Call) (any, error) { return at(ctx, c).Call(ctx, o.Name, c.Args) }
		o.Offer = func(from string, c op.Call) []op.Word { return at(context.Background(), c).offer(from) }
		list = append(list, o.Op)
	}
	return list
}

// Call carries out an operation by name. An *op.Fault or an *op.Error says what was
// wrong with the call.
func (d *Operator) Call(ctx context.Context, name string, args op.Object) (any, error) {
	list := operations()
	i := slices.IndexFunc(list, func(o operation) bool { return o.Name == name })
	if i < 0 {
		return nil, op.Fail(op.BadArgument, "", "there is no operation %q", name)
	}
	answer, err := list[i].call(d, ctx, args)
	return answer, d.told(err)
}
