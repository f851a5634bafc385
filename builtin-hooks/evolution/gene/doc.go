// Package gene defines what evolution passes on: the signals of a problem, and the
// steps that solved it before.
//
// A gene is only text. Nothing executes it; an agent reads its steps. So [Parse]
// rejects a gene that contains a hook, a command or a server, and removes control
// characters.
//
// # What transfers
//
// A gene is valuable if its steps help in another project. [Check] finds what does not
// transfer: absolute paths, references to lines, the project's own name, secrets.
// [Near] finds genes that already say the same. [Screen] finds what could harm anyone
// who follows it.
//
// # Form
//
// The JSON form is that of the program where genes come from: signals_match, strategy,
// constraints. [Parse] also reads the rows of its service, where the steps are JSON
// inside a string. Unknown members are kept.
package gene
