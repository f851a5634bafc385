// Package remind decides what a session that works in a workspace is told, and
// when. It knows no files, no clock and no agent: everything is a function of
// values, so that each rule is a row of a table.
//
//	[Due]        which reminder the state of the focused node calls for
//	[Mentions]   whether a prompt has a keyword
//	[About]      whether it is about workspaces
//	[Blocked]    whether a message admits that something is in the way
//	[Texts]      what is said, in zh and en
//
// # The reminders
//
// At most one is given with an event: the first of this list that fits. If that
// one was given to the session less than three minutes ago nothing is said, and
// no later one takes its place (BW-REM-03); only the first is given every time.
//
//	problem             the node has a problem that is not solved
//	log_timeout         implementing, and nothing was logged for 3 minutes
//	children_completed  monitoring, and all children are done
//	plan_completed      planning, right below the root, with children
//	no_log_start        implementing for 1 minute without a log
//	no_problem          implementing for 5 minutes without a problem noted
//	failed_node         an execution node that failed
//	no_docs             implementing for 1 minute without a document
//
// Times are whole minutes, rounded down: 2:59 is silent, 3:00 is not (BW-REM-02).
package remind
