// Package reminder decides what a session in a workspace is told, and when. It uses no files,
// no clock and no agent: everything is a function of values, so that each rule is a row of a
// table.
//
//	[Due]        which reminder the state of the focused node requires
//	[Mentions]   whether a prompt has a keyword
//	[About]      whether it is about workspaces
//	[Blocked]    whether a message says that something blocks the work
//	[Texts]      the texts, in zh and en
//
// # The reminders
//
// An event gives at most one: the first in this list that fits. If the session got that one
// less than three minutes ago, nothing is said, and no later one replaces it (BW-REM-03);
// only the first is exempt.
//
//	problem             the node has an unsolved problem
//	log_timeout         implementing, without a log entry for 3 minutes
//	children_completed  monitoring, and all children are done
//	plan_completed      planning, right below the root, with children
//	no_log_start        implementing for 1 minute without a log
//	no_problem          implementing for 5 minutes without a recorded problem
//	failed_node         an execution node that failed
//	no_docs             implementing for 1 minute without a document
//
// Times are whole minutes, rounded down: 2:59 is silent, 3:00 is not (BW-REM-02).
package reminder
