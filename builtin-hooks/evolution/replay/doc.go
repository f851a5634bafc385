// Package replay measures suggestions: it plays journals of sessions to a policy,
// entry by entry, and counts which suggestions came when they should, which came
// although they should not, and how long an agent waited for them.
//
// A case is a journal as package journal writes it, with the answer on top:
//
//	<!-- one part is stuck, another one is well -->
//	<!-- want: 5 error:typescript seed_repair_typescript_first_error -->
//	# Session Journal
//	…
//
// "want: 5" says that before entry 5 (counted from 1) one of the named genes is
// to be offered for that signal; "want: none" that nothing is. Somebody wrote that
// down by looking at the session, not at what a policy does.
//
// The genes are the seeds, nothing is known of them, and the selector is greedy:
// the result depends on no clock and no chance. What holds for every policy is
// what the hook does: an edit is not interrupted, without a new failure there is
// nothing new to say, and a gene is not offered twice within ten minutes.
package replay
