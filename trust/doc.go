// Package trust records which things of a project the user has approved: a
// repository's hooks are somebody else's code, and run only after the user has
// approved their current bytes.
//
//	record, err := trust.Read(state)            // an error: nothing is trusted
//	ok := record.Approves(project, thing)       // as it is at this moment?
//
//	items, err := trust.List(state, project, things)
//	diff, err := items[0].Diff(state, project)  // what a person is shown
//	kept, err := trust.Approve(state, project, items, now)
//	names, err := trust.Revoke(state, project, names)
//
// The caller says what there is to approve: a [Thing] has a name in the record and a
// path. This package does not know what a hook is, which hooks exist, or when an
// approval is needed; package discovery does.
//
// # What is approved
//
// An approval covers one thing in one project in one state. It applies to all
// worktrees in git's own record of the repository, until a later approval in the same
// worktree replaces it. The state of a folder is a hash over the path, the executable
// bit and the bytes of each file in it (HM-SEC-05), so any changed byte invalidates the
// approval; the state of hooks.toml is that of a folder with this one file. A link is
// hashed as its target, which must be in the folder, and the folder in the project.
// Anything other than a file, a folder or a link, or too large to be hashed at each
// event ([Refused]), cannot be approved.
//
// # What is run
//
// Between the check and the run, the folder could change. So the bytes that were hashed
// are copied, and the hook runs from the copy ([Record.Admit]). The copy is read-only;
// the change time of each file shows whether it was modified anyway, and then it is
// copied again.
//
// # Where it is kept
//
// trust.json in the state directory has, for each project (its canonical root, in the
// repository's main worktree) and thing, the hashes of the approved states, newest
// first, and whether each was replaced. trust/HASH-N is the copy of an approved state,
// for running it and for the diff, and trust/HASH.seal names it. Copies that no approval
// needs are deleted. The record is read strictly: one that cannot be parsed approves
// nothing, and is set aside when the next approval is written. Concurrent approvals are
// all kept (package statefile).
//
// # What is shown
//
// A diff escapes control characters, so that a hook cannot hide a line from the person
// who approves it.
package trust
