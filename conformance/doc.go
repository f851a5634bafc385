// Package conformance judges programs that run HOOK.md folders, and hooks, by
// the written rules. It knows what it judges as a command: it imports package
// spec, for the sentences, and nothing else of this repository.
//
// A case is one file below cases/, in the form that FORMAT.md explains: hook
// folders for each layer, an event, and what is wanted. [Cases] reads those that
// are built in, [Load] those of any tree. [Run] plays them on a [Subject], which
// says by which commands it is called and what it claims; what it does not claim
// is skipped with a reason, counted, and never passed. The [Report] names the
// sentence that a failure breaks, what went in, what was wanted and what came.
//
//	cases, err := conformance.Cases()
//	report, err := conformance.Run(ctx, conformance.Subject{Run: []string{"my-runner", "run"}}, cases, conformance.Options{})
//
// An error means that the suite could not do its work; then there is no verdict.
// No cases, a case with a key that nobody knows, a tree that cannot be made and a
// claim that leaves out what nobody asks for are such errors.
//
// Hooks sign a ledger, so that it is seen which ran, in which order and how
// often, without clocks. Nothing that a case started outlives it: processes carry
// a mark in their environment, and are looked for by it.
//
// [CheckHook] checks a hook folder by driving agents-hooks itself. [Copy] writes
// the suite out for drivers in other languages.
package conformance
