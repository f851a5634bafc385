// Package choose is the mathematics of evolution: which gene to suggest, and
// what an outcome teaches. It knows no file, no clock and no chance: whoever
// calls passes in what is known, the time and the source of random numbers, so
// that every result can be computed by hand. The one sampler that math/rand lacks is
// written here, 17 lines: gonum's brings a library of matrices, which takes 0.015 ms
// to start.
//
// # From a signal to a gene
//
//	coverage    how much of the event's signals the gene names (package gene)
//	posterior   α = successes+1, β = failures+1, decayed by half in 30 days
//	blend       what was seen here with what was seen everywhere
//	memory      a sample of Beta(α, β), or α/(α+β) with [Greedy]
//	confidence  memory, less where it was seen seldom, more where others saw it
//	rank        0.35 coverage + 0.25 memory + 0.15 confidence + 0.15 context
//	            + 0.10 quality + 0.15 if the signal is the same
//
// A gene that mostly fails is banned, one that fails often in a short time rests
// for a minute, and now and then another than the best is tried: [Choose].
//
// # From an outcome to what is known
//
// [Weight] lets repeats within an hour count less and less, [Learns] refuses
// what is too poor to learn from, [Freeze] stops learning while everything
// fails, because then something else is broken. [Trial] promotes and demotes
// genes on trial, [Ripe] says when a new gene can be distilled.
package choose
