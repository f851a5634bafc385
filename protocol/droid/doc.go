// Package droid is the dialect of Factory Droid.
//
// Observed on 0.215.0, headless, without a connection to its maker, against a scripted
// model; what the user sees, and a compaction that the user requests, are from
// Factory's documentation, which contradicts itself in places.
//
// Our entry is in ~/.factory/settings.json or, for a project, in its
// .factory/settings.json, which is committed. A hooks.json beside them hides their
// hooks; if there is one, our entry is in both files, in the form of each.
package droid
