// Package view writes a workspace as one HTML page for people: the tree of nodes
// with their states, what was logged, what is in the way, how far it is, and what
// holds for all of it.
//
// See package page for what such a file is, and is not. It shows the state of one
// moment; the files of the workspace are the truth.
package view
