// Package view writes what was learned as one HTML page: which signals came up when,
// the genes with a curve of what is known about each, and the suggestions with their
// results. It uses package page: one file that makes no requests, and shows text as
// text.
//
// Signals come from the existing journals and, for sessions whose journal is gone, from
// their suggestions. Commands are not shown.
package view
