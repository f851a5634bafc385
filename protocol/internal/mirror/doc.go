// Package mirror is what the tongues of all agents have in common (protocol.Tongue): a
// call of any agent as the calls that another program would make for the same deed, a
// changed input put back to where the calling agent keeps it, and a result in the
// shape of a tool as text. Names and keys are the portable ones; each tongue puts its
// program's own in their place.
package mirror
