package model

// A Turn is one answer of the model.
type Turn struct {
	Text  string // comes before the calls, if there are any
	Calls []Call // more than one: parallel calls

	// InputTokens is the claimed cost of the request; 0 means a small number. A large
	// one makes agents compact their context.
	InputTokens int

	// Status, if not 0, answers with this HTTP status and an error body.
	Status int
}

// A Call is one tool call.
type Call struct {
	Name string
	Args map[string]any

	// Namespace is the group in which the tool is offered; only the Responses protocol
	// has groups.
	Namespace string

	// Input, if not empty, makes this a call of a free-form tool, whose input is text
	// instead of JSON. Only the Responses protocol has such tools.
	Input string
}

// A Script decides what the model answers. It is never called for two requests at once,
// and must not send requests to its own server.
type Script func(r *Request) Turn

// Play answers the first request with the first turn, and so on; after the last one it
// keeps saying "done". Requests without tools are an agent's side requests (titles,
// summaries, classifiers): they get a short text and use up no turn.
func Play(turns ...Turn) Script {
	steps := make([]Script, len(turns))
	for i, t := range turns {
		steps[i] = func(*Request) Turn { return t }
	}
	return Steps(steps...)
}

// Steps is [Play] for answers that depend on their request, for instance on an id that
// the agent made up.
func Steps(steps ...Script) Script {
	next := 0
	return func(r *Request) Turn {
		if len(r.Tools) == 0 {
			return Turn{Text: "ok"}
		}
		if next >= len(steps) {
			return Turn{Text: "done"}
		}
		next++
		return steps[next-1](r)
	}
}

// Split passes each request to one of two scripts, for agents whose subagents also ask
// the model: those that contain mark to main, the others to other.
func Split(mark string, main, other Script) Script {
	return func(r *Request) Turn {
		if r.Says(mark) {
			return main(r)
		}
		return other(r)
	}
}
