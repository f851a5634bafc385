// Package store adds the hooks of packs to a hooks folder, and removes them. A change is
// atomic, even if the process is killed or several run at once.
//
//	in := store.Place{Agents: project + "/.agents", In: beneath.At(project), State: state}
//	now, err := in.Read()                         // the lock
//	err = in.Apply(store.Change{Put: …, Remove: …, Lock: …})
//
// # How a change is made
//
//  1. It takes an operating system lock for this place, on a file in the user's state
//     directory, which is released when its owner dies.
//  2. A journal there says where the change is being prepared: the new folders are
//     written, and synced to disk, in a dot folder of the hooks folder.
//  3. The journal is replaced by one that says what will be done. This commits the
//     change: a later call rolls back everything before this point, and completes
//     everything after it.
//  4. Removed folders are moved out, hooks.lock is replaced, new folders are moved in. A
//     folder is exchanged for another in one step if the system supports that (Linux,
//     macOS), so that a guard is never missing in between.
//  5. The prepared and the moved folders are deleted, and then the journal.
//
// Each step is idempotent. The next call for this place completes what a killed process
// has left ([Place.Recover]).
//
// The journal is in the user's state directory and not in the project, so a repository
// cannot contain one.
//
// # Checks
//
// A new folder must not exist, in any spelling that a file system treats as the same. A
// folder that is replaced or removed must match the lock, unless the caller insists; then
// a copy is kept in the state directory.
package store
