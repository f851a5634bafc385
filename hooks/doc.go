// Package hooks runs HOOK.md hooks from an agent, an IDE or a service that is written
// in Go. People drop hooks into .agents/hooks and ~/.config/agents/hooks; a program
// says what is about to happen, is told whether it may, and does as it was told:
//
//	h, err := hooks.New(hooks.Options{Agent: "my-agent"})
//	s := h.Session("")
//	begun, err := s.Dispatch(ctx, hooks.PreSession("startup"))
//	…
//	result, err := s.Tool(ctx, hooks.Call{ID: id, Name: "Shell", Input: input}, run)
//	tell(model, result.Text)
//
// [Session.Dispatch] asks the hooks of one event and returns the [Outcome]; each event
// has a constructor, which says what the event needs and what its outcome obliges to.
// [Session.Tool] does all of a tool call: it asks before, runs it with the input that
// hooks made of it, tells how it ended, and says what the model shall read.
//
// What a session remembers lies in the person's state directory, by the id of the
// session, where every other program on the machine keeps it: how often hooks made the
// agent go on, what the person was told already, blocks that an event could not carry.
// Nothing is global: two [Hooks] with different environments live in one process.
//
// # Two ways
//
// Hooks are run by this process: it finds and matches them, starts their scripts, folds
// their answers. With [Options.Program] another program does that, which speaks the
// protocol of spec/STREAM.md, such as "agents-hooks run --stream": it is started once,
// started again when it has died, and the person's own version of it counts. Behaviours
// that are built into that program (memory, workspace, evolution, skills) are there the
// second way only. So is an end to the hook that runs when this process is killed:
// hooks that it runs by itself go on until they are done.
//
// # When something is wrong with us
//
// A hook that fails is a warning and no error, unless the person made its failure a
// block. Dispatch returns an error where hooks were not asked, or not to the end: that is
// no permission and no refusal. Tool goes on then, since a bug in a hook runner must not
// stop a person's work, unless [Options.Strict] is set; and never once ctx is done.
//
// # What is promised
//
// The exported names of this package keep to semantic versioning: within a major version
// of this module nothing is taken away or changes its meaning, and fields, constructors
// and kinds of warnings are added. Before version 1.0.0 a minor version may break that,
// and CHANGELOG.md says so under "Breaks". Write struct literals with field names. No
// other package of this module stands in what is exported here.
package hooks
