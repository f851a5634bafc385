// Package source brings packs here: from a git repository, an archive or a folder,
// into memory, and nowhere else.
//
//	where, err := source.Parse("https://github.com/owner/name@v1//hooks", here)
//	got, err := where.Fetch(ctx, source.Tools{Env: env, Client: client})
//	p, err := pack.Read(got.Tree, got.Name)
//
// # What can be named
//
//	https://host/path.git       git, by the git program
//	ssh://host/path, user@host:path
//	file:///path                a git repository on this machine
//	owner/name                  https://github.com/owner/name
//	https://host/name.tar.gz    an archive; .tgz and .tar.gz by path, too
//	./folder, /folder, ~/folder a folder as it is
//
// @REF behind a git address is a branch, a tag or a commit, and //DIR a folder in
// the source.
//
// # Git
//
// The person's git program fetches, with their credentials and settings. Nothing of
// the repository takes effect: it is fetched into an empty bare repository of its
// own, one commit deep, without tags and submodules, and never checked out, so that
// no hook, filter, attribute or setting of it is asked. Its files are read from the
// object store. No variable that names a repository reaches git, and it runs in a
// folder of its own, so that the repository that the person stands in has no say
// either.
//
// # Bounds
//
// Two minutes, 256 MiB on the way, 64 MiB and 4,096 files of what is asked for. An
// archive that unpacks to more is left as soon as it does.
package source
