// Package view writes a workspace as one HTML page for people: the tree of nodes
// with their states, the logs, the problems, the progress, and the rules of the
// workspace.
//
// Package page explains what such a file is. It shows the state at one moment; the files of
// the workspace are authoritative.
package view
