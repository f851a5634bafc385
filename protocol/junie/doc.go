// Package junie is the dialect of JetBrains' Junie on the command line.
//
// Not observed: this is from its documentation, which describes everything but the start of a
// session as early access, and from others' notes.
//
// Our entry is in config.json of ~/.junie (JUNIE_HOME is honoured). Junie
// ignores the hooks of a project's file.
//
// Junie's answers are flat: decision, reason, updatedInput, additionalContext
// and systemMessage side by side.
package junie
