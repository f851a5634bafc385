package model

// A Turn is one answer of the model.
type Turn struct {
	Text  string // said before the calls, if there are any
	Calls []Call // more than one: parallel calls

	// InputTokens is what the answer claims the request to have cost; 0 means
	// a small number. A large one makes agents compact their context.
	InputTokens int

	// Status, if it is not 0, answers with this HTTP status and an error body.
	Status int
}

// A Call is one tool call.
type Call struct {
	Name string
	Args map[string]any

	// Namespace is the group that the tool is offered in; only the Responses
	// protocol has such groups.
	Namespace string

	// Input, if it is not empty, makes this a call of a free-form tool, whose
	// input is text and not JSON. Only the Responses protocol has such tools.
	Input string
}

// A Script decides what the model answers. It is never called for two requests
// at once, and must not ask its own server for anything.
type Script func(r *Request) Turn

// Play answers the first request with the first turn, and so on; after the last
// one it goes on saying "done". Requests that offer no tools are an agent's side
// requests (titles, summaries, classifiers): they are answered with a short text
// and take no turn.
func Play(turns ...Turn) Script {
	steps := make([]Script, len(turns))
	for i, t := range turns {
		steps[i] = func(*Request) Turn { return t }
	}
	return Steps(steps...)
}

// Steps is [Play] where an answer may depend on its request, for instance on an
// id that the agent made up.
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

// Split gives each request to one of two scripts, for agents whose subagents
// ask the model too: those that say mark to main, the others to other.
func Split(mark string, main, other Script) Script {
	return func(r *Request) Turn {
		if r.Says(mark) {
			return main(r)
		}
		return other(r)
	}
}
