// Package mirror is the common part of all agents' tongues (protocol.Tongue). It turns a
// call of any agent into the calls that another program would make for the same deed,
// maps a changed input back to the calling agent's keys, and gives a tool's result as
// text. Names and keys are the portable ones; each tongue replaces them by its program's
// own.
package mirror
