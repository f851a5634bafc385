// Package qwen is the dialect of Qwen Code.
//
// Observed on 0.24.4, headless, against a scripted model; StopFailure, and how
// it asks its user, are from its documentation.
//
// Our entry is in ~/.qwen/settings.json (QWEN_HOME is honoured) or, for a
// project, in its .qwen/settings.json, which is committed and applies only in a
// trusted folder.
//
// Qwen Code is a fork of Gemini CLI that speaks like Claude Code. It reads a
// hook's stderr as the answer if stdout is empty, so no opinion is "{}".
// The documentation lets a hook change a tool's input, but the program ignores it;
// this dialect follows the program.
package qwen
