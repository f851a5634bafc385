// Package match finds genes for a failure by its message, not only by its class.
//
// Three things indicate that a gene is about a failure. Each has a score from 0 to 1,
// and the scores can be compared:
//
//	the same failure   this gene cured it before, here or in another project
//	                   ([failure.Failure.Kind])
//	a phrase           one of those that the gene names ([gene.When]); the longer the
//	                   phrase, the higher
//	similarity         of the message to one that the gene cured: their common words,
//	                   weighted by rarity, and words that mean nearly the same, by memory's
//	                   lexicon; higher with the same code or symbol, lower with another
//
// Below [Bar] nothing is offered. A gene that only says to read the first error is
// never found here; an agent that has not tried anything yet may be given it
// ([gene.Gene.Platitude]).
package match
