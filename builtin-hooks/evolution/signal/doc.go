// Package signal reads what a command printed and says what kind of trouble it
// tells of. It is called on every tool event of a session, so it is written by
// hand: one pass over the lines, no regular expressions. Command lines are read by
// hand as well: a parser of shells (mvdan.cc/sh/v3/syntax) takes each event 0.05 to
// 0.09 ms before main and 0.5 MB, and gives no words of what is not the language
// that it was asked for.
//
//	[Of]       the signals of a call that is known to have failed: at least one
//	[Detect]   the signals of an output of which only the text is known, none if it is no failure
//	[Read]     what a command line is: trivial or not, its families, its classes
//
// # The thirteen keys
//
// A signal is "error:" and a word. Their names are those of the specification
// (behaviours.md 4.2), so that genes made elsewhere fit. Genes may name others
// (task:, infra:, perf:, capability:); this package finds only these thirteen.
//
// # How a text is judged
//
// Each line is one of these, tried in this order:
//
//	detail    progress, warnings, frames of code and of stacks, marks of passed
//	          tests, commits, what a log calls info: says nothing
//	firm      a failure that stands whatever follows: a count above zero, an exit
//	          code, a diagnostic with its place, "BUILD FAILED", "npm ERR!"
//	soft      a word of failure where a message has it ("Error: …", "failed to …"):
//	          counts unless a later line says that all is well, since tests that
//	          pass log such lines
//	verdict   "42 passed", "BUILD SUCCESSFUL", exit code 0: takes back what was soft
//
// A word counts in the place where messages have it, not where it only occurs:
// "0 failed", "no errors found", "error code 0", "Compiling error-chain v0.12"
// and "14034 rows" are no signals. The keys of a line are found by phrases with
// their word bounds; a line tells not_found only if it does not tell
// module_not_found. A failure that no phrase names is named by what the command
// was (a test, a build, a deployment), and else error:generic.
//
// testdata/corpus holds outputs with their signals; the test prints precision and
// recall over it, for the half that the detectors were made with and for the half
// that they were not.
package signal
