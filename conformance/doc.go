// Package conformance tests programs that run HOOK.md folders, and hooks, against the
// specification. It calls them as commands: from this repository it imports only package
// spec, for the sentences.
//
// A case is one file below cases/, in the form that FORMAT.md explains: hook
// folders for each layer, an event, and the expected result. [Cases] reads the embedded
// ones, [Load] those of any tree. [Run] plays them on a [Subject], which says how it is
// called and what it claims to support; a case outside its claims is skipped with a
// reason, counted, and never passed. For each failure the [Report] names the violated
// sentence, the input, the expected and the actual result.
//
//	cases, err := conformance.Cases()
//	report, err := conformance.Run(ctx, conformance.Subject{Run: []string{"my-runner", "run"}}, cases, conformance.Options{})
//
// An error means that the suite could not do its work and gives no verdict: there are no
// cases, a case has an unknown key, a tree cannot be created, or a claim excludes what
// does not exist.
//
// Hooks write to a ledger, which shows which ran, in which order and how often, without
// clocks. No process outlives its case: processes carry a mark in their environment, by
// which they are found and ended.
//
// [CheckHook] checks a hook folder with agents-hooks itself. [Copy] writes the suite to
// disk for drivers in other languages.
package conformance
