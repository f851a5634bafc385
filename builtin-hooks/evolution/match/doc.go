// Package match finds genes for a failure by what happened, not by the class of it.
//
// Three things say that a gene is about a failure, and each has a score from 0 to 1
// that can be compared:
//
//	the same failure   it was cured by this gene before, here or in another project
//	                   ([failure.Failure.Kind])
//	a phrase           of those that a gene says its failures have ([gene.When]); the
//	                   longer the phrase, the surer
//	a likeness         of the message to one that the gene cured: the words they share,
//	                   the rarer the more, and those that mean nearly the same, by the
//	                   lexicon of memory; with the same code or symbol it is surer, with
//	                   another one it is less so
//
// Below [Bar] nothing is said. A gene that would say no more than that one should
// read the first error is never found here; who has not tried anything yet may be
// told that ([gene.Gene.Platitude]).
package match
