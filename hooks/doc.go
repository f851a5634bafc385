// Package hooks runs HOOK.md hooks from an agent, an IDE or a service written in Go.
// Users put hooks into .agents/hooks and ~/.config/agents/hooks. The program says what
// is about to happen, and follows the answer:
//
//	h, err := hooks.New(hooks.Options{Agent: "my-agent"})
//	s := h.Session("")
//	begun, err := s.Dispatch(ctx, hooks.PreSession("startup"))
//	…
//	result, err := s.Tool(ctx, hooks.Call{ID: id, Name: "Shell", Input: input}, run)
//	tell(model, result.Text)
//
// [Session.Dispatch] runs the hooks of one event and returns the [Outcome]. Each event has
// a constructor, which documents what the event needs and what the program must do with
// its outcome. [Session.Tool] handles a whole tool call: it runs the hooks before it, the
// tool with the input as hooks changed it, and the hooks after it, and returns what the
// model should read.
//
// The state of a session is in the user's state directory, under the session's id, shared
// by all programs on the machine: how often hooks made the agent go on, which notices the
// user has seen, blocks that an event could not carry. Nothing is global: a process can
// have two [Hooks] with different environments.
//
// # Two ways
//
// By default this process runs the hooks: it finds and matches them, starts their scripts
// and folds their answers. With [Options.Program] another program does that, which speaks
// the protocol of spec/STREAM.md, such as "agents-hooks run --stream". It is started once,
// restarted when it dies, and is the version that the user has installed. Only in this
// way are the built-in behaviours available (memory, workspace, evolution, skills), and
// only in this way does a running hook end when this process is killed.
//
// # Errors
//
// A failed hook is a warning and not an error, unless the user made its failure a block.
// Dispatch returns an error if hooks could not be run, or not to the end: that is neither
// a permission nor a refusal. Tool then fails open, since a bug in a hook runner must not
// stop the user's work, unless [Options.Strict] is set or ctx is done.
//
// # What is promised
//
// The exported names of this package follow semantic versioning: within a major version
// of this module nothing is removed or changes its meaning; fields, constructors and kinds
// of warnings may be added. Before version 1.0.0 a minor version may break that, and
// CHANGELOG.md says so under "Breaks". Use field names in struct literals. No type of
// another package of this module is exposed here.
package hooks
