// Package replay measures suggestions: it plays journals of sessions to a policy, entry
// by entry, and counts correct and wrong suggestions, and how long an agent waited for
// them.
//
// A case is a journal as package journal writes it, with the expected answer at the
// top:
//
//	<!-- one part is stuck, another one is well -->
//	<!-- want: 5 error:typescript seed_repair_typescript_first_error -->
//	# Session Journal
//	…
//
// "want: 5" means that before entry 5 (counted from 1) one of the named genes must be
// offered for that signal; "want: none" that nothing must be offered. The expected
// answers were written by looking at the sessions, not at what a policy does.
//
// The genes are the seeds without a record, and the selector is greedy: the result
// depends on no clock and no random numbers. For every policy the rules of the hook
// apply: an edit is not interrupted, nothing is said without a new failure, and a gene
// is not offered twice within ten minutes.
package replay
