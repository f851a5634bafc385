package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Call is a tool call that the model wants.
type Call struct {
	ID    string          // the model's id
	Name  string          // the tool, by its portable name if it has one
	Input json.RawMessage // an object
}

// A Result is the result of a call.
type Result struct {
	Text    string          // what the model should read
	Ran     bool            // the tool was called
	Refused string          // why it was not: a hook's reason, or the user's refusal
	Input   json.RawMessage // the input that it was called with
	Err     error           // of the tool
}

// Tool runs the hooks before a call, the tool with the input as they changed it, and
// the hooks after it. run returns what the model should read; its error is a failure of
// the tool, which the model is told. An ambiguous input (not JSON, or with a duplicate
// name) reaches neither hooks nor the tool, and the model is told what is wrong with
// it. The error of Tool is that of ctx or, with [Options.Strict], that hooks could not
// be run. Then either the tool did not run, or the hooks after it did not; Result.Ran
// says which.
func (s *Session) Tool(ctx context.Context, call Call, run func(ctx context.Context, input json.RawMessage) (string, error)) (Result, error) {
	if len(call.Input) == 0 {
		call.Input = json.RawMessage("{}")
	}
	r := Result{Input: call.Input}
	if err := readable(call.Input); err != nil {
		r.Refused = fmt.Sprintf("The input of %s cannot be read: %v. It was not called; send the call once more.", call.Name, err)
		r.Text = r.Refused
		return r, nil
	}
	before, err := s.Dispatch(ctx, PreToolCall(call.ID, call.Name, call.Input))
	if err = s.fatal(ctx, err); err != nil {
		return r, err
	}
	if before.ModifiedInput != nil && !before.Blocked() {
		r.Input, call.Input = before.ModifiedInput, before.ModifiedInput
	}
	if refused, yes := s.refuses(ctx, call, before); yes {
		r.Refused, r.Text = refused, join(refused, before.AdditionalContext)
		return r, nil
	}
	r.Ran = true
	r.Text, r.Err = run(ctx, r.Input)
	ended := PostToolCall(call.ID, call.Name, r.Input, r.Text)
	if r.Err != nil {
		ended = PostToolCallFailure(call.ID, call.Name, r.Input, r.Err.Error())
		r.Text = join(r.Text, r.Err.Error())
	}
	after, err := s.Dispatch(ctx, ended)
	if after.ModifiedOutput != "" {
		r.Text = after.ModifiedOutput
	}
	r.Text = join(r.Text, before.AdditionalContext, after.AdditionalContext)
	if after.Blocked() {
		r.Text = join(r.Text, after.Reason)
	}
	return r, s.fatal(ctx, err)
}

// readable reports what is wrong with the input of a call. A guard and the tool must not
// read the same bytes differently.
func readable(input json.RawMessage) error {
	raw, err := encode(input)
	if err != nil {
		return errors.New("it is not JSON")
	}
	const before = `{"":`
	_, err = protocol.ParseObject(slices.Concat([]byte(before), raw, []byte("}")))
	if at, ok := errors.AsType[*protocol.SyntaxError](err); ok {
		return &protocol.SyntaxError{Offset: at.Offset - len(before), Msg: at.Msg}
	}
	return err
}

// refuses reports whether a call must not be made, by decision of a hook or the user.
func (s *Session) refuses(ctx context.Context, call Call, o Outcome) (why string, yes bool) {
	switch {
	case o.Blocked():
		return o.Reason, true
	case o.Decision != Ask:
		return "", false
	case s.hooks.opt.Ask == nil:
		return join(o.Reason, "Nobody is here to be asked, so it was not done."), true
	case !s.hooks.opt.Ask(ctx, call, o.Reason):
		return join(o.Reason, "The person said no."), true
	}
	return "", false
}

// fatal is the error that ends a call: a bug in a hook runner stops no work unless the
// agent wants that.
func (s *Session) fatal(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil || s.hooks.opt.Strict:
		return err
	}
	if s.hooks.opt.Tell != nil {
		s.hooks.opt.Tell(err.Error() + ": this happens without them")
	}
	return nil
}

// join joins texts by line breaks.
func join(texts ...string) string {
	var said []string
	for _, t := range texts {
		if t != "" {
			said = append(said, t)
		}
	}
	return strings.Join(said, "\n\n")
}
