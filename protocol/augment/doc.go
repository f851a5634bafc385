// Package augment is the dialect of Augment's agent, whose command is auggie.
//
// Observed on 0.36.0, in print mode, against a scripted backend; what could not
// be seen there is from the program's own code. The IDE extensions of Augment
// read the same user's settings.
//
// Our entry stands in ~/.augment/settings.json or, for a project, in its
// .augment/settings.local.json, which is the person's own. Time limits are
// milliseconds there. Whether hooks run at all is decided by a flag of Augment's
// server.
//
// Auggie takes Claude Code's form of answers and uses less of it than its own
// documentation says: it can block a tool call, change its input, and add to its
// result. What a hook says to the start of a session, to a prompt or to a stop
// reaches the person at most.
package augment
