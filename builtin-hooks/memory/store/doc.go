// Package store changes and lists the contents of a memory folder: the part of memory that only
// commands need.
//
// Every function works on the files themselves, line by line, and leaves alone what it does not
// know: unknown members, lines and files of other programs survive. Functions that remove
// something keep a copy first, except [Keeper.Purge].
package store
