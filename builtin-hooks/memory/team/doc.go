// Package team shares the memory of a project with the people who work on it, through a room of
// agents-hooks-server (package room), for teams that do not share it through a repository.
//
//	s := team.Of(keeper, place, state)
//	err := s.On(choice, rooms)              the user decided it, once
//	r, err := s.Sync(ctx, client, wait)     push, pull; as often as you like
//	err = s.Off()
//
//	state.go  the decision, and what the room has, in the state directory
//	push.go   outgoing facts, and their ends
//	take.go   incoming facts
//	own.go    what the user shared from another machine, and what happened to theirs
//	versions.go  of two changes that did not know of each other, the later one
//	sync.go   both
//
// # What goes out
//
// Facts of the types W and B that the user of this machine has in the memory of the project,
// and preferences (O) only if the user chose that. Never shared are the user's own memory for
// all projects, records of sessions, summaries, pages and prompts, imported facts, the
// repository's, and facts of a branch that is not merged. Each fact is redacted before, and
// again by the service. There is no queue: the difference to the room is what has to be sent.
// So a machine that was away for weeks, or killed at any point, sends the same thing again, and
// the room accepts it once.
//
// # What comes in
//
// It is stored in local/team, one file per day, outside of git, as somebody else's facts: with
// their name, screened, in the fence for foreign text. What came to the service with a key of the
// user's, from another machine, is the user's there too. Such a fact hides another one only if
// both have the same author, or its author said that it replaces one and package truth finds an
// update too; and never a fact of the user's, unless it is the user's own. Others are shown as contradictions.
//
// # What is deleted
//
// A fact that is deleted here ends in the room and then on every machine. One that a
// reviewer deleted is hidden on its author's machine, and the author can restore it
// there. A cleanup of old facts deletes nothing for others.
package team
