package desk

import (
	"context"
	"strconv"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An operation is one row of the table, and what it does.
type operation struct {
	op.Op
	run func(*call) (protocol.Object, error)
}

// operations is the table, in the order of its groups.
func operations() []operation {
	var all []operation
	for _, group := range [][]operation{
		spaceTools(), nodeTools(), transitionTools(), recordTools(), contextTools(), memoTools(),
		sessionTools(), dispatchTools(), configTools(), helpTools(), importTools(), capabilityTools(),
	} {
		all = append(all, group...)
	}
	return all
}

// Ops are all operations.
func Ops(w *behaviour.World) []op.Op {
	var list []op.Op
	for _, o := range operations() {
		o.Needs, o.ListsRequired, o.OwnArgs = op.Project|op.Store, true, true
		if a, ok := o.Arg("sessionId"); ok && a.Required {
			o.Needs |= op.Session
		}
		o.Do = func(ctx context.Context, c op.Call) (any, error) { return At(w, c).Call(ctx, o.Name, c.Args) }
		o.Offer = func(from string, c op.Call) []op.Word { return At(w, c).offer(from, c.Args) }
		list = append(list, o.Op)
	}
	return list
}

// refusal is an operation that is refused, with what to do about it.
func refusal(code, message, fix string) *op.Error {
	return &op.Error{Code: code, Message: message, Fix: fix}
}

// Call does an operation by its name. An *op.Error says what was wrong with the
// call; any other error is one of the machine.
func (d *Desk) Call(ctx context.Context, name string, args protocol.Object) (protocol.Object, error) {
	for _, o := range operations() {
		if o.Name != name {
			continue
		}
		c := &call{Context: ctx, Desk: d, tool: &o.Op, now: d.Now()}
		if err := c.take(args); err != nil {
			return nil, err
		}
		answer, err := o.run(c)
		if err != nil {
			return nil, c.explain(err)
		}
		return answer, nil
	}
	return nil, refusal(op.InvalidParams, "there is no tool "+strconv.Quote(name), "")
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
