// Package view is view and ui: the activity, which hooks apply and why, what waits for an
// approval, and the contents of memory, workspaces and evolution, as one page.
//
// view writes it as one file that makes no requests (see package page). ui serves the same page
// on this machine only, keeps it up to date, and lets the user approve, refuse and change
// memories.
//
//	collect.go      the data of the page, in parts
//	activity.go     the run log; hooks.go, approvals.go, behaviours.go: the others
//	command.go      view
//	serve.go        ui: where it listens, and for how long
//	door.go         access control
//	live.go         updates of open pages
//	decide.go       approve and refuse
//	memory.go       memory: showing and changing it
//	genes.go        genes: approving, holding, rewording and deleting them
//	*.js, *.css     one part each; live.js is only for ui
//
// A request to ui must have the random token in its URL; it must name this machine in its Host
// header, which prevents DNS rebinding; and, unless it opens a page, it must come from a page of
// ours. There are no cookies, so a browser's automatic credentials let nobody in. A decision
// applies to exactly the bytes that were shown.
package view
