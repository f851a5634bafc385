// Package view writes what is remembered as one HTML page for people: a
// timeline, facts by what they are about, sessions, and a search in the page.
//
// See package page for what such a file is, and is not.
//
// It shows what holds and, on request, what a later fact stands for. What was
// deleted is not in it.
package view
