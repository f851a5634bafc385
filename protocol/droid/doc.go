// Package droid is the dialect of Factory Droid.
//
// Not observed: Droid runs only with an account. What is here is from Factory's
// documentation, whose pages disagree in places.
//
// Our entry stands in ~/.factory/settings.json or, for a project, in
// .factory/settings.local.json, which git does not carry. The documentation puts
// hooks into a hooks.json beside them, which a version was reported not to read;
// where there is one, our entry stands in both, in the form that each file has.
package droid
