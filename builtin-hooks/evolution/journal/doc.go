// Package journal is evolution's record of one session: a text file with an entry for
// each action of the agent, the signals of failures, and the results of suggestions. It
// is written on tool events, so adding an entry only appends; it is read on demand.
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
// The grammar is the original's, which can read what this package writes; [Parse] reads
// what the original writes, including techStack and the older spelling outcome=failure.
// The failure line (package failure) is ours; its message is redacted, without details
// of a single run. Times are UTC.
//
// [Stuck] says whether a command is about to fail in the same way again, [Pending] what
// the end of a command says about a suggestion, [Journal.Worth] whether a session
// deserves a review.
package journal
