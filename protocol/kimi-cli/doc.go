// Package kimicli is the dialect of Kimi CLI, the program in Python that Kimi
// Code is meant to replace.
//
// Not observed: this is from the source of 1.49.0.
//
// Our entries are in ~/.kimi/config.toml (KIMI_SHARE_DIR is honoured), one
// [[hooks]] table an event, with the same four keys as in Kimi Code. There is no
// project file.
//
// Hooks can block a tool call, a prompt and a stop. Other output
// is not used, although the program's documentation calls it context.
package kimicli
