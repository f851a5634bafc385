// Package shell is what every command of the command line stands on: the process
// as a value, the one voice of messages and hints, exit codes, help, colour,
// questions to a person, and the completion of words. It knows no command.
//
//   - stdout carries the answer of a command and nothing else; with --json it is
//     one document with "schema": 1.
//   - Everything else goes to stderr, as "agents-hooks: what: why" with the
//     program's name, lower case, no full stop, followed by "hint: …" lines that
//     name a command or an edit.
//   - Names and texts from a repository lose control characters first ([Plain]).
//   - Colour only on a terminal, never with NO_COLOR.
//   - Help is at most 79 columns wide; a test holds that.
//
// A room of commands is a package cmd/internal/verb/NAME with one face,
// Command(*Shell) *cli.Command. Inside, a verb is a function of options that
// returns rows or an error and knows no cli.Context; printing stands apart.
package shell

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Shell is one run of the command line: the process as a value.
type Shell struct {
	Name string // of the program
	Host host.Host
	In   io.Reader
	Out  io.Writer
	Err  io.Writer
}

// Say prints one message to stderr.
func (sh *Shell) Say(format string, args ...any) {
	fmt.Fprintf(sh.Err, "%s: %s\n", sh.Name, protocol.Plain(fmt.Sprintf(format, args...)))
}

// Hints says what to do about the message before: one line each.
func (sh *Shell) Hints(hints []string) {
	for _, h := range hints {
		fmt.Fprintf(sh.Err, "hint: %s\n", protocol.Plain(h))
	}
}

// Printf prints a part of the answer to stdout.
func (sh *Shell) Printf(format string, args ...any) { fmt.Fprintf(sh.Out, format, args...) }

// JSON prints a document to stdout.
func (sh *Shell) JSON(doc any) error {
	enc := json.NewEncoder(sh.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

// Line prints a document to stdout, on one line: for an agent.
func (sh *Shell) Line(doc any) error {
	b, err := json.Marshal(doc)
	if err == nil {
		sh.Printf("%s\n", b)
	}
	return err
}
