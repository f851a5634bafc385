// Package gemini is the dialect of Gemini CLI.
//
// Observed on 0.61.0, headless, against a scripted model; the rest is from the
// program's source.
//
// Our entry stands in ~/.gemini/settings.json (GEMINI_CLI_HOME is honoured) or,
// for a project, in its .gemini/settings.json, which git carries. Time limits are milliseconds there.
// In a folder that is not trusted Gemini CLI runs no hooks at all, not even the
// user's.
//
// Gemini CLI takes whatever a hook prints for its answer, stderr too if stdout
// is empty, and denies on most exit codes. So no opinion is "{}", nothing is
// ever printed on stderr, and the exit code is 0.
package gemini
