// Package augment is the dialect of Augment's agent, whose command is auggie.
//
// Observed on 0.36.0, in print mode, against a scripted backend; what could not
// be seen there is from the program's code. The IDE extensions of Augment
// read the same user's settings.
//
// Our entry is in ~/.augment/settings.json or, for a project, in its
// .augment/settings.local.json, which is not committed. Its time limits are in
// milliseconds. A flag of Augment's server
// decides whether hooks run at all.
//
// Auggie accepts Claude Code's form of answers but supports less of it than its
// documentation says: an answer can block a tool call, change its input, and add to
// its result. Answers at a session's start, a prompt or a stop reach at most the user.
package augment
