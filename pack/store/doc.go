// Package store puts hooks of packs into a hooks folder, and takes them out: all of
// a change, or nothing of it, whenever the process is killed and whoever else is at
// it.
//
//	in := store.Place{Agents: project + "/.agents", In: beneath.At(project), State: state}
//	now, err := in.Read()                         // the lock
//	err = in.Apply(store.Change{Put: …, Remove: …, Lock: …})
//
// # How a change is made
//
//  1. The lock of the operating system for this place is taken; it lies in the
//     person's state directory, and dies with its owner.
//  2. A journal there says where the change is being prepared. What it prepares
//     lies in a folder of the hooks folder whose name begins with a dot: the new
//     folders, written and on the disk.
//  3. The journal is replaced by one that says what will be done. This is the
//     moment at which the change is made: before it, a call that comes later takes
//     everything back, after it, it does the rest.
//  4. Folders that go are moved out, hooks.lock is replaced, folders that come are
//     moved in. One that takes the place of another does so in one step where the
//     system can (Linux, macOS), so that a guard is never missing in between.
//  5. What was prepared or moved out is removed, and then the journal.
//
// Each step can be done twice. Whoever calls next, for this place, finishes what a
// killed process has left ([Place.Recover]).
//
// The journal lies with the person and not in the project: a repository cannot
// bring one along.
//
// # What is looked at before
//
// A folder that comes must not be there, in any spelling that a file system takes
// for the same; one that is replaced or taken out must be as the lock has it, unless
// the caller insists: then a copy is kept in the state directory.
package store
