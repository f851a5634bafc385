package mcp

import (
	"context"
	"encoding/json"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Set is the operations of one behaviour, and when they are offered.
type Set struct {
	op.Set
	// Off says why they are not offered in a folder, "" if they are; nil: always
	// offered.
	Off func(dir string) string
}

// Offers are the operations of a set that a model may get: all that are not for
// people only, without what only people may set.
func Offers(s op.Set, off func(dir string) string) Set {
	var list []op.Op
	for _, o := range s.Ops {
		if !o.Person {
			list = append(list, o.ForModels())
		}
	}
	s.Ops = list
	return Set{s, off}
}

// Command is the command that does what a tool does, or nearly so: "memory save"; ""
// if there is none.
func (s Set) Command(o *op.Op) string {
	if o.Near == "" && o.Command != "" {
		return s.Name + " " + o.Command
	}
	return o.Near
}

// do performs an operation. An unknown argument is an error that a model can correct.
func do(ctx context.Context, o *op.Op, c op.Call, raw json.RawMessage) (any, error) {
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	var err error
	if c.Args, err = protocol.ParseObject(raw); err != nil {
		return nil, op.Fail(op.BadArgument, o.Arguments(), "the arguments are not a JSON object: %v", err)
	}
	answer, err := o.Run(ctx, c)
	return answer, op.Refuse(err)
}
