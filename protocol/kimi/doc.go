// Package kimi is the dialect of Kimi Code, the program in TypeScript. Its
// predecessor in Python is package kimicli.
//
// Observed on 2.1.0, in print mode, against a scripted model; the rest
// is from the program's source.
//
// Our entries are in ~/.kimi-code/config.toml (KIMI_CODE_HOME is honoured),
// one [[hooks]] table an event. There is no project file. The program
// rejects its whole configuration for one unknown key or event, so an entry has
// only event, command and timeout, and newer events are not registered.
//
// Hooks can block a tool call, a prompt and a stop, and give context with a
// prompt, as plain text. Answers to all other events are ignored.
package kimi
