// Package trust remembers which things of a project its user has looked at and
// approved: a repository's hooks are somebody else's code, and run only once a
// person said yes to them as they are.
//
//	record, err := trust.Read(state)            // an error: nothing is trusted
//	ok := record.Approves(project, thing)       // as it is at this moment?
//
//	items, err := trust.List(state, project, things)
//	diff, err := items[0].Diff(state, project)  // what a person is shown
//	kept, err := trust.Approve(state, project, items, now)
//	names, err := trust.Revoke(state, project, names)
//
// Who asks tells what there is to ask about: a [Thing] has a name in the record
// and a path. What a hook is, which hooks exist and when an approval is needed
// at all (package discovery) is not known here.
//
// # What is approved
//
// An approval is of one thing in one project in one state. It holds in all
// worktrees of the project's repository, as git's own record has them, and as long
// as no later approval in the same worktree replaces it. The state of a folder
// is a hash over the path, the executable bit and the bytes of each file in it
// (HM-SEC-05), so any byte that changes takes the approval back; the state of
// hooks.toml is that of a folder with this one file. A link counts as what it
// points to, which must lie in the folder, and the folder in the project; what
// is neither file nor folder nor link, or too large to be hashed at each event
// ([Refused]), cannot be approved.
//
// # What is run
//
// Between a check and a run a writer could put other bytes into a folder. So an
// approved state is copied, from the very bytes that were hashed, and run from
// there ([Record.Admit]). The copy is for nobody to write; a look at each of its
// files, at the time of change that the system keeps, tells whether somebody did,
// and then it is made anew.
//
// # Where it is kept
//
// trust.json in the state directory holds for each project (its canonical root,
// in the repository's main worktree) and thing the hashes of the states that were
// approved, the newest first, and of each whether another replaced it. trust/HASH-N is the copy of an approved state, for running it and for
// the diff, and trust/HASH.seal names it. Copies that no approval needs are
// removed. The record is read strictly: one that is not understood approves
// nothing and is kept aside when the next approval is written. Approvals given
// at once by several processes are all kept (package statefile).
//
// # What is shown
//
// A diff spells out what a terminal would act on instead of showing it: a hook
// must not hide a line of itself from whoever approves it.
package trust
