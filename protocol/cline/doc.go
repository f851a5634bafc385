// Package cline is the dialect of Cline, as an extension of VS Code and as a
// program of the terminal.
//
// The program was observed on 3.0.65, in one-shot runs against a scripted model;
// the facts about the extension are from its source. Both are one dialect, because
// they read the same folders: a file there runs in both, and only the payload says
// which of them calls. What an answer can carry differs, and is narrowed to what the
// caller supports.
//
// A hook of Cline is an executable file named after the event. Ours are in
// ~/Documents/Cline/Hooks or in a project's .clinerules/hooks, the folders that
// both runtimes read; a file of that name that is not ours is left alone.
//
// A single call cannot be denied: a block ends the whole run and shows the reason.
// Instead, a command of the terminal program is replaced by one that prints the reason
// and fails (refusal.go). Exit codes are ignored. A hook's output must be one JSON
// object.
package cline
