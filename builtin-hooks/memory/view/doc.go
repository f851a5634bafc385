// Package view writes what is remembered as one HTML page for people: a
// timeline, facts by what they are about, sessions, and a search in the page.
//
// See package page for what such a file is, and is not.
//
// It shows what holds and, on request, what a later fact stands for. What was
// deleted is not in it.
//
// In a page that is served a person changes all of that: [Page.Editor] is the part for
// it, with edit.js in the place of still.js, and [Page.Allow] gives it what there is to
// settle, what was deleted, and the marks by which a change says what it was shown.
package view
