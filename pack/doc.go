// Package pack defines what a pack of hooks is, and what it must not contain.
//
// A pack is a folder of hook folders, each with a HOOK.md, and an optional pack.toml:
//
//	name = "guards"                     # its name in the lock
//	version = "1.2.0"
//	description = "guards for git"
//	requires = "0.3.0"                  # the minimum version of agents-hooks
//	key = "RWQf6LRCGA9i53ml…"           # the author's minisign public key
//
// A single hook, with its HOOK.md at the top, is a pack too. Other files beside the hook
// folders (a README, a licence, tests) are not installed.
//
// # From a source to a pack
//
// Package source fetches a [Tree]: files with their bytes, in memory and of limited size.
// [Read] turns it into a [Pack], or reports what is wrong and where. Up to then nothing
// has been written; package store writes a pack, all or nothing.
//
// # What is refused
//
// Anything that would be different on another machine, or reach outside its folder:
//
//   - names: absolute, "..", a backslash, control and invisible characters, what
//     Windows forbids or treats as a device, .git, more than 128 bytes, not in NFC
//   - twins: two paths that a file system treats as the same, by case or by Unicode
//   - kinds: hard links, devices, pipes, sockets, submodules
//   - links that lead out of their hook's folder, or form a cycle; any other link is
//     replaced by its target
//   - size: more than 4,096 files, 64 MiB, 256 hooks, 16 folders deep, 240 bytes a path
//
// # Signatures
//
// An author signs what a lock pins: pack.sums lists the hash of each hook's folder
// and of pack.toml ([Sums]), and pack.sums.minisig is its minisign signature.
// [Pack.Verify] checks both with a public key.
package pack
