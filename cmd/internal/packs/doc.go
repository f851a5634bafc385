// Package packs is what add, update, remove and verify do, and setup where a team wants
// a pack: hooks of others, taken whole from where they lie, pinned by their bytes, and
// shown before they are let in.
//
//	p, err := packs.PlaceOf(sh, dir, false)   // the project's, or the person's own
//	plan, err := packs.Add(ctx, sh, packs.AddOptions{PlaceOptions: p, Request: packs.Request{At: at}})
//
//	place.go   where packs are kept, and in which manner they are changed
//	plan.go    a pack is fetched and read, and laid out to be looked at
//	plugin.go  a plugin of an agent becomes a pack
//	hook.go    what one hook of it will do, and what is wrong with it
//	try.go     its tests are played, held to a folder of their own
//	show.go    what a person sees before a yes
//	add.go, update.go, remove.go, verify.go
//
// What a pack is, and what is refused, package pack knows; package source fetches,
// package store writes.
package packs
