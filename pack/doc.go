// Package pack knows what a pack of hooks is, and what no pack may hold.
//
// A pack is a folder of hook folders, each with a HOOK.md, and a pack.toml if its
// author wants to say more:
//
//	name = "guards"                     # what the lock calls it
//	version = "1.2.0"
//	description = "guards for git"
//	requires = "0.3.0"                  # the least version of agents-hooks
//	key = "RWQf6LRCGA9i53ml…"           # who signs: a minisign public key
//
// One hook by itself, with its HOOK.md at the top, is a pack too. What lies beside
// the hook folders (a README, a licence, tests) is not taken.
//
// # From a source to a pack
//
// Package source brings a [Tree]: files with their bytes, in memory, and bounded.
// [Read] makes a [Pack] of it, or says what is wrong and where. Nothing has been
// written by then, and a pack that was read can be written anywhere: package store
// does that, all or nothing.
//
// # What is refused
//
// Whatever would be something else on another machine, or reach out of its folder:
//
//   - names: absolute, "..", a backslash, control and invisible characters, what
//     Windows forbids or takes for a device, .git, more than 128 bytes, not in NFC
//   - twins: two paths that a file system takes for one, by case or by Unicode
//   - kinds: hard links, devices, pipes, sockets, submodules
//   - links that lead out of their hook's folder, or in a circle; one that stays in
//     it is taken as what it points to
//   - too much: 4,096 files, 64 MiB, 256 hooks, 16 folders deep, 240 bytes a path
//
// # Signatures
//
// An author signs what a lock pins: pack.sums lists the hash of each hook's folder
// and of pack.toml ([Sums]), and pack.sums.minisig is minisign's signature of it.
// [Pack.Verify] holds both against a public key.
package pack
