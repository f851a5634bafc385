// Package gene is the unit that evolution passes on: which signals a problem
// shows, and the steps that solved it before.
//
// A gene is text and nothing else. Nobody runs it; an agent reads its
// steps. So a gene that tries to be a hook, or to bring a command or a server
// with it, is refused by [Parse], and control characters never get in.
//
// # What transfers
//
// A gene has value where its steps help somebody in another project. [Check]
// finds what does not transfer: absolute paths, references to lines, the
// project's own name, secrets. [Near] finds genes that say the same
// already. [Screen] finds what could harm whoever follows it.
//
// # Form
//
// The JSON form is that of the program that genes come from: signals_match,
// strategy, constraints. [Parse] reads the rows of its service too, where the
// steps are JSON inside a text. Members that are not known survive.
package gene
