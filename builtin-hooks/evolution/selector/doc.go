// Package selector is the mathematics of evolution: which gene to suggest, and what to
// learn from an outcome. It uses no file, no clock and no random source of its own: the
// caller passes in the data, the time and the random numbers, so that every result can
// be computed by hand. It has its own Beta sampler in 17 lines, since math/rand has
// none and gonum's links a matrix library that takes 0.015 ms to start.
//
// # From a signal to a gene
//
//	coverage    the share of the event's signals that the gene names (package gene)
//	posterior   α = successes+1, β = failures+1, decayed by half in 30 days
//	blend       local results with those from everywhere
//	memory      a sample of Beta(α, β), or α/(α+β) without random numbers
//	confidence  memory, lower if seldom seen, higher if others saw it
//	rank        0.35 coverage + 0.25 memory + 0.15 confidence + 0.15 context
//	            + 0.10 quality + 0.15 if the signal is the same
//
// A gene that mostly fails is banned, one that fails often in a short time is paused
// for a minute, and now and then a gene other than the best is tried: [Choose].
//
// # Learning from an outcome
//
// [Weight] gives repeats within an hour less and less weight, [Learns] rejects outcomes
// that are too poor to learn from, [Freeze] stops learning while everything fails,
// because then something else is broken. [Trial] promotes and demotes genes on trial,
// [Ripe] says when a new gene can be distilled.
package selector
