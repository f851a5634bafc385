package skills

import (
	"context"
	"errors"
	"slices"
)

// A Loop is the loop of an agent around a model and its tools: one call of it answers
// one request, and prompts of skills come and go at all five checkpoints. Its author
// writes five callbacks:
//
//	loop := skills.Loop[Message]{
//		Hooks:   hooks,
//		Plan:    "Plan first: do you need a tool?",
//		Message: newMessage,  // make a message
//		Mark:    markOf,      // find the mark that was stored with one
//		Model:   callModel,   // call the model
//		Tool:    runTool,     // run a tool
//		Store:   keep,        // keep persistent prompts in the history
//	}
//	err := loop.Run(ctx, &messages, prompt)
//
// A Loop keeps nothing between two requests, and may be used for several at once, each
// on a list of its own.
type Loop[M any] struct {
	Hooks   []Hook
	Invoked func(skill string) bool // see [Manager]

	Plan string // prompt of the planning call; "": there is no such call
	Step string // prompt of each round; "": there is none

	// Message makes a message of what is put in, a new one each time.
	Message func(Message) *M
	// Mark is what a message of an earlier request was put in for, as it was stored
	// with it: max_copies counts those. nil: nothing is known of them.
	Mark func(*M) (Mark, bool)
	// Model calls the model with the messages as they are, which it must not change.
	Model func(ctx context.Context, at Phase, messages []*M) (Reply[M], error)
	// Tool runs a tool, and returns its result as a message; nil: the agent has none.
	// An error ends the request: a failure that the model should read about is a
	// result.
	Tool func(ctx context.Context, call Call) (*M, error)
	// Store is given the persistent prompts once they were put in; nil: nobody keeps them.
	Store func([]Stored) error
}

// A Phase is where in a request the model is called.
type Phase string

// The calls of a model.
const (
	Planning Phase = "planning" // whether tools are needed; they are not offered
	Round    Phase = "round"    // with tools
	Direct   Phase = "direct"   // the only call of an agent without tools
)

// A Reply is what a model answered.
type Reply[M any] struct {
	Message *M     // goes into the list; nil: there is none
	Calls   []Call // tools to run; in a round, none ends the loop
	Done    bool   // of the planning call: no tool is needed, the request is answered
}

// A Call is one call of a tool.
type Call struct {
	Name  string // by which filters know it: any that an agent has for such a tool
	Value any    // whatever Model and Tool have to say to each other
}

// Run answers a request. input is what the person asked for, which stands in the list
// already. Whatever it ends with, nothing of it is left in the list but what model and
// tools said, and persistent prompts.
func (l *Loop[M]) Run(ctx context.Context, messages *[]*M, input string) error {
	m := NewManager(messages, l.Hooks, l.Message)
	m.Input, m.Invoked = input, l.Invoked
	if l.Mark != nil {
		m.Resume(l.Mark)
	}
	r := run[M]{l, m, messages}
	defer m.Close()
	if err := r.inject(AfterUserInput); err != nil {
		return err
	}
	if l.Tool == nil {
		_, err := r.call(ctx, Direct)
		return err
	}
	if l.Plan != "" {
		if reply, err := r.plan(ctx); err != nil || reply.Done {
			return err
		}
	}
	for first := true; ; first = false {
		if done, err := r.round(ctx, first); err != nil || done {
			return err
		}
	}
}

// run is one request.
type run[M any] struct {
	*Loop[M]
	m    *Manager[M]
	list *[]*M
}

// plan asks the model, without tools, whether it needs any.
func (r run[M]) plan(ctx context.Context) (reply Reply[M], err error) {
	if err := r.inject(BeforePlanning); err != nil {
		return reply, err
	}
	prompt := r.m.InjectPrompt(r.Plan, System)
	reply, err = r.call(ctx, Planning)
	r.m.RemovePrompt(prompt)
	r.m.Remove(BeforePlanning)
	return reply, err
}

// round calls the model once, and the tools that it wants.
func (r run[M]) round(ctx context.Context, first bool) (done bool, err error) {
	r.m.Remove(BeforeEachAgent)
	if err := r.inject(BeforeEachAgent); err != nil {
		return false, err
	}
	if first {
		if err := r.inject(BeforeFirstAgent); err != nil {
			return false, err
		}
	}
	if r.Step != "" {
		step := r.m.InjectPrompt(r.Step, System)
		defer r.m.RemovePrompt(step)
	}
	reply, err := r.call(ctx, Round)
	if err != nil || len(reply.Calls) == 0 {
		return true, err
	}
	for _, call := range reply.Calls {
		result, err := r.Tool(ctx, call)
		if err != nil {
			return false, err
		}
		if result != nil {
			*r.list = append(slices.Clip(*r.list), result)
		}
	}
	r.m.Remove(AfterToolCall)
	for _, call := range reply.Calls {
		if err := r.inject(AfterToolCall, call.Name); err != nil {
			return false, err
		}
	}
	return false, nil
}

// call calls the model and keeps what it said.
func (r run[M]) call(ctx context.Context, at Phase) (reply Reply[M], err error) {
	if err := ctx.Err(); err != nil {
		return reply, err
	}
	if r.Model == nil {
		return reply, errors.New("the loop has no model")
	}
	if reply, err = r.Model(ctx, at, *r.list); err == nil && reply.Message != nil {
		*r.list = append(slices.Clip(*r.list), reply.Message)
	}
	return reply, err
}

// inject puts the prompts of a timing in, and has the persistent ones kept.
func (r run[M]) inject(t Timing, tool ...string) error {
	stored := r.m.Inject(t, tool...)
	if len(stored) == 0 || r.Store == nil {
		return nil
	}
	return r.Store(stored)
}
