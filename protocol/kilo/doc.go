// Package kilo is the dialect of Kilo CLI, a fork of OpenCode.
//
// Observed on 7.7.9, in its run mode, against a scripted model, with the plugin
// that OpenCode was observed with; it behaved the same in each case that was tried.
// Package opencodelike has what both share, this one the differences.
//
// Our entry is a plugin, agents-hooks.js in ~/.config/kilo/plugin
// (XDG_CONFIG_HOME is honoured) or in a project's .kilo/plugin.
//
// That plugin did not name its program, as ours does: in the captured payloads
// beside this file "agent" was added, and nothing else.
package kilo
