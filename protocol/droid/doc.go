// Package droid is the dialect of Factory Droid.
//
// Observed on 0.215.0, headless, with no way to its maker and against a scripted
// model; what a person sees, and a compaction that a person asks for, are from
// Factory's documentation, whose pages disagree in places.
//
// Our entry stands in ~/.factory/settings.json or, for a project, in its
// .factory/settings.json, which git carries. A hooks.json beside them hides the
// hooks that they have; where there is one, our entry stands in both, in the form
// that each file has.
package droid
