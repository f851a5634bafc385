// Package qwen is the dialect of Qwen Code.
//
// Observed on 0.24.4, headless, against a scripted model; StopFailure, and how
// it asks its user, are from its documentation.
//
// Our entry stands in ~/.qwen/settings.json (QWEN_HOME is honoured) or, for a
// project, in its .qwen/settings.json, which git carries, and which counts in a
// trusted folder only.
//
// Qwen Code is a fork of Gemini CLI that speaks like Claude Code. It reads a
// hook's stderr for the answer if stdout is empty, so that no opinion is "{}".
// The documentation lets a hook change a tool's input; the program does not, and
// the program is what counts here.
package qwen
