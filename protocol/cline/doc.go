// Package cline is the dialect of Cline, as an extension of VS Code and as a
// program of the terminal.
//
// The program was observed on 3.0.65, in one-shot runs against a scripted model;
// what is said of the extension is from its source. Both are one dialect, because
// they read the same folders: a file in one of them runs in both, and only the
// payload says which of them it is. What an answer can carry differs, and is
// narrowed to what the one that asks can do.
//
// A hook of Cline is an executable file named after the event. Ours stand in
// ~/Documents/Cline/Hooks or in a project's .clinerules/hooks, the folders that
// both runtimes read; a file of that name that is not ours is left alone.
//
// There is no denial of one call: what blocks, ends the whole run, and the reason
// is shown. A command that the program was to run is replaced instead, by one that
// prints the reason and fails (refusal.go). The exit code means nothing. What a hook prints, must be one JSON
// object.
package cline
