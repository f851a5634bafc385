// Package packs implements add, update, remove and verify, and the packs of setup: other
// people's hooks, fetched from a source, pinned by hash, and shown before they are installed.
//
//	p, err := packs.PlaceOf(sh, dir, false)   // the project's, or the user's
//	plan, err := packs.Add(ctx, sh, packs.AddOptions{PlaceOptions: p, Request: packs.Request{At: at}})
//
//	place.go   where packs are installed, and how they are changed
//	plan.go    fetches and reads a pack, and unpacks it for review
//	plugin.go  turns a plugin of an agent into a pack
//	hook.go    what a hook will do, and what is wrong with it
//	try.go     runs its tests, confined to a folder
//	show.go    what the user sees before confirming
//	add.go, update.go, remove.go, verify.go
//
// Package pack defines what a pack is and what is refused; package source fetches, package
// store writes.
package packs
