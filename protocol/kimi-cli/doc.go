// Package kimicli is the dialect of Kimi CLI, the program in Python that Kimi
// Code is to replace.
//
// It was not observed: what is here is from the source of 1.49.0.
//
// Our entries stand in ~/.kimi/config.toml (KIMI_SHARE_DIR is honoured), one
// [[hooks]] table an event, of the same four keys as in Kimi Code. There is no
// file of a project.
//
// Hooks can block a tool call, a prompt and a stop. What they print otherwise is
// not used, although the program's documentation says that it is context.
package kimicli
