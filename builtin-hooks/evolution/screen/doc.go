// Package screen reads a gene without trusting its author: it finds what an agent that
// follows it literally could break, fetch, disclose or be talked into. A finding is a
// reason to hold the gene until a person has reviewed it. Genes are screened when they
// are created, when they are imported, and on the server, independently.
//
//	destructive  commands that lose data for good
//	piped        code from the network, or assembled on the spot, that runs unread
//	leaks        secrets, or files with secrets, that are sent to the network
//	weakens      checks, guards and protections that are switched off
//	injection    text that addresses the model instead of the problem
//	hidden       characters that are invisible or look like others
//	secret       what package redact would remove
//
// # How it reads
//
// A step is prose with commands in it. Text in backticks or quotes is read as a shell
// line, and so is the text after every word that names a dangerous program, up to the
// end of the step. Package deed resolves nested commands (sudo, sh -c, xargs), and
// commands.go judges each simple command by its words. Text that no grammar accepts is
// judged by its words alone.
//
// Each text is read in several ways: unchanged; without the quotes, escapes and
// separators that hide a command from a reader but not from a shell; with encoded parts
// decoded; and, for text that addresses the model, with spaced letters joined, digits
// as letters, and reversed. Steps are read one by one and, if that finds nothing, as
// one text, since harmless parts may combine. It cannot detect a command that is
// spelled out letter by letter, or a harmful package.
//
// "Never run git reset --hard" is advice against it. Only a warning right before the
// command counts, and none before text that addresses the model, since an attacker may
// as well write "do not forget to".
//
// It is a filter and not a proof. It errs on the side of holding: a gene that was held
// without need costs a reviewer a minute.
package screen
