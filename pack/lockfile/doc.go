// Package lockfile reads and writes hooks.lock, which records where the folders beside it
// came from, and their hashes.
//
//	lock, err := lockfile.Parse(text)      // an *Error knows its line and the fix
//	p := lock.Folder("no-rm")              // its pack, nil if it came from none
//	hash := p.Pin("no-rm", bare)           // that it must have here
//	text = lock.Format()
//
// A lock is beside a hooks folder: .agents/hooks.lock in a project, hooks.lock in the
// user's configuration. It is TOML:
//
//	schema = 2
//
//	[pack.guards]
//	source = "https://github.com/owner/guards"
//	ref = "v1"
//	commit = "7d1c…"
//	version = "1.2.0"
//
//	[pack.guards.hooks]
//	no-rm = "9f86…"
//
//	[pack.guards.bare]
//	no-rm = "a31c…"
//
// A hash includes the executable bit of each file, as in an approval. Windows has no such
// bit: there a folder is compared with its bare hash, in which no file is executable. A
// folder without executable files needs no bare hash.
//
// The format is canonical: packs and folders are sorted, each value has its own line,
// and nothing depends on who writes. So two people who add different packs change
// different lines; if git reports a conflict, keep both blocks.
//
// The file comes from a repository or from an editor, so it is read strictly: an unknown
// key, a malformed hash, a folder name that is a path, conflict markers and a later schema
// are errors, each with its line and the fix. For a lock that cannot be read, [MayName]
// says whether it could be about a folder.
//
// A lock grants no trust. A project's hooks run only after the user has approved them,
// with or without a lock.
package lockfile
