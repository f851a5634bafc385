// Package journal is what evolution remembers of one session: a text file with an
// entry for each thing that the agent did, the signals of those that failed, and
// what became of suggestions. It is written on tool events, so an entry is an
// append and nothing else; it is read when a question comes up.
//
//	# Session Journal
//
//	Started: 2026-02-14T09:26:53Z
//	- bash: `npm test` (09:27) [FAILED]
//	  - signal:error:test_failure (count: 2, at: 09:27)
//	  - failure: 4c1f0a9be2d7 kind=90ab11c2d3e4 exit=1 count=2 line=14 code=AssertionError text=…
//	  - hint: …
//	- edit: `src/total.ts` (09:29)
//	- bash: `npm test` (09:30)
//	  - gene_feedback: "Read the first failure" gene_id=gene_repair_1 outcome=success
//	[evolution-review-triggered] (at: 2026-02-14T09:31:00Z)
//
// The grammar is the original's (behaviours.md 4.2), which can read what this
// package writes; [Parse] reads what the original writes, techStack and the
// older spelling outcome=failure too. The line of a failure (package failure) is
// ours; its message is redacted, and without what is of one run only. Times are UTC.
//
// [Stuck] answers whether a command is about to run into the same wall again,
// [Pending] what the end of a command says of a suggestion, [Journal.Worth]
// whether a session is worth looking back at.
package journal
