// Package gemini is the dialect of Gemini CLI.
//
// Observed on 0.61.0, headless, against a scripted model; the rest is from the
// program's source.
//
// Our entry is in ~/.gemini/settings.json (GEMINI_CLI_HOME is honoured) or,
// for a project, in its .gemini/settings.json, which is committed. Its time limits are in milliseconds.
// In an untrusted folder Gemini CLI runs no hooks at all, not even the user's.
//
// Gemini CLI takes all output of a hook as its answer, even stderr if stdout is
// empty, and denies on most exit codes. So no opinion is "{}", stderr stays empty,
// and the exit code is always 0.
package gemini
