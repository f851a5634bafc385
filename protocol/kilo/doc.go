// Package kilo is the dialect of Kilo CLI, a fork of OpenCode.
//
// Observed on 7.7.9, in its run mode, against a scripted model, with the plugin
// that OpenCode was observed with: in each case that was tried it behaved the
// same. What both share is in package opencodelike, the differences are here.
//
// Our entry is a plugin, agents-hooks.js in ~/.config/kilo/plugin
// (XDG_CONFIG_HOME is honoured) or in a project's .kilo/plugin.
//
// The plugin of the observation did not say which program it was in, as ours
// does: the captured payloads beside this have "agent" added, and nothing else.
package kilo
