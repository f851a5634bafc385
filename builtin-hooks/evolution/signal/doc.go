// Package signal classifies failures in the output of a command. It is called on every
// tool event of a session, so it is hand-written: one pass over the lines, no regular
// expressions. Command lines are parsed by hand as well: a shell parser
// (mvdan.cc/sh/v3/syntax) would cost each event 0.05 to 0.09 ms before main and 0.5 MB,
// and gives no words for text in another language than the requested one.
//
//	[Of]       the signals of a call that is known to have failed: at least one
//	[Detect]   the signals of an output of which only the text is known, none if it is not a failure
//	[Read]     the kind of a command line: trivial or not, its families, its classes
//
// # The thirteen keys
//
// A signal is "error:" and a word. The names are the original's, so that genes from
// elsewhere match. Genes may name others (task:, infra:, perf:, capability:); this
// package finds only these thirteen.
//
// # How a text is judged
//
// Each line is one of these, tried in this order:
//
//	detail    progress, warnings, lines of code and of stack traces, marks of passed
//	          tests, commits, info lines of a log: ignored
//	firm      a failure, whatever follows: a count above zero, an exit
//	          code, a diagnostic with its place, "BUILD FAILED", "npm ERR!"
//	soft      a word of failure where messages have it ("Error: …", "failed to …"):
//	          counts unless a later line reports success, since passing tests log
//	          such lines
//	verdict   "42 passed", "BUILD SUCCESSFUL", exit code 0: cancels soft ones
//
// A word counts only where messages have it: "0 failed", "no errors found", "error code
// 0", "Compiling error-chain v0.12" and "14034 rows" are no signals. The keys of a line
// are found by phrases at word boundaries; a line is not_found only if it is not
// module_not_found. A failure without a known phrase is named after the command (a
// test, a build, a deployment), or else error:generic.
//
// testdata/corpus has outputs with their signals; the test prints precision and recall,
// separately for the half that was used to write the detectors and the half that was
// not.
package signal
