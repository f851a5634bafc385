// Package opencode is the dialect of OpenCode.
//
// Observed on 1.18.33, in its run mode, against a scripted model, with a plugin
// that passed on whatever it was called for; what does not happen there is from
// the program's source and its documentation.
//
// OpenCode runs no commands as hooks. Our entry is a plugin, agents-hooks.js in
// ~/.config/opencode/plugin (XDG_CONFIG_HOME is honoured) or in a project's
// .opencode/plugin, which calls the dispatcher; package opencodelike has the
// plugin and the words that it exchanges with the dispatcher, and shares them
// with the fork, Kilo CLI.
//
// To see what happens in there, run the program with --print-logs, and look at
// the run log of agents-hooks: an event that does not stand there did not come.
package opencode
