// Package view is view and ui: what happened, which hooks count and why, what waits
// for an approval, and what memory, workspaces and evolution hold, as one page.
//
// view writes it as one file that asks nobody for anything (package page says how).
// ui serves the same page on this machine alone, keeps it up to date, and lets a
// person approve, refuse and change what is remembered.
//
//	collect.go      what is seen: a look, made of parts
//	activity.go     the run log; hooks.go, approvals.go, behaviours.go: the others
//	command.go      view
//	serve.go        ui: where it listens, until when
//	door.go         who is let in
//	live.go         what is told to pages that are open
//	decide.go       approve and refuse
//	memory.go       what is remembered: how it is seen, and changed
//	genes.go        what was learned: approved, held, reworded, deleted
//	*.js, *.css     a part each; live.js is of ui alone
//
// Whoever asks ui for something has to know its address, which holds a random token;
// must ask this machine by a name of its own, so that no name of somebody else's
// leads here; and, for whatever is not a page that a person opens, must be a page
// that came from here. There are no cookies: what a browser sends along by itself
// lets nobody in. What is decided is decided about the bytes that were shown.
package view
