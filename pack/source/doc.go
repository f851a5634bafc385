// Package source fetches packs from a git repository, an archive or a folder into memory.
// It writes nothing else.
//
//	where, err := source.Parse("https://github.com/owner/name@v1//hooks", here)
//	got, err := where.Fetch(ctx, source.Tools{Env: env, Client: client})
//	p, err := pack.Read(got.Tree, got.Name)
//
// # Forms of a source
//
//	https://host/path.git       git, by the git program
//	ssh://host/path, user@host:path
//	file:///path                a git repository on this machine
//	owner/name                  https://github.com/owner/name
//	https://host/name.tar.gz    an archive; .tgz and .tar.gz by path, too
//	./folder, /folder, ~/folder a local folder
//
// @REF after a git address is a branch, a tag or a commit, and //DIR a folder in the
// source.
//
// # Git
//
// The user's git program fetches, with the user's credentials and settings. The
// repository cannot execute anything: it is fetched into a new bare repository, one
// commit deep, without tags and submodules, and never checked out, so that none of its
// hooks, filters, attributes or settings apply. Its files are read from the object store.
// Git gets no variable that names a repository, and runs in a separate folder, so that
// the current repository does not matter either.
//
// # Limits
//
// Two minutes, a download of 256 MiB, and 64 MiB and 4,096 files of the requested
// folder. Unpacking an archive stops as soon as it exceeds them.
package source
