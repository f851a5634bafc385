// Package qoder is the dialect of Qoder CLI.
//
// Observed on 1.1.52, headless and in its terminal, against a scripted model on loopback that
// also replaced its maker's server; Notification is from its own code.
//
// Our entry is in ~/.qoder/settings.json (QODER_CONFIG_DIR, QODER_CLI_HOME
// and QODER_CONFIG_DIR_NAME are honoured) or, for a project, in its
// .qoder/settings.local.json.
//
// Qoder CLI is a fork of Gemini CLI with Claude Code's wire format, even for plain text
// that joins the instructions of a compaction. The differences: a block of a tool call
// always shows the model the command line of the hook, an ask is ignored in the mode that
// never asks, and a file of variables breaks every command of its shell.
package qoder
