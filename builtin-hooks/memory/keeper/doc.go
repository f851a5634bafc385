// Package keeper changes what a memory folder holds, and lists it: the part of
// memory that only commands need.
//
// Every function works on the files themselves, line by line, and leaves alone
// what it does not know: members, lines and files of other programs survive.
// What takes something away keeps a copy first, except [Keeper.Purge].
package keeper
