// Package team shares the memory of a project with those who work on it, through a
// room of agents-hooks-server (package room), for a team that shares no repository.
//
//	s := team.Of(keeper, place, state)
//	err := s.On(choice, rooms)              a person decided it, once
//	r, err := s.Sync(ctx, client, wait)     push, pull; as often as one likes
//	err = s.Off()
//
//	state.go  what was decided, and what the room has, in the state directory
//	push.go   facts that go, and ends of them
//	take.go   facts that come
//	sync.go   both
//
// # What goes
//
// Facts of the types W and B that this machine's person has in the memory of the
// project, and preferences (O) only if they said so: never their own memory for all
// projects, what sessions did, summaries, pages and prompts, what is imported or the
// repository's, and what waits for a branch. Each is redacted before, and at the
// service again. There is no queue: what differs from what the room has is what
// waits, so a machine that was away for weeks, or killed at any point, sends the same
// thing again, and the room takes it once.
//
// # What comes
//
// It lies in local/team, a file a day, which git does not take, as facts of somebody
// else: with their name, screened, in the fence of what is not the person's. Such a
// fact hides another one only if it is its author's own, or its author said that it
// takes the place of one and package truth sees an update too; and never what the
// person wrote. The others are shown as contradictions.
//
// # What is deleted
//
// A fact that is deleted here ends in the room and then on every machine. One that a
// reviewer deleted is hidden on its author's machine, who can restore it for
// themselves. A clean-up of what is old deletes for nobody else.
package team
