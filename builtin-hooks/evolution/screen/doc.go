// Package screen reads a gene as somebody would who does not trust its author: what
// an agent that follows it to the letter could break, fetch, give away or be talked
// into. What it finds is a reason to hold the gene until a person has read it; it is
// asked where a gene is made, where one is taken in, and on the server, and none of
// the three believes another.
//
//	destructive  commands that lose what nothing brings back
//	piped        code from the network, or put together on the spot, that runs unread
//	leaks        secrets, or files that hold them, that go to the network
//	weakens      checks, guards and protections that are switched off
//	injection    words that are not for the problem but for the model
//	hidden       characters that a person does not see, or takes for others
//	secret       what package redact would take out
//
// # How it reads
//
// A step is prose with commands in it. What stands in backticks or quotes is read as
// a line for a shell, and so is every place where a word is the name of a program
// that can do harm, up to the end of the step: package deed resolves what runs inside
// what (sudo, sh -c, xargs), and commands.go judges each simple command by its words,
// not by its looks. What no grammar reads is judged by its words alone.
//
// Each text has several readings: as it stands, as a shell sees it without the quotes, escapes
// and separators that hide a command, with what is encoded in it decoded, and, for words to
// the model, with letters that stand apart joined, digits as letters, and turned round. Steps
// are read one by one and, where that finds nothing, as one text: what is harmless apart may not be
// together. What it cannot see is a command that is told letter by letter, and a package that does harm.
//
// "Never run git reset --hard" is advice against it. Only a warning right before the
// command counts, and none before words for the model: who wants to be obeyed says
// "do not forget to", too.
//
// It is a filter and no proof. It errs on the side of holding: who reads a gene that
// was held for nothing loses a minute.
package screen
