// Package view writes what was learned as one HTML page for people: which signals
// came up when, the genes with what is known of each as a curve, and the
// suggestions with what became of them. It is a page of package page: one file
// that asks nobody for anything, and shows text as text.
//
// Signals are those of the journals that are kept and, of sessions whose journal
// is gone, of their suggestions. Of commands nothing is shown.
package view
