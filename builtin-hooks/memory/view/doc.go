// Package view writes memory as one HTML page: a timeline, facts by subject, sessions, and a
// search in the page.
//
// Package page explains what such a file is.
//
// The page shows what holds and, on request, what a later fact replaced, but nothing
// that was deleted.
//
// In a served page the user can change all of that: [Page.Editor] is the part for it,
// with edit.js in place of still.js, and [Page.Allow] adds what needs a decision, what
// was deleted, and the marks by which a change says what the user was shown.
package view
