// Package spec is the format's own form, as a dialect: the event that a hook
// reads goes in, what a hook answers comes out. A dispatcher in this form is
// itself a valid entry of a hook.
//
// A payload is read tolerantly. What a runner leaves out is filled in: timestamp
// with the time of reading, work_dir with PWD, session_id with nothing, context
// with an empty object; so is a base field that is not of its type. Members that
// the format does not have stay where they are, at the top level, in their
// order. Nothing is added to context, and no payload is kept beside the event:
// the event is the payload.
//
// What the answer can carry is what context.can says; everything, if it says
// nothing.
//
// A payload without event_type, or with one that is no text, is an error. An
// event_type that the format does not have gives no events, which is for the
// dispatcher to warn of.
package spec
