// Package spec is the format's own form, as a dialect: the event that a hook
// reads goes in, the answer of a hook comes out. So a dispatcher in this form can
// itself be the entry of a hook.
//
// A payload is read tolerantly. A base field that is missing or of the wrong type is
// filled in: timestamp with the current time, work_dir with PWD, session_id with an
// empty text, context with an empty object. Members that the format does not have
// stay at the top level, in their order. Nothing is added to context, and no payload
// is kept beside the event, since the event is the payload.
//
// The answer can carry what context.can lists, or everything if that is missing.
//
// A payload without a textual event_type is an error. An unknown event_type yields no
// events, and the dispatcher warns of it.
package spec
