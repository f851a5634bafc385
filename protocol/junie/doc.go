// Package junie is the dialect of JetBrains' Junie on the command line.
//
// Not observed: what is here is from its documentation, of which only the start
// of a session is more than early access, and from others' notes on the rest.
//
// Our entry stands in config.json of ~/.junie (JUNIE_HOME is honoured). Junie
// ignores the hooks of a project's file.
//
// Junie's answers are flat: decision, reason, updatedInput, additionalContext
// and systemMessage side by side.
package junie
