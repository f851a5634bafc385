// Package lockfile reads and writes hooks.lock, which says of the folders beside it
// where they came from and which bytes they have.
//
//	lock, err := lockfile.Parse(text)      // an *Error knows its line and the fix
//	p := lock.Folder("no-rm")              // its pack, nil if it came from none
//	hash := p.Pin("no-rm", bare)           // that it has to have here
//	text = lock.Format()
//
// A lock lies beside a hooks folder: .agents/hooks.lock in a project,
// hooks.lock in the person's own configuration. It is TOML:
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
// A hash has the executable bit of each file in it, as an approval has. Windows keeps
// none: there a folder has its bare hash, the one with no file executable. A folder that
// has no such file has one hash and no second line.
//
// There is one way to write what it says: packs and folders are sorted, each value
// has a line of its own, and nothing depends on who writes. So two people who add
// different packs change different lines, and where their lines meet, both blocks
// stand.
//
// The file comes from a repository or from a person's editor. It is read strictly:
// an unknown key, a hash that is none, a folder whose name leads elsewhere, marks of
// a merge and a later schema are errors, each with its line and what to do. Whoever
// needs to know more about a lock that cannot be read may ask whether it can be
// about a folder at all ([MayName]).
//
// A lock grants nothing. What a project brings runs once its person has approved
// it, lock or none.
package lockfile
