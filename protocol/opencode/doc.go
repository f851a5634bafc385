// Package opencode is the dialect of OpenCode.
//
// Observed on 1.18.33, in its run mode, against a scripted model, with a plugin
// that recorded every call; the rest is from the program's source and its
// documentation.
//
// OpenCode runs no commands as hooks. Our entry is a plugin, agents-hooks.js in
// ~/.config/opencode/plugin (XDG_CONFIG_HOME is honoured) or in a project's
// .opencode/plugin, which calls the dispatcher; package opencodelike has the
// plugin and its protocol with the dispatcher, which it shares with the fork, Kilo
// CLI.
//
// To debug, run the program with --print-logs and look at the run log of
// agents-hooks: an event that is not there did not arrive.
package opencode
